// Computer players: levels 1 to 8 of a game, as hanpan.bots.bot has them. The same seed and nodes give the same action as there.

import { Deepening, SURE } from "./deepening";
import { HiddenSearch } from "./hidden";
import { type Code, type Facts, type Level, Machine, ModuleRules } from "./module";
import { deriveAt, rng } from "./random";
import { Hourglass, type Searcher, type SearchResult } from "./search";
import { Solver } from "./solver";
import { TreeSearch } from "./treesearch";

const STRONGEST = 8;
const REFLEX = 0.02; // seconds kept back for everything around the search
const PLENTY = 2 ** 60;
const AS_LONG_AS_IT_TAKES = 1e6;

/** What the seat to act may know: a record that is hidden already, and its text. */
export interface Seen {
  record: Uint8Array;
  text: string;
}

/** What kind of player: see hanpan.bot. */
export interface Kind {
  level: number;
  seed: bigint;
  /** Memory for what it learns. */
  megabytes: number;
  /** A fixed amount of work, however long it takes. */
  nodes?: number;
}

/** A computer player of one level, with a memory of its own. */
export class Player {
  private readonly rules: ModuleRules;
  private readonly searchers = new Map<number, Searcher>();
  private solver: Solver | null = null;
  private thinking: Hourglass | null = null;

  constructor(
    private readonly code: Code,
    private readonly facts: Facts,
    private readonly kind: Kind,
  ) {
    if (!Number.isInteger(kind.level) || kind.level < 1 || kind.level > STRONGEST) throw new RangeError(`level: ${kind.level} is not in 1…${STRONGEST}`);
    if (!Number.isInteger(kind.megabytes) || kind.megabytes < 8 || kind.megabytes > 2048) throw new RangeError(`megabytes: ${kind.megabytes} is not in 8…2048`);
    if (kind.seed < 0n) throw new RangeError(`seed: ${kind.seed} is not a whole number from 0 on`);
    this.rules = new ModuleRules(code, facts);
  }

  /** The action this player takes. `seconds` limits the thinking; without it the level's own amount of work does. */
  async choose(seen: Seen, seconds: number | null = null): Promise<number> {
    const legal = this.legal(seen);
    const [only] = legal;
    if (legal.length === 1 && only !== undefined) return only;
    let level = this.level(this.rules.seats(seen.record));
    if (this.kind.level === STRONGEST && seconds !== null) level = { ...level, nodes: PLENTY }; // the strongest uses all the time it is given
    if (this.kind.nodes !== undefined) level = { ...level, nodes: this.kind.nodes, seconds: AS_LONG_AS_IT_TAKES };
    const limit = seconds ?? level.seconds;
    let last: SearchResult | null = null;
    for await (const result of this.think(seen, level, Math.max(limit - REFLEX, limit * 0.9), level.softness > 0 ? -1 : 0, false)) last = result;
    if (!last) throw new Error("the search has found no action");
    return this.pick(last, level, seen);
  }

  /** Better and better analyses of a position, as deep as the time allows. lines: 0 for the exact value of every action, 1 where the best will do. */
  async *analyse(seen: Seen, seconds: number | null = null, lines = 0): AsyncGenerator<SearchResult, void> {
    this.legal(seen);
    yield* this.think(seen, { nodes: this.kind.nodes ?? PLENTY, depth: 64, softness: 0, seconds: 0 }, seconds, lines === 0 ? -1 : 0, true);
  }

  /** The exact value of every action of an open position; null where the game does not know it, or it takes too long. */
  async solve(open: Uint8Array, seconds: number | null): Promise<SearchResult | null> {
    if (!this.facts.solveRoom) return null;
    this.solver ??= new Solver(new Machine(this.code), this.facts);
    const time = this.begin(seconds);
    try {
      return await this.solver.solve(open, time);
    } finally {
      this.thinking = null;
    }
  }

  /** End the thinking: `choose` answers with the best action found so far. */
  stop(): void {
    if (this.thinking) this.thinking.stopped = true;
  }

  private async *think(seen: Seen, level: Level, seconds: number | null, window: number, patient: boolean): AsyncGenerator<SearchResult, void> {
    const time = this.begin(seconds);
    try {
      const searcher = this.searcher(this.rules.seats(seen.record));
      yield* searcher.think({ record: seen.record, time, nodes: level.nodes, depth: level.depth, window, seed: this.stream(seen), patient });
    } finally {
      this.thinking = null;
    }
  }

  private begin(seconds: number | null): Hourglass {
    if (this.thinking) throw new Error("this player is thinking already");
    this.thinking = new Hourglass(seconds);
    return this.thinking;
  }

  private legal(seen: Seen): number[] {
    if (this.rules.mover(seen.record) < 0) throw new Error("no seat is to act here: there is nothing to choose");
    return this.rules.legal(seen.record);
  }

  private level(seats: number): Level {
    const level = this.facts.players[seats]?.levels[this.kind.level - 1];
    if (!level) throw new Error(`there is no level ${this.kind.level} for ${seats} seats`);
    return level;
  }

  private searcher(seats: number): Searcher {
    const known = this.searchers.get(seats);
    if (known) return known;
    const made = makeSearcher(new Machine(this.code), this.facts, seats, this.kind.megabytes);
    this.searchers.set(seats, made);
    return made;
  }

  /** A number that follows from the seed and from what the seat to act may know, and from nothing else. */
  private stream(seen: Seen): bigint {
    return deriveAt(this.kind.seed, seen.text);
  }

  /** The best action; a weaker level may take one that looked nearly as good to it. */
  private pick({ values }: SearchResult, { softness }: Level, seen: Seen): number {
    const [best = -1] = values.keys();
    const heat = softness * this.facts.scale;
    const top = Math.max(...values.values());
    if (heat <= 0 || top > SURE) return best; // whoever sees a sure win takes the shortest way to it
    const near = [...values].filter(([, value]) => top - value <= 3 * heat).map(([action, value]) => [action, this.rules.exp((value - top) / heat)] as const);
    let point = (Number(rng(this.stream(seen), 9n)[0]) / 2 ** 32) * near.reduce((all, [, weight]) => all + weight, 0);
    for (const [action, weight] of near) {
      point -= weight;
      if (point <= 0) return action;
    }
    return best;
  }
}

/** The search that fits a game, with its memory. */
export function makeSearcher(machine: Machine, facts: Facts, seats: number, megabytes: number): Searcher {
  const kind = facts.players[seats]?.search;
  if (kind === "hidden") return new HiddenSearch(machine, facts, megabytes);
  return kind === "alphabeta" ? new Deepening(machine, facts, megabytes) : new TreeSearch(machine, facts, megabytes);
}
