// The computer players of a game, at work in a thread of their own (worker.ts): whoever asks is answered by a promise, and can say that it is enough.

import type { Value } from "../net/types";
import type { Position } from "./contract";
import type { Facts } from "./module";
import type { Kind } from "./player";
import { takeThread, workerAddress } from "./thread";

/** What a game is made of here. */
export interface Source {
  facts: Facts;
  module: WebAssembly.Module;
  /** The address of its views. */
  views: string;
}

/** What is known of a position so far: each legal action's value for the seat to act (in points), best first, and the best line. */
export interface Analysis {
  values: Map<string, number>;
  line: string[];
  depth: number;
  nodes: number;
  sure: boolean;
  /** Each seat's chance to win after the best action, where the search knows it. */
  chances?: number[];
}

interface Question {
  options: Readonly<Record<string, Value>>;
  record: Uint8Array;
  seconds: number | null;
}

/** A question without its position. */
type Asked = Pick<Told & { kind: "choose" | "analyse" }, "kind" | "seconds" | "lines" | "open">;

/** What a worker is told. Players and thoughts have numbers. */
export type Told =
  | { kind: "open"; source: Source }
  | { kind: "player"; player: number; as: Kind }
  | ({ kind: "choose" | "analyse"; thought: number; player: number; lines: number; open: Uint8Array | null } & Question)
  | { kind: "stop"; thought: number }
  | { kind: "forget"; player: number };

/** What it says: an analysis so far, the last word (of `choose` an action), or what went wrong, with a thought or with everything. */
export type Said =
  | { thought: number; analysis: Analysis }
  | { thought: number; action: string | null }
  | { thought: number; wrong: string }
  | { broken: string };

interface Waiting {
  analysed(analysis: Analysis): void;
  done(action: string | null): void;
  failed(wrong: Error): void;
}

/** A worker with the computer players of one game. */
export class Thinkers {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private broken: Error | null = null;
  private numbers = 0;

  constructor(source: Source, address = workerAddress()) {
    this.worker = takeThread(address);
    this.worker.onmessage = (event) => this.hear(event.data as Said);
    this.worker.onerror = (event) => this.fail(event.message || `the worker at ${address || "no address"} can't be started`);
    this.worker.onmessageerror = () => this.fail("an answer can't be read");
    this.tell({ kind: "open", source });
  }

  /** A player with a memory of its own. */
  player(kind: Kind): Thinker {
    return new Thinker(this, this.number(), kind);
  }

  /** Whether their thread has ended: none of them will think again. */
  get ended(): boolean {
    return this.broken !== null;
  }

  /** End everything: whoever still waits is told so. */
  close(): void {
    this.worker.terminate();
    this.fail("closed");
  }

  number(): number {
    this.numbers += 1;
    return this.numbers;
  }

  tell(told: Told): void {
    if (!this.broken) this.worker.postMessage(told);
  }

  /** Ask for a thought; `waiting` hears of it. */
  ask(told: Told & { thought: number }, waiting: Waiting): void {
    if (this.broken) {
      waiting.failed(this.broken);
      return;
    }
    this.waiting.set(told.thought, waiting);
    this.worker.postMessage(told);
  }

  private hear(said: Said): void {
    if ("broken" in said) {
      this.fail(said.broken);
      return;
    }
    const waiting = this.waiting.get(said.thought);
    if ("analysis" in said) {
      waiting?.analysed(said.analysis);
      return;
    }
    this.waiting.delete(said.thought);
    if ("wrong" in said) waiting?.failed(new Error(said.wrong));
    else waiting?.done(said.action);
  }

  private fail(why: string): void {
    this.broken ??= new Error(`the computer players have stopped: ${why}`);
    for (const waiting of this.waiting.values()) waiting.failed(this.broken);
    this.waiting.clear();
  }
}

/** One computer player. What it is asked at once it thinks about one after the other. */
export class Thinker {
  private readonly open = new Set<number>();

  constructor(
    private readonly all: Thinkers,
    private readonly number: number,
    kind: Kind,
  ) {
    all.tell({ kind: "player", player: number, as: kind });
  }

  /** The action this player takes, as text. `seconds` limits the thinking; without it the level's own amount of work does. */
  choose(position: Position, seconds: number | null = null): Promise<string> {
    return new Promise((resolve, reject) => {
      this.ask({ kind: "choose", seconds, lines: 0, open: null }, position, {
        analysed: () => {},
        done: (action) => (action === null ? reject(new Error("no action was chosen")) : resolve(action)),
        failed: reject,
      });
    });
  }

  /**
   * Better and better analyses, until the time is over, the game is decided, or someone says stop. Whoever is slow hears only the newest.
   * `open`: nothing needs to be kept from the seat to act, so that the values are exact where the game knows how to find them.
   */
  async *analyse(position: Position, seconds: number | null = null, lines = 0, open = false): AsyncGenerator<Analysis, void> {
    let newest: Analysis | null = null;
    let [ended, wrong]: [boolean, Error | null] = [false, null];
    let wake = () => {};
    const asked = { kind: "analyse", seconds, lines, open: open ? position.record : null } as const;
    const thought = this.ask(asked, position, {
      analysed: (analysis) => {
        newest = analysis;
        wake();
      },
      done: () => {
        ended = true;
        wake();
      },
      failed: (error) => {
        [ended, wrong] = [true, error];
        wake();
      },
    });
    try {
      while (true) {
        if (newest) {
          const told: Analysis = newest;
          newest = null;
          yield told;
        } else if (ended) {
          if (wrong) throw wrong;
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      this.all.tell({ kind: "stop", thought });
    }
  }

  /** It is enough: `choose` answers with the best action found so far. */
  stop(): void {
    for (const thought of this.open) this.all.tell({ kind: "stop", thought });
  }

  /** Give its memory back. */
  close(): void {
    this.stop();
    this.all.tell({ kind: "forget", player: this.number });
  }

  private ask(asked: Asked, position: Position, waiting: Waiting): number {
    if (position.seat === null) throw new Error("no seat is to act here: there is nothing to think about");
    const thought = this.all.number();
    const { record, game } = position.view(position.seat);
    const leave = () => this.open.delete(thought);
    this.open.add(thought);
    this.all.ask(
      { ...asked, thought, player: this.number, options: game.options, record },
      {
        analysed: waiting.analysed,
        done: (action) => {
          leave();
          waiting.done(action);
        },
        failed: (error) => {
          leave();
          waiting.failed(error);
        },
      },
    );
    return thought;
  }
}
