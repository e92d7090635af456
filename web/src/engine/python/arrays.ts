// NumPy's arrays of whole numbers and its records: bytes, laid out as NumPy lays them out.

import { type Any, IndexError, int_, list, sequence, type Tuple, truth, tuple_, ValueError, whole } from "./values";

export class Slice {
  constructor(
    readonly from: Any,
    readonly to: Any,
    readonly step: Any,
  ) {}
  /** Where it begins and ends and how it goes on, in something so long. */
  within(length: number): [number, number, number] {
    const step = this.step === null ? 1 : Number(this.step);
    const place = (given: Any, otherwise: number) => {
      if (given === null) return otherwise;
      const counted = Number(given) < 0 ? Number(given) + length : Number(given);
      return step > 0 ? Math.min(Math.max(counted, 0), length) : Math.min(Math.max(counted, -1), length - 1);
    };
    return [place(this.from, step > 0 ? 0 : length - 1), place(this.to, step > 0 ? length : -1), step];
  }
}

const EVERYTHING = new Slice(null, null, null);
export const slice = (from: Any, to: Any, step: Any): Slice => new Slice(from, to, step);

export function inside(index: Any, length: number): number {
  if (typeof index !== "bigint" && typeof index !== "boolean") throw new TypeError("an index is a whole number");
  const counted = Number(whole(index));
  const place = counted < 0 ? counted + length : counted;
  if (!(place >= 0 && place < length)) throw IndexError("list index out of range");
  return place;
}

const SIZES: Record<string, number> = { i1: 1, u1: 1, i2: 2, u2: 2, i4: 4, u4: 4, i8: 8, u8: 8 };

function read(view: DataView, kind: string, place: number): bigint {
  switch (kind) {
    case "i1":
      return BigInt(view.getInt8(place));
    case "u1":
      return BigInt(view.getUint8(place));
    case "i2":
      return BigInt(view.getInt16(place, true));
    case "u2":
      return BigInt(view.getUint16(place, true));
    case "i4":
      return BigInt(view.getInt32(place, true));
    case "u4":
      return BigInt(view.getUint32(place, true));
    case "i8":
      return view.getBigInt64(place, true);
    default:
      return view.getBigUint64(place, true);
  }
}

function write(view: DataView, kind: string, place: number, value: Any): void {
  const given = int_(value);
  const bits = 8 * (SIZES[kind] ?? 8);
  const number = kind[0] === "i" ? BigInt.asIntN(bits, given) : BigInt.asUintN(bits, given);
  if (number !== given) throw ValueError(`${given} does not fit into ${bits} bits`);
  if (bits === 64) view.setBigInt64(place, number, true);
  else if (bits === 32) view.setInt32(place, Number(BigInt.asIntN(32, number)), true);
  else if (bits === 16) view.setInt16(place, Number(BigInt.asIntN(16, number)), true);
  else view.setInt8(place, Number(BigInt.asIntN(8, number)));
}

/** How far it is from one item to the next, in each direction, where all lie close together. */
function close(kind: string, extents: readonly number[]): number[] {
  const steps: number[] = [];
  let step = SIZES[kind] ?? 8;
  for (const extent of [...extents].reverse()) {
    steps.unshift(step);
    step *= extent;
  }
  return steps;
}

export class Array_ {
  constructor(
    readonly view: DataView,
    readonly kind: string,
    readonly place: number,
    readonly extents: readonly number[],
    private readonly steps: readonly number[] = close(kind, extents),
  ) {}
  get length(): number {
    return this.extents[0] ?? 0;
  }
  get size(): bigint {
    return BigInt(this.extents.reduce((product, extent) => product * extent, 1));
  }
  get shape(): Tuple {
    return tuple_(this.extents.map(BigInt));
  }
  get ndim(): bigint {
    return BigInt(this.extents.length);
  }
  /** What an index names: a part that is seen through, or one item where nothing is left of the extents. */
  private part(index: Any): Array_ {
    const parts = Array.isArray(index) ? index : [index];
    if (parts.length > this.extents.length) throw IndexError(`too many indices for array: array is ${this.extents.length}-dimensional`);
    let { place } = this;
    const extents: number[] = [];
    const steps: number[] = [];
    for (let axis = 0; axis < this.extents.length; axis++) {
      const [length, step] = [this.extents[axis] as number, this.steps[axis] as number];
      const wanted = axis < parts.length ? parts[axis] : EVERYTHING;
      if (wanted instanceof Slice) {
        const [from, to, by] = wanted.within(length);
        const count = Math.max(0, Math.ceil((to - from) / by));
        if (count) place += from * step;
        extents.push(count);
        steps.push(step * by);
      } else if (typeof wanted === "boolean") throw new TypeError("True and False pick no item out of an array: int() makes numbers of them");
      else place += inside(wanted, length) * step;
    }
    return new Array_(this.view, this.kind, place, extents, steps);
  }
  get(index: Any): Any {
    if (this.extents.length === 1 && typeof index === "bigint") {
      return read(this.view, this.kind, this.place + inside(index, this.extents[0] as number) * (this.steps[0] as number));
    }
    const part = this.part(index);
    return part.extents.length ? part : read(this.view, this.kind, part.place);
  }
  put(index: Any, value: Any): void {
    const part = this.part(index);
    if (part.extents.length) part.fill(value);
    else write(this.view, this.kind, part.place, value);
  }
  /** One value everywhere, or one for each item, or one for each item of the last extents. */
  fill(value: Any): null {
    this.lay(value instanceof Array_ ? value.tolist() : sequence(value) ? list(value) : value);
    return null;
  }
  private lay(value: Any): void {
    const many = Array.isArray(value) && depth(value) >= this.extents.length;
    if (many && value.length !== this.length && value.length !== 1) {
      throw ValueError(`could not broadcast input array from shape (${value.length},) into shape (${this.extents.join(",")},)`);
    }
    for (let i = 0; i < this.length; i++) {
      const one = many ? value[value.length === 1 ? 0 : i] : value;
      if (this.extents.length > 1) this.part(BigInt(i)).lay(one);
      else write(this.view, this.kind, this.place + i * (this.steps[0] as number), one);
    }
  }
  tolist(): Any[] {
    return [...this].map((item) => (item instanceof Array_ ? item.tolist() : item));
  }
  private items(): bigint[] {
    return this.tolist().flat(Number.POSITIVE_INFINITY);
  }
  copy(): Array_ {
    return array(this.kind, [...this.extents], this.items());
  }
  tobytes(): Bytes {
    const { view } = this.copy();
    return new Bytes(new Uint8Array(view.buffer));
  }
  any(): boolean {
    return this.items().some(truth);
  }
  all(): boolean {
    return this.items().every(truth);
  }
  sum(): bigint {
    return this.items().reduce((total, item) => total + item, 0n);
  }
  max(): bigint {
    return this.items().reduce((most, item) => (item > most ? item : most));
  }
  min(): bigint {
    return this.items().reduce((least, item) => (item < least ? item : least));
  }
  *[Symbol.iterator](): Iterator<Any> {
    for (let i = 0; i < this.length; i++) yield this.get(BigInt(i));
  }
}

