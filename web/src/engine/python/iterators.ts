// What goes through things one by one, once; and ranges, which can be gone through again.

import { inside, type Slice } from "./arrays";
import { type Any, type Callable, iter, list, options, StopIteration, type Tuple, truth, tuple_, ValueError, whole } from "./values";

export class Range {
  readonly length: number;
  constructor(
    readonly from: bigint,
    readonly to: bigint,
    readonly step: bigint,
  ) {
    if (step === 0n) throw ValueError("range() arg 3 must not be zero");
    const [way, stride] = step > 0n ? [to - from, step] : [from - to, -step];
    this.length = way > 0n ? Number((way + stride - 1n) / stride) : 0;
  }
  at(index: Any): bigint {
    return this.from + BigInt(inside(index, this.length)) * this.step;
  }
  part(cut: Slice): Range {
    const [from, to, step] = cut.within(this.length);
    const place = (at: number) => this.from + BigInt(at) * this.step;
    return new Range(place(from), place(to), this.step * BigInt(step));
  }
  has(what: Any): boolean {
    const number = typeof what === "number" && Number.isInteger(what) ? BigInt(what) : whole(what);
    if (typeof number !== "bigint" || (number - this.from) % this.step) return false;
    const place = (number - this.from) / this.step;
    return place >= 0n && place < BigInt(this.length);
  }
  index(what: Any): bigint {
    if (!this.has(what)) throw ValueError(`${what} is not in range`);
    return (whole(what) - this.from) / this.step;
  }
  count(what: Any): bigint {
    return this.has(what) ? 1n : 0n;
  }
  *[Symbol.iterator](): Iterator<bigint> {
    for (let i = this.from; this.step > 0n ? i < this.to : i > this.to; i += this.step) yield i;
  }
}

export const range = (...given: Any[]): Range =>
  given.length === 1 ? new Range(0n, whole(given[0]), 1n) : new Range(whole(given[0]), whole(given[1]), whole(given[2] ?? 1n));

/** `iter(…)`: what is left of something. */
export const iterator = (items: Any): Any => (iter(items) as Any)[Symbol.iterator]();

export function* enumerate(items: Any, first: bigint = 0n): Iterable<Tuple> {
  let n = first;
  for (const item of iter(items)) yield tuple_([n++, item]);
}

export function zip(...given: Any[]): Iterable<Tuple> {
  const { strict = false } = options(given);
  return zipped(given.map(iterator), strict);
}

(zip as Callable).options = true;

function* zipped(lists: Any[], strict: boolean): Iterable<Tuple> {
  while (lists.length) {
    const row: Any[] = [];
    for (const one of lists) {
      const { value, done } = one.next();
      if (done) {
        if (strict && (row.length || lists.slice(1).some((other) => !other.next().done))) throw ValueError("zip() arguments have different lengths");
        return;
      }
      row.push(value);
    }
    yield tuple_(row);
  }
}

export function* map(done: Callable, ...lists: Any[]): Iterable<Any> {
  for (const row of zip(...lists)) yield done(...row);
}

export function* filter(wanted: Callable | null, items: Any): Iterable<Any> {
  for (const item of iter(items)) if (truth(wanted ? wanted(item) : item)) yield item;
}

export const reversed = (items: Any): Any => iterator(list(items).reverse());

export function* pairwise(items: Any): Iterable<Tuple> {
  let before: Any;
  let first = true;
  for (const item of iter(items)) {
    if (!first) yield tuple_([before, item]);
    [before, first] = [item, false];
  }
}

export function next(items: Any, otherwise?: Any): Any {
  const step = items.next();
  if (!step.done) return step.value;
  if (otherwise === undefined) throw StopIteration();
  return otherwise;
}
