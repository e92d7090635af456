// Iterative deepening around a module's alpha-beta: hanpan.bots.deepening, step for step.

import { CHANCE, OVER } from "./contract";
import { type Block, type Facts, type Machine, nth } from "./module";
import { rng } from "./random";
import { Hourglass, highest, Pieces, type Searcher, type SearchResult, type Task, WIN } from "./search";

// As in bots/alphabeta.py.
export const SURE = 990_000;
const DEEPEST = 96;
const FRAME = 15;
const CONTROL = 13;
const [STOP, NODES, LIMIT, PROVEN, PAUSE] = [0, 1, 2, 3, 4];
const PAUSED = 2;

const BYTES_AN_ENTRY = 16;
const ENDLESS = 2 ** 62;
const LONGEST_LINE = 24;

/** An alpha-beta searcher with its memory: one position after another, keeping what it learnt. */
export class Deepening implements Searcher {
  private readonly pieces = new Pieces();
  private readonly stack: Block;
  private readonly words: Block;
  private readonly table: Block;
  private readonly roots: Block;
  private readonly out: Block;
  private readonly dice: Block;
  private readonly arguments: Block[];
  // What is looked at from outside the module.
  private readonly control: BigInt64Array;
  private readonly found: BigInt64Array;
  private readonly history: BigInt64Array;
  private readonly killers: BigInt64Array;
  private readonly search: ReturnType<Machine["rule"]>;
  private readonly recall: ReturnType<Machine["many"]>;
  private readonly legal: ReturnType<Machine["rule"]>;
  private readonly apply: ReturnType<Machine["rule"]>;
  private readonly mover: ReturnType<Machine["rule"]>;

  constructor(
    private readonly machine: Machine,
    private readonly facts: Facts,
    megabytes: number,
  ) {
    const rows = DEEPEST + 2;
    const room = (...shape: number[]) => machine.room(shape, 8);
    this.stack = machine.room([rows], facts.record);
    this.words = { at: this.stack.at, shape: [rows, facts.record / 8] };
    this.table = machine.room([2 ** Math.floor(Math.log2((Math.max(1, megabytes) * 2 ** 20) / BYTES_AN_ENTRY)), 2], 8);
    this.roots = machine.room([facts.mostLegal], 4);
    this.out = machine.room([facts.mostLegal], 4);
    this.dice = room(3);
    const lists = machine.room([rows, facts.mostLegal], 4);
    const scratch = machine.room([facts.mostSeats], 4);
    const history = room(2, facts.actions);
    const killers = room(rows, 2);
    const control = room(CONTROL);
    const found = room(facts.mostLegal);
    const [ranks, frames, own] = [room(rows, facts.mostLegal), room(rows, FRAME), room(...facts.room)];
    this.arguments = [this.stack, this.words, lists, ranks, frames, this.table, history, killers, control, scratch, own, this.roots, found];
    this.control = machine.longs(control);
    this.found = machine.longs(found);
    this.history = machine.longs(history);
    this.killers = machine.longs(killers);
    this.search = machine.rule("search_root");
    this.recall = machine.many("recall");
    this.legal = machine.rule("legal_of");
    this.apply = machine.rule("apply_to");
    this.mover = machine.rule("mover_of");
  }

  async *think(task: Task): AsyncGenerator<SearchResult, void> {
    this.history.forEach((used, i) => {
      if (used) this.history[i] = used >> 3n;
    });
    this.killers.fill(-1n);
    this.machine.bytes(this.stack.at, this.facts.record).set(task.record);
    const every = this.legal(this.at(0), this.roots);
    const n = task.patient ? every : this.machine.rule("prune")(this.at(0), this.roots, every, task.depth);
    this.machine.longs(this.dice).set(rng(task.seed));
    this.machine.rule("shuffle")(this.dice, this.roots, n); // equal actions are tried in an order of this player's own
    const known = task.patient ? null : this.knownWin(n);
    if (known) yield known;
    else yield* this.deepen(n, every, task);
  }