const depth = (value: Any): number => (Array.isArray(value) ? 1 + depth(value[0]) : 0);

export class Bytes {
  constructor(readonly items: Uint8Array) {}
  get length(): number {
    return this.items.length;
  }
  translate(table: Bytes): Bytes {
    return new Bytes(this.items.map((item) => table.items[item] ?? 0));
  }
  decode(): string {
    return new TextDecoder().decode(this.items);
  }
}

export const bytes = (items: number[]): Bytes => new Bytes(Uint8Array.from(items));

/** An array of NumPy's with these numbers, one after the other. */
export function array(kind: string, extents: number[], numbers: (number | bigint)[]): Array_ {
  const made = new Array_(new DataView(new ArrayBuffer((SIZES[kind] ?? 8) * numbers.length)), kind, 0, [numbers.length]);
  numbers.forEach((number, i) => {
    made.put(BigInt(i), BigInt(number));
  });
  return new Array_(made.view, kind, 0, extents);
}

/** A record: its bytes, and each field by its name. */
class Record_ {
  readonly view: DataView;
  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** Where the fields of a kind of records lie. */
export class Layout {
  private readonly made: new (
    bytes: Uint8Array,
  ) => Record_;
  constructor(
    readonly size: number,
    fields: [string, number, string, number[]][],
  ) {
    this.made = class extends Record_ {};
    for (const [name, place, kind, extents] of fields) {
      Object.defineProperty(this.made.prototype, name, {
        get(this: Record_) {
          return extents.length ? new Array_(this.view, kind, place, extents) : read(this.view, kind, place);
        },
        set(this: Record_, value: Any) {
          if (extents.length) new Array_(this.view, kind, place, extents).fill(value);
          else write(this.view, kind, place, value);
        },
      });
    }
  }
  /** A record over bytes, which it reads and writes. */
  over(bytes: Uint8Array): Any {
    return new this.made(bytes);
  }
}

export const layout = (size: number, fields: [string, number, string, number[]][]): Layout => new Layout(size, fields);

export function zeros(extents: Any, kind: string | Layout = "i8"): Any {
  const wanted = (Array.isArray(extents) ? extents : [extents]).map(Number);
  const count = wanted.reduce((product, extent) => product * extent, 1);
  if (kind instanceof Layout) return Array.from({ length: count }, () => kind.over(new Uint8Array(kind.size)));
  return new Array_(new DataView(new ArrayBuffer(count * (SIZES[kind] ?? 8))), kind, 0, wanted);
}

export function ndarray(items: Any, kind: string | Layout = "i8"): Any {
  const given = list(items);
  if (kind instanceof Layout) return given.map((record) => kind.over(record.bytes.slice()));
  const extents: number[] = [];
  let numbers: Any[] = given.map(nested);
  for (let level: Any = numbers; Array.isArray(level); level = level[0]) extents.push(level.length);
  numbers = numbers.flat(Number.POSITIVE_INFINITY);
  if (numbers.length !== extents.reduce((product, extent) => product * extent, 1)) throw ValueError("the rows of an array are equally long");
  if (numbers.some((number) => typeof number === "number")) throw new TypeError("an array here has whole numbers");
  return array(
    kind,
    extents,
    numbers.map((item) => int_(item)),
  );
}

const nested = (item: Any): Any => (sequence(item) ? list(item).map(nested) : item);
