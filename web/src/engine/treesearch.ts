// Tree search around a module's simulations: hanpan.bots.treesearch, step for step, with one tree.

import { type Block, type Facts, type Machine, nth } from "./module";
import { rng } from "./random";
import { Hourglass, highest, Pieces, points, type Searcher, type SearchResult, type Task, WIN } from "./search";

// As in bots/mcts.py.
const DEEPEST = 512;
const CONTROL = 6;
const [STOP, DONE, LIMIT, USED, , WHOLE] = [0, 1, 2, 3, 4, 5];
const [ACTION, FIRST, COUNT, PROVEN, VISITS, SHARE] = [0, 4, 8, 10, 12, 24]; // where these begin in a node

// As in bots/treesearch.py.
const AHEAD = 4;
const LOOKED_THROUGH = 100_000;
const FIRST_STEP = 64;
const LONGEST_LINE = 24;

interface Node {
  action: number;
  first: number;
  count: number;
  /** 0, or where it is proven 1 + the plies to the end. */
  proven: number;
  visits: number;
}

/** Monte-Carlo tree search with its memory. */
export class TreeSearch implements Searcher {
  private readonly pieces = new Pieces();
  private readonly nodeBytes: number;
  private readonly most: number;
  private readonly nodes: Block;
  private readonly first: Block;
  private readonly stack: Block;
  private readonly finding: (Block | number)[];
  private readonly growing: Block[];
  private readonly out: Block;
  private readonly dice: BigInt64Array;
  private readonly control: BigInt64Array;
  private readonly seen: DataView;
  private readonly grow: ReturnType<Machine["rule"]>;
  private readonly log: (x: number) => number;

  constructor(
    private readonly machine: Machine,
    private readonly facts: Facts,
    megabytes: number,
  ) {
    const [record, words] = [facts.record, facts.record / 8];
    this.nodeBytes = SHARE + 4 * facts.mostSeats;
    this.most = Math.floor((megabytes * 2 ** 20) / this.nodeBytes);
    this.nodes = machine.room([this.most], this.nodeBytes);
    this.first = machine.room([1], record);
    this.stack = machine.room([AHEAD + 1], record);
    this.out = machine.room([facts.mostLegal], 4);
    const [dice, control] = [machine.room([3], 8), machine.room([CONTROL], 8)];
    const cursor = machine.room([AHEAD + 1, 2], 8);
    const wanted = machine.room([1, words], 8);
    this.finding = [this.nodes, this.stack, { at: this.stack.at, shape: [AHEAD + 1, words] }, wanted, cursor, AHEAD, LOOKED_THROUGH];
    const [s, ranks] = [machine.room([1], record), machine.room([facts.mostLegal], 8)];
    const [scratch, shares, path] = [machine.room([facts.mostSeats], 4), machine.room([facts.mostSeats], 8), machine.room([DEEPEST, 3], 8)];
    this.growing = [this.nodes, this.first, s, this.out, ranks, scratch, shares, path, dice, control];
    this.dice = machine.longs(dice);
    this.control = machine.longs(control);
    this.seen = machine.view();
    this.grow = machine.rule("grow");
    this.log = machine.rule("log");
  }

  async *think(task: Task): AsyncGenerator<SearchResult, void> {
    this.plant(task.record, task.patient);
    const seat = this.machine.rule("mover_of")(this.first);
    for (let spent = 0, step = FIRST_STEP; ; step *= 2) {
      const share = Math.max(1, Math.min(step, task.nodes - spent));
      await this.simulate(share, task.time, rng(task.seed, BigInt(spent % 997)), spent === 0);
      spent += share;
      const result = this.result(seat, spent);
      yield result;
      if (this.control[STOP] || result.sure || spent >= task.nodes || task.time.over || (result.values.size === 1 && !task.patient)) return;
    }
  }

