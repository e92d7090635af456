// A game's WebAssembly module (hanpan.engine makes it): its rules, on records, and the compiled loops of its computer players.

import type { Rules } from "./contract";

/** A level of the computer players; see core/level.py. */
export interface Level {
  nodes: number;
  depth: number;
  softness: number;
  seconds: number;
}

/** What one has to know beside a module: hanpan.engine.facts. */
export interface Facts {
  name: string;
  record: number;
  actions: number;
  mostLegal: number;
  mostSeats: number;
  sides: number[];
  hides: boolean;
  scale: number;
  room: number[];
  /** What the module's `solve` writes on; null: it has none. */
  solveRoom: number[][] | null;
  /** By the number of seats. */
  players: Record<string, { search: "hidden" | "alphabeta" | "tree"; levels: Level[] }>;
}

/** An array, or a record, in a machine's memory: where it begins, and its extents. */
export interface Block {
  readonly at: number;
  readonly shape: readonly number[];
}

type Given = Block | number;
type Told = Record<string, { takes: string[]; gives: string | string[] }>;

const NOTE = "hanpan";
const PAGE = 1 << 16;
const ALIGNED = 16;
const MOST_GIVEN = 8; // numbers that a rule gives back together

/** A module, compiled, with its own note of how its rules are called. */
export class Code {
  private constructor(
    readonly module: WebAssembly.Module,
    readonly told: Told,
  ) {}

  static async load(source: BufferSource | WebAssembly.Module): Promise<Code> {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const [note] = WebAssembly.Module.customSections(module, NOTE);
    if (!note) throw new Error("this WebAssembly module is none of a game: it has no note of its rules");
    return new Code(module, JSON.parse(new TextDecoder().decode(note)));
  }
}

/** A module with a memory of its own. */
export class Machine {
  private readonly exports: WebAssembly.Exports;
  private readonly memory: WebAssembly.Memory;
  private readonly answer: Block;
  private free: number;

  constructor(private readonly code: Code) {
    this.exports = new WebAssembly.Instance(code.module).exports;
    this.memory = this.exports.memory as WebAssembly.Memory;
    this.free = (this.exports.heap as WebAssembly.Global).value;
    this.answer = this.room([MOST_GIVEN], 8);
  }

  /** Memory for so many items of so many bytes, zero. What was looked at through arrays of JavaScript has to be looked at anew afterwards. */
  room(shape: readonly number[], bytes: number): Block {
    const at = this.free;
    this.free = Math.ceil((at + shape.reduce((all, extent) => all * extent, bytes)) / ALIGNED) * ALIGNED;
    const lacking = Math.ceil((this.free - this.memory.buffer.byteLength) / PAGE);
    if (lacking > 0) this.memory.grow(lacking);
    return { at, shape };
  }

  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  ints(block: Block): Int32Array {
    return new Int32Array(this.memory.buffer, block.at, size(block));
  }

  longs(block: Block): BigInt64Array {
    return new BigInt64Array(this.memory.buffer, block.at, size(block));
  }

  view(): DataView {
    return new DataView(this.memory.buffer);
  }

  /** A rule, to be called with numbers and blocks as Python calls it with numbers and arrays; `many` is one that gives several numbers. */
  rule(name: string): (...given: Given[]) => number {
    const { call } = this.found(name);
    return (...given) => Number(call(given));
  }

  many(name: string): (...given: Given[]) => number[] {
    const { call, gives } = this.found(name);
    return (...given) => {
      call(given, this.answer.at);
      return Array.from(this.longs(this.answer).subarray(0, gives.length), Number);
    };
  }

  private found(name: string) {
    const told = this.code.told[name];
    if (!told) throw new Error(`this module has no rule ${name}`);
    const exported = this.exports[name] as (...given: (number | bigint)[]) => unknown;
    const call = (given: Given[], ...more: number[]) => {
      if (given.length !== told.takes.length) throw new Error(`${name} takes ${told.takes.length} arguments, not ${given.length}`);
      return exported(...given.flatMap((each, i) => handed(told.takes[i] ?? "", each)), ...more);
    };
    return { call, gives: told.gives };
  }
}

