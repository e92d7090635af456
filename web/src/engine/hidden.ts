// The search for games with secrets, around a module's imagined worlds: hanpan.bots.hidden, step for step, with one mind.

import type { Block, Facts, Machine } from "./module";
import { rng } from "./random";
import { type Hourglass, Pieces, points, type Searcher, type SearchResult, type Task } from "./search";

// As in bots/hidden.py.
const CONTROL = 8;
const [, DONE, LIMIT, WORLDS, WANTED, , , DEPTH] = [0, 1, 2, 3, 4, 5, 6, 7];
const LONGEST = 400;
const CAUTION = 0.05;
const POOL = 1 << 14;
const MOST_ENTRIES = 1 << 18;
const PLAYS_A_WORLD = 4;
const DOUBT = 4;
const [ENTRY_BYTES, BRANCH_BYTES] = [16, 24];
const [ACTION, VISITS, WON] = [0, 4, 16]; // where these begin in a branch
const FIRST_STEP = 64;

/** The search with its memory. */
export class HiddenSearch implements Searcher {
  private readonly imagining = new Pieces();
  private readonly playing = new Pieces();
  private readonly view: Block;
  private readonly pool: number;
  private readonly entries: Block;
  private readonly branches: Block;
  private readonly out: Block;
  private readonly gathering: [Block, ...Block[]];
  private readonly learning: Block[];
  private readonly dice: BigInt64Array;
  private readonly control: BigInt64Array;
  private readonly seen: DataView;
  private readonly log: (x: number) => number;

  constructor(
    private readonly machine: Machine,
    private readonly facts: Facts,
    megabytes: number,
  ) {
    const room = megabytes * 2 ** 20;
    const record = () => machine.room([1], facts.record);
    const numbers = (count: number) => machine.room([count], 8);
    const entries = Math.min(MOST_ENTRIES, 2 ** Math.floor(Math.log2(Math.floor(room / 8 / ENTRY_BYTES))));
    this.pool = Math.min(POOL, Math.floor(room / 8 / facts.record));
    this.view = record();
    this.entries = machine.room([entries], ENTRY_BYTES);
    this.branches = machine.room([Math.min(8 * entries, Math.floor(room / 2 / BRANCH_BYTES))], BRANCH_BYTES);
    this.out = machine.room([facts.mostLegal], 4);
    const pool = machine.room([this.pool], facts.record);
    const [past, s, seen] = [record(), record(), record()];
    const words = { at: seen.at, shape: [1, facts.record / 8] };
    const [weights, bounds, path] = [numbers(this.pool), numbers(this.pool), numbers(LONGEST)];
    const [ranks, chances, dice, control] = [numbers(facts.mostLegal), numbers(facts.mostLegal), numbers(3), numbers(CONTROL)];
    const scratch = machine.room([facts.mostSeats], 4);
    this.gathering = [this.view, pool, weights, bounds, past, this.out, ranks, dice, control];
    this.learning = [pool, bounds, s, seen, words, this.entries, this.branches, path, this.out, ranks, chances, scratch, dice, control];
    this.dice = machine.longs(dice);
    this.control = machine.longs(control);
    this.seen = machine.view();
    this.log = machine.rule("log");
  }

  async *think(task: Task): AsyncGenerator<SearchResult, void> {
    this.machine.bytes(this.view.at, this.facts.record).set(task.record);
    this.machine.bytes(this.entries.at, (this.entries.shape[0] ?? 0) * ENTRY_BYTES).fill(0); // everything is forgotten
    this.control.fill(0n);
    this.control[DEPTH] = BigInt(Math.max(1, Math.min(task.depth, LONGEST)));
    const seat = this.machine.rule("mover_of")(this.view);
    for (let spent = 0, step = FIRST_STEP; ; step = spent) {
      await this.study(seat, task.time, Math.max(1, Math.min(step, task.nodes - spent)), rng(task.seed, BigInt(spent)));
      spent += Number(this.control[DONE]);
      const result = this.result(spent);
      yield result;
      if (task.time.over || spent >= task.nodes || (result.values.size === 1 && !task.patient)) return;
    }
  }

  /** Imagine some worlds more and play so many out, in pieces: one at least. */
  private async study(seat: number, time: Hourglass, plays: number, dice: BigInt64Array): Promise<void> {
    const { control } = this;
    const [gather, learn] = [this.machine.rule("gather"), this.machine.rule("learn")];
    const [view, ...gathering] = this.gathering;
    this.dice.set(dice);
    control[DONE] = 0n;
    const wanted = Math.min(this.pool, Number(control[WORLDS]) + Math.ceil(plays / PLAYS_A_WORLD));
    await this.imagining.run(time, (worlds) => {
      control[WANTED] = BigInt(Math.min(Number(control[WORLDS]) + worlds, wanted));
      gather(view, seat, ...gathering);
      return Number(control[WORLDS]) < wanted;
    });
    await this.playing.run(time, (nodes) => {
      control[LIMIT] = BigInt(Math.min(Number(control[DONE]) + nodes, plays));
      learn(seat, ...this.learning);
      return Number(control[DONE]) < plays;
    });
  }

  private result(spent: number): SearchResult {
    const count = this.machine.rule("legal_of")(this.view, this.out);
    const actions = Array.from({ length: count }, (_, i) => {
      const at = this.branches.at + i * BRANCH_BYTES; // the turn that everything begins with is the first that was opened
      return { action: this.seen.getInt32(at + ACTION, true), visits: this.seen.getInt32(at + VISITS, true), won: this.seen.getFloat64(at + WON, true) };
    });
    const won = actions.reduce((all, each) => all + each.won, 0);
    const visits = actions.reduce((all, each) => all + each.visits, 0);
    const hope = won / Math.max(1, visits) - CAUTION;
    const ranked = actions.sort((one, other) => other.visits - one.visits);
    const values = new Map(ranked.map((each) => [each.action, points((each.won + DOUBT * hope) / (each.visits + DOUBT), this.facts.scale, this.log)]));
    return { values, depth: 0, nodes: spent, line: ranked.slice(0, 1).map((each) => each.action), sure: false };
  }
}
