// Who judges a game that is taken apart: the position that is looked at, and beside it, one after the other, all that were played.

import { signal } from "@preact/signals";
import type { Position } from "../engine/contract";
import type { Judgement, Knot, Study } from "./study";

/** Think about a position for so many seconds; better and better judgements are told. It ends by itself, or when `stop` is called. */
export type Analyse = (seen: Position, seconds: number, heard: (judgement: Judgement) => void) => { done: Promise<void>; stop(): void };

const LONG = 20; // seconds for the position that is looked at
const SHORT = 0.25; // and for each of the others

/** `analyse`: for the position that is looked at; `glance`: for the others. They share the processor as equals. */
export class Analyst {
  /** Counts what has been found out. */
  readonly news = signal(0);
  /** Why nothing more will be. */
  readonly failed = signal(false);
  private turn = 0;
  private at: Knot | null = null;
  private readonly stops = new Set<() => void>();
  private readonly beyond = new Set<Knot>(); // what can't be thought about

  constructor(
    private readonly study: Study,
    private readonly analyse: Analyse,
    private readonly glance: Analyse,
  ) {}

  /** Look at a position: it is thought about from now on, and the others as soon as there is a first word about it. */
  async look(knot: Knot): Promise<void> {
    if (knot === this.at) return;
    this.at = knot;
    this.close();
    const { turn } = this;
    this.failed.value = false; // what can't be thought about is one position, not all of them
    let begun = (): void => undefined;
    const others = new Promise<void>((done) => (begun = done)).then(() => this.lookAround(turn));
    try {
      await this.think(this.analyse, knot, LONG, turn, begun);
    } catch {
      if (turn === this.turn) this.failed.value = true;
    }
    begun();
    await others;
  }

  /** A little about each position that was played and has not been judged, from the end: it is what people ask about first. */
  private async lookAround(turn: number): Promise<void> {
    for (const knot of this.study.trunk().reverse()) {
      if (turn !== this.turn) return;
      if (!knot.judgement && knot !== this.at && !this.beyond.has(knot)) await this.think(this.glance, knot, SHORT, turn).catch(() => this.beyond.add(knot));
    }
  }

  private async think(how: Analyse, knot: Knot, seconds: number, turn: number, begun?: () => void): Promise<void> {
    if (turn !== this.turn || knot.position.seat === null || knot.judgement?.sure) return;
    const { done, stop } = how(knot.position, seconds, (judgement) => {
      if (turn !== this.turn) return;
      begun?.();
      if (knot.judgement && !judgement.sure && judgement.nodes < knot.judgement.nodes) return; // a deeper one was known
      knot.judgement = judgement;
      this.news.value++;
    });
    this.stops.add(stop);
    await done.finally(() => this.stops.delete(stop));
  }

  /** Whatever is thought about ends. */
  close(): void {
    this.turn++;
    for (const stop of this.stops) stop();
  }
}
