// Who judges a game that is taken apart: first the position that is looked at, then, a little each, all that were played.

import { signal } from "@preact/signals";
import type { Position } from "../engine/contract";
import type { Judgement, Knot, Study } from "./study";

/** Think about a position for so many seconds; better and better judgements are told. It ends by itself, or when `stop` is called. */
export type Analyse = (seen: Position, seconds: number, heard: (judgement: Judgement) => void) => { done: Promise<void>; stop(): void };

const LONG = 20; // seconds for the position that is looked at
const SHORT = 0.25; // and for each of the others

export class Analyst {
  /** Counts what has been found out. */
  readonly news = signal(0);
  /** Why nothing more will be. */
  readonly failed = signal(false);
  private turn = 0;
  private at: Knot | null = null;
  private stopPresent: () => void = () => undefined;

  constructor(
    private readonly study: Study,
    private readonly analyse: Analyse,
  ) {}

  /** Look at a position; what was thought about before waits. */
  async look(knot: Knot): Promise<void> {
    if (knot === this.at) return;
    this.at = knot;
    const turn = ++this.turn;
    this.failed.value = false; // what can't be thought about is one position, not all of them
    this.stopPresent();
    try {
      await this.think(knot, knot.judgement ? LONG : SHORT, turn); // a first word about it, then the others have one, too
      for (const other of this.unjudged()) await this.think(other, SHORT, turn);
      await this.think(knot, LONG, turn);
    } catch {
      if (turn === this.turn) this.failed.value = true;
    }
  }

  /** What was played and has not been judged, from the end: it is what people ask about first. */
  private *unjudged(): Generator<Knot> {
    for (const knot of this.study.trunk().reverse()) if (knot.position.seat !== null && !knot.judgement) yield knot;
  }

  private async think(knot: Knot, seconds: number, turn: number): Promise<void> {
    if (turn !== this.turn || knot.position.seat === null || knot.judgement?.sure) return;
    const { done, stop } = this.analyse(knot.position, seconds, (judgement) => {
      if (turn !== this.turn || (knot.judgement && !judgement.sure && judgement.nodes < knot.judgement.nodes)) return; // a deeper one was known
      knot.judgement = judgement;
      this.news.value++;
    });
    this.stopPresent = stop;
    await done;
  }

  close(): void {
    this.turn++;
    this.stopPresent();
  }
}