function handed(kind: string, given: Given): (number | bigint)[] {
  if (typeof given === "number") return [kind === "int" ? BigInt(given) : given];
  return kind === "record" ? [given.at] : [given.at, ...given.shape];
}

export const size = (block: Block): number => block.shape.reduce((all, extent) => all * extent, 1);

/** The one record of a block of records that stands at place i. */
export const nth = (block: Block, bytes: number, i: number): Block => ({ at: block.at + i * bytes, shape: [1] });

/** The rules of a module. A game that neither hides nor draws has the others of these, too. */
export class ModuleRules implements Rules {
  private readonly machine: Machine;
  private readonly record: Block;
  private readonly out: Block;
  private readonly points: Block;
  private readonly dice: Block;
  private readonly rules: Record<string, (...given: Given[]) => number> = {};
  readonly exp: (x: number) => number;

  constructor(
    code: Code,
    private readonly facts: Facts,
  ) {
    this.machine = new Machine(code);
    this.record = this.machine.room([1], facts.record);
    this.out = this.machine.room([facts.mostLegal], 4);
    this.points = this.machine.room([facts.mostSeats], 4);
    this.dice = this.machine.room([3], 8);
    for (const name of ["start", "seats", "mover_of", "legal_of", "apply_to", "outcome_of", "outcome_among", "forced", "hide", "chance", "imagine"]) {
      this.rules[name] = this.machine.rule(name);
    }
    this.exp = this.machine.rule("exp");
  }

  start(codes: readonly number[]): Uint8Array {
    this.lay(new Uint8Array(this.facts.record));
    this.call("start", ...codes);
    return this.taken();
  }

  seats(record: Uint8Array): number {
    return this.on(record).call("seats");
  }

  mover(record: Uint8Array): number {
    return this.on(record).call("mover_of");
  }

  legal(record: Uint8Array): number[] {
    const count = this.on(record).call("legal_of", this.out);
    return Array.from(this.machine.ints(this.out).subarray(0, count));
  }

  apply(record: Uint8Array, action: number): Uint8Array {
    this.on(record).call("apply_to", action);
    return this.taken();
  }

  outcome(record: Uint8Array): { scores: number[]; winners: number } {
    const winners = this.on(record).call("outcome_of", this.points);
    return { scores: Array.from(this.machine.ints(this.points)).slice(0, this.seats(record)), winners };
  }

  outcomeAmong(record: Uint8Array, seats: number): number {
    return this.on(record).call("outcome_among", seats, this.points);
  }

  forced(record: Uint8Array, dice: BigInt64Array): number {
    return this.drawing(record, dice, () => this.call("forced", this.dice));
  }

  hide(record: Uint8Array, viewer: number): Uint8Array {
    this.on(record).call("hide", viewer);
    return this.taken();
  }

  chance(record: Uint8Array, dice: BigInt64Array): Uint8Array {
    this.drawing(record, dice, () => this.call("chance", this.dice));
    return this.taken();
  }

  imagine(record: Uint8Array, viewer: number, dice: BigInt64Array): Uint8Array {
    this.drawing(record, dice, () => this.call("imagine", viewer, this.dice));
    return this.taken();
  }

  private drawing(record: Uint8Array, dice: BigInt64Array, draw: () => number): number {
    this.lay(record);
    this.machine.longs(this.dice).set(dice);
    const drawn = draw();
    dice.set(this.machine.longs(this.dice));
    return drawn;
  }

  private on(record: Uint8Array): this {
    this.lay(record);
    return this;
  }

  private lay(record: Uint8Array): void {
    if (record.length !== this.facts.record) throw new Error(`a position of this game has ${this.facts.record} bytes, not ${record.length}`);
    this.machine.bytes(this.record.at, this.facts.record).set(record);
  }

  private taken(): Uint8Array {
    return this.machine.bytes(this.record.at, this.facts.record).slice();
  }

  private call(name: string, ...more: Given[]): number {
    const rule = this.rules[name];
    if (!rule) throw new Error(`this module has no rule ${name}`);
    return rule(this.record, ...more);
  }
}
