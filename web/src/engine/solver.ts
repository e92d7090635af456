// What every action brings where nothing is hidden, exactly: around the `solve` of a game's module.

import { type Block, type Facts, type Machine, nth } from "./module";
import { type Hourglass, rest, type SearchResult } from "./search";

const FIRST_STEP = 2 ** 15; // positions that may be met at first; what is found out stays, so that it costs little to begin anew
const LONGEST_LINE = 24;

export class Solver {
  private readonly record: Block;
  private readonly actions: Block;
  private readonly worth: Block;
  private readonly room: Block[];
  private readonly nodes: Block;

  constructor(
    private readonly machine: Machine,
    private readonly facts: Facts,
  ) {
    this.record = machine.room([1], facts.record);
    [this.actions, this.worth] = [machine.room([facts.mostLegal], 4), machine.room([facts.mostLegal], 4)];
    this.room = (facts.solveRoom ?? []).map((shape) => machine.room(shape, 8));
    this.nodes = machine.room([2], 8);
  }

  /** What an open position is worth; null where that is not known, or was not found out in time. */
  async solve(open: Uint8Array, time: Hourglass): Promise<SearchResult | null> {
    for (const block of this.room) this.machine.longs(block).fill(0n);
    this.lay(open);
    const found = await this.values(time);
    if (!found) return null;
    const [first] = found.values.keys();
    return { ...found, line: first === undefined ? [] : await this.line(first, time), depth: 0, sure: true };
  }

  private lay(record: Uint8Array): void {
    this.machine.bytes(this.record.at, this.facts.record).set(record);
  }

  private async values(time: Hourglass): Promise<{ values: Map<number, number>; nodes: number } | null> {
    const solve = this.machine.rule("solve");
    const counted = this.machine.longs(this.nodes);
    let spent = 0;
    for (let most = FIRST_STEP; ; most *= 2) {
      counted.set([0n, BigInt(most)]);
      const n = solve(nth(this.record, this.facts.record, 0), this.actions, this.worth, ...this.room, this.nodes);
      spent += Number(counted[0]);
      if (n > 0) {
        const [actions, worth] = [this.machine.ints(this.actions), this.machine.ints(this.worth)];
        const ranked = Array.from({ length: n }, (_, i) => [actions[i] ?? -1, 100 * (worth[i] ?? 0)] as const).sort((one, other) => other[1] - one[1]);
        return { values: new Map(ranked), nodes: spent };
      }
      await rest();
      if (n === 0 || time.over) return null;
    }
  }

  /** How it goes on when everyone plays the best. */
  private async line(first: number, time: Hourglass): Promise<number[]> {
    const line = [first];
    const [apply, mover] = [this.machine.rule("apply_to"), this.machine.rule("mover_of")];
    while (line.length < LONGEST_LINE) {
      const at = nth(this.record, this.facts.record, 0);
      apply(at, line[line.length - 1] ?? -1);
      const next = mover(at) < 0 ? null : await this.values(time);
      const [best] = next?.values.keys() ?? [];
      if (best === undefined) break;
      line.push(best);
    }
    return line;
  }
}
