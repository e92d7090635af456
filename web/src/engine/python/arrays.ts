// NumPy's arrays of whole numbers and its records: bytes, laid out as NumPy lays them out.

import { type Any, IndexError, int_, list, truth, ValueError, whole } from "./values";

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

export const slice = (from: Any, to: Any, step: Any): Slice => new Slice(from, to, step);

export function inside(index: Any, length: number): number {
  const counted = Number(whole(index));
  const place = counted < 0 ? counted + length : counted;
  if (!(place >= 0 && place < length)) throw IndexError(`${counted} is not in 0…${length - 1}`);
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

export class Array_ {
  constructor(
    readonly view: DataView,
    readonly kind: string,
    readonly place: number,
    readonly extents: readonly number[],
  ) {}
  get length(): number {
    return this.extents[0] ?? 0;
  }
  get size(): bigint {
    return BigInt(this.extents.reduce((product, extent) => product * extent, 1));
  }
  get shape(): bigint[] {
    return this.extents.map(BigInt);
  }
  /** The bytes from one item of the first extent to the next. */
  private get stride(): number {
    return this.extents.slice(1).reduce((product, extent) => product * extent, SIZES[this.kind] ?? 8);
  }
  private rest(from: number, count: number): Array_ {
    return new Array_(this.view, this.kind, this.place + from * this.stride, [count, ...this.extents.slice(1)]);
  }
  get(index: Any): Any {
    if (Array.isArray(index)) return index.reduce((found, part) => found.get(part), this);
    if (index instanceof Slice) {
      const [from, to, step] = index.within(this.length);
      if (step !== 1) throw ValueError("an array is cut in whole pieces only");
      return this.rest(from, Math.max(0, to - from));
    }
    const place = inside(index, this.length);
    if (this.extents.length > 1) return new Array_(this.view, this.kind, this.place + place * this.stride, this.extents.slice(1));
    return read(this.view, this.kind, this.place + place * this.stride);
  }
  put(index: Any, value: Any): void {
    if (Array.isArray(index) && index.length > 1) return this.get(index[0]).put(index.length === 2 ? index[1] : index.slice(1), value);
    const one = Array.isArray(index) ? index[0] : index;
    if (one instanceof Slice) {
      const part = this.get(one);
      for (let i = 0; i < part.length; i++) part.put(BigInt(i), Array.isArray(value) ? value[i] : value instanceof Array_ ? value.get(BigInt(i)) : value);
    } else if (this.extents.length > 1) this.get(one).put(new Slice(null, null, null), value);
    else write(this.view, this.kind, this.place + inside(one, this.length) * this.stride, value);
  }
  tolist(): Any[] {
    return [...this].map((item) => (item instanceof Array_ ? item.tolist() : item));
  }
  tobytes(): Bytes {
    return new Bytes(new Uint8Array(this.view.buffer, this.view.byteOffset + this.place, this.stride * this.length).slice());
  }
  any(): boolean {
    return this.tolist().flat().some(truth);
  }
  all(): boolean {
    return this.tolist().flat().every(truth);
  }
  sum(): bigint {
    return this.tolist()
      .flat()
      .reduce((total, item) => total + item, 0n);
  }
  *[Symbol.iterator](): Iterator<Any> {
    for (let i = 0; i < this.length; i++) yield this.get(BigInt(i));
  }
}

export class Bytes {
  constructor(readonly items: Uint8Array) {}
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
          if (extents.length) new Array_(this.view, kind, place, extents).put(new Slice(null, null, null), value);
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
  return kind instanceof Layout
    ? given.map((record) => kind.over(record.bytes.slice()))
    : array(
        kind,
        [given.length],
        given.map((item) => int_(item)),
      );
}