  /** Begin at a position, keeping what an earlier tree knows of it; whole: with every legal action, even those not worth searching. */
  private plant(record: Uint8Array, whole: boolean): void {
    const { machine, facts } = this;
    const lay = (block: Block, bytes: Uint8Array) => machine.bytes(block.at, facts.record).set(bytes);
    let kept = 0;
    if (this.control[USED]) {
      lay(this.stack, machine.bytes(this.first.at, facts.record));
      lay(this.finding[3] as Block, record);
      const at = machine.rule("find")(...this.finding);
      if (at >= 0) kept = machine.rule("keep")(this.nodes, at, Number(this.control[USED]));
    }
    lay(this.first, record);
    const root = this.node(0);
    const lacking = whole && root.first >= 0 && root.count < machine.rule("legal_of")(this.first, this.out);
    if (kept === 0 || kept > Math.floor(this.most / 2) || lacking) {
      machine.bytes(this.nodes.at, this.nodeBytes).fill(0);
      this.seen.setInt32(this.nodes.at + FIRST, -1, true);
      kept = 1;
    }
    this.control[USED] = BigInt(kept);
    this.control[STOP] = 0n;
    this.control[WHOLE] = whole ? 1n : 0n;
  }

  /** So many simulations more, in pieces; the first ones are always finished: there is an answer even without time. */
  private async simulate(simulations: number, time: Hourglass, dice: BigInt64Array, first: boolean): Promise<void> {
    this.dice.set(dice);
    this.control[DONE] = this.control[LIMIT] = 0n;
    await this.pieces.run(first ? new Hourglass(null) : time, (nodes) => {
      this.control[LIMIT] = BigInt(Math.min(Number(this.control[DONE]) + nodes, simulations));
      this.grow(...this.growing);
      return Number(this.control[DONE]) < simulations && !this.control[STOP] && !this.node(0).proven;
    });
  }

  private result(seat: number, spent: number): SearchResult {
    const root = this.node(0);
    const children = this.row(root).map((at) => {
      const child = this.node(at),
        share = child.visits ? this.share(at, seat) : 0.01;
      return { ...child, at, share, worth: this.worth(share, child.proven) };
    });
    // The most visited action is the best, unless it is proven to be worse than it looked, or another one to be better.
    const open = children.filter((child) => !child.proven);
    const bar = open[highest(open.map((child) => child.visits))]?.share ?? -1;
    const place = ({ proven, share, visits, worth }: (typeof children)[number]): [number, number] => {
      if (!proven) return [1, -visits];
      return [share > bar || share === 1 ? 0 : 2, -worth]; // a lucky guess may look like a win, too
    };
    const ranked = children.map((child) => ({ ...child, place: place(child) })).sort((one, other) => order(one.place, other.place));
    const values = new Map(ranked.map(({ action, worth }) => [action, worth]));
    const [best] = ranked;
    const chances = best?.visits ? Array.from({ length: this.facts.mostSeats }, (_, each) => this.share(best.at, each)) : undefined;
    return { values, depth: 0, nodes: spent, line: this.line(best?.action ?? -1), sure: root.proven !== 0, chances };
  }

  /** A proven win or loss in so many plies; else hundredths of a point. */
  private worth(share: number, proven: number): number {
    if (proven && share === 1) return WIN - proven;
    return proven && share === 0 ? proven - WIN : points(share, this.facts.scale, this.log);
  }

  /** How often a seat has won after a node, on average. */
  private share(place: number, seat: number): number {
    return this.seen.getFloat32(this.nodes.at + place * this.nodeBytes + SHARE + 4 * seat, true);
  }

  /** The most visited line that begins with an action. */
  private line(first: number): number[] {
    const line = [first];
    let row = this.row(this.node(0)).map((at) => this.node(at));
    row = row.filter(({ action }) => action === first);
    while (row.length && line.length < LONGEST_LINE) {
      const best = row[highest(row.map(({ visits }) => visits))];
      if (!best) break;
      if (line.length > 1 || best.action !== first) line.push(best.action);
      row = this.row(best)
        .map((at) => this.node(at))
        .filter(({ visits }) => visits > 0);
    }
    return line;
  }

  private row({ first, count }: Node): number[] {
    return first < 0 ? [] : Array.from({ length: count }, (_, i) => first + i);
  }

  private node(place: number): Node {
    const { at } = nth(this.nodes, this.nodeBytes, place);
    const seen = this.seen;
    return {
      action: seen.getInt32(at + ACTION, true),
      first: seen.getInt32(at + FIRST, true),
      count: seen.getInt16(at + COUNT, true),
      proven: seen.getInt16(at + PROVEN, true),
      visits: seen.getInt32(at + VISITS, true),
    };
  }
}

const order = (one: [number, number], other: [number, number]): number => one[0] - other[0] || one[1] - other[1];
