// What a search has found out about a position, and how it is done a piece at a time: a module has no clock, and nobody can interrupt it.

/** The actions of the seat to act with their values (hundredths of a point for that seat), best first, and how they were found. */
export interface SearchResult {
  values: Map<number, number>;
  depth: number;
  nodes: number;
  /** The best line, beginning with the best action. */
  line: number[];
  /** The game is decided: no deeper search changes it. */
  sure: boolean;
  /** Each seat's chance to win after the best action, where the search knows it. */
  chances?: number[];
}

/** How long to think, and about what. */
export interface Task {
  record: Uint8Array;
  time: Hourglass;
  nodes: number;
  depth: number;
  /** How far below the best an action still gets its exact value (0: only the best needs one; −1: all get one). */
  window: number;
  seed: bigint;
  /** Look at every legal action, and keep on even when there is only one. */
  patient: boolean;
}

export interface Searcher {
  /** Better and better thoughts; what they are does not depend on how long a piece of the work takes, as long as the time does not end it. */
  think(task: Task): AsyncGenerator<SearchResult, void>;
}

export const WIN = 1_000_000; // a won game, less the plies to get there, as in bots/alphabeta.py

const PIECE = 12; // milliseconds of work between two looks at the clock and the world outside
const GROWTH = 4;

/** Until when to think. Whoever stops it ends the thinking after the piece that is at work. */
export class Hourglass {
  stopped = false;
  private readonly until: number;

  constructor(seconds: number | null) {
    this.until = seconds === null ? Number.POSITIVE_INFINITY : performance.now() + 1000 * seconds;
  }

  get left(): number {
    return this.until - performance.now();
  }

  get over(): boolean {
    return this.stopped || this.left <= 0;
  }
}

/** One kind of work, in pieces that take some milliseconds each, by what the last ones took. */
export class Pieces {
  private rate = 1; // of nodes, in a millisecond
  private rested = 0;

  /** Work until there is no more to do or the time is up; `work` does so much and tells whether there is more. At least one piece is done. */
  async run(time: Hourglass, work: (nodes: number) => boolean): Promise<void> {
    for (let more = true; more; more = more && !time.over) {
      const nodes = Math.max(1, Math.floor(this.rate * Math.min(PIECE, Math.max(time.left, 0))));
      const began = performance.now();
      more = work(nodes);
      const took = performance.now() - began;
      if (more) this.rate = Math.min(GROWTH * this.rate, nodes / Math.max(took, 0.1)); // what ended early tells nothing
      if (performance.now() - this.rested > PIECE) {
        await rest();
        this.rested = performance.now();
      }
    }
  }
}

/** Let whatever has come in meanwhile be heard. A timer would wait for milliseconds. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The first of the highest; −1 of none. */
export function highest(numbers: readonly number[]): number {
  return numbers.reduce((best, number, i) => (best < 0 || number > (numbers[best] ?? 0) ? i : best), -1);
}

const NO_CHANCE = 1e-4;

/** A share of wins in hundredths of a point. */
export function points(share: number, scale: number, log: (x: number) => number): number {
  const within = Math.min(Math.max(share, NO_CHANCE), 1 - NO_CHANCE);
  return (scale * log(within / (1 - within))) / 1.1;
}