  private async *deepen(n: number, every: number, task: Task): AsyncGenerator<SearchResult, void> {
    let spent = 0;
    let last: SearchResult | null = null;
    const deepest = this.chanceIsNext(n) ? 1 : Math.min(task.depth, DEEPEST - 2);
    for (let deep = 1; deep <= deepest; deep++) {
      const done = await this.run(n, deep, task, deep === 1 ? ENDLESS : Math.max(1, task.nodes - spent));
      spent += Number(this.control[NODES]);
      const roots = Array.from(this.machine.ints(this.roots).subarray(0, n));
      if (done < n) {
        if (last) yield this.stopped(last, roots, done, deep, spent, task.patient);
        return;
      }
      const found = Array.from(this.found.subarray(0, n), Number);
      const ranked = roots.map((action, i) => [action, found[i] ?? 0] as const).sort((one, other) => other[1] - one[1]);
      this.machine.ints(this.roots).set(ranked.map(([action]) => action));
      const [best, top] = ranked[0] ?? [-1, 0];
      const proven = n === every && this.control[PROVEN] !== 0n;
      const sure = proven || top > SURE || (n === every && top < -SURE);
      last = { values: new Map(ranked), depth: deep, nodes: spent, line: this.line(best, task.patient), sure };
      yield last;
      // Any proof will do for whoever only has to play; others may want the shortest.
      const seen = proven || (sure && (!task.patient || WIN - Math.abs(top) <= deep));
      if (seen || (n === 1 && !task.patient) || spent >= task.nodes || task.time.over) return;
    }
  }

  /** What is known when a depth was not finished: the last one's result, unless something better was found so far. */
  private stopped(last: SearchResult, roots: number[], done: number, depth: number, nodes: number, patient: boolean): SearchResult {
    const found = new Map(roots.slice(0, done).map((action, i) => [action, Number(this.found[i])]));
    const best = roots[highest([...found.values()])],
      top = found.get(best ?? -1);
    if (best === undefined || top === undefined || best === last.values.keys().next().value) return { ...last, nodes };
    // What no one looked at again was not found to be better.
    const newest = [...last.values].map(([action, value]) => [action, found.get(action) ?? Math.min(value, top)] as const);
    const ranked = newest.sort(([one, first], [other, second]) => Number(one !== best) - Number(other !== best) || second - first);
    return { values: new Map(ranked), depth, nodes, line: this.line(best, patient), sure: top > SURE };
  }

  /** Whether chance is to act after each of the first n root actions: a search ends there, however deep it is said to be. */
  private chanceIsNext(n: number): boolean {
    return this.machine
      .ints(this.roots)
      .slice(0, n)
      .every((action) => {
        this.play(0, action);
        return this.mover(this.at(1)) === CHANCE;
      });
  }

  /** Search to a depth, in pieces; how many actions were finished. The first ply is always finished: there is an answer even without time. */
  private async run(n: number, depth: number, task: Task, limit: number): Promise<number> {
    this.control.fill(0n);
    this.control[LIMIT] = BigInt(limit);
    let done = 0;
    const time = depth === 1 ? new Hourglass(null) : task.time;
    await this.pieces.run(time, (nodes) => {
      this.control[STOP] = 0n;
      this.control[PAUSE] = (this.control[NODES] ?? 0n) + BigInt(nodes);
      done = this.search(...this.arguments, n, depth, task.window);
      return this.control[STOP] === BigInt(PAUSED);
    });
    return done;
  }

  /** A win that is known without a search: what the last search saw of it is followed. */
  private knownWin(n: number): SearchResult | null {
    let [action = -1, plies = 0, ends = 0] = this.recall(this.stack, this.words, 0, this.table);
    if (ends > 0 && (plies === 0 || ends < plies)) [action, plies] = [this.certain(n, ends), ends];
    if (plies <= 0 || !this.machine.ints(this.roots).subarray(0, n).includes(action)) return null;
    return { values: new Map([[action, WIN - plies]]), depth: 0, nodes: 0, line: [action], sure: true };
  }

  /** The action that wins in so many plies, where that is plain to see; −1 if there is none. */
  private certain(n: number, plies: number): number {
    for (const action of this.machine.ints(this.roots).slice(0, n)) {
      this.play(0, action);
      const ends = this.recall(this.stack, this.words, 1, this.table)[2];
      if (ends === 1 - plies && (plies > 1 || this.mover(this.at(1)) === OVER)) return action;
    }
    return -1;
  }

  /** The best line that the table remembers, for who has the patience to hear it. */
  private line(first: number, patient: boolean): number[] {
    const line = [first];
    if (!patient) return line;
    this.play(0, first);
    for (let at = 1; at < LONGEST_LINE && this.mover(this.at(at)) >= 0; at++) {
      const action = this.recall(this.stack, this.words, at, this.table)[0] ?? -1;
      const count = this.legal(this.at(at), this.out);
      if (!this.machine.ints(this.out).subarray(0, count).includes(action)) break;
      line.push(action);
      this.play(at, action);
    }
    return line;
  }

  private play(ply: number, action: number): void {
    const bytes = this.facts.record;
    this.machine.bytes(this.at(ply + 1).at, bytes).set(this.machine.bytes(this.at(ply).at, bytes));
    this.apply(this.at(ply + 1), action);
  }

  private at(ply: number): Block {
    return nth(this.stack, this.facts.record, ply);
  }
}
