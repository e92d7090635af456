// The functions that Python brings.

import { add, lt } from "./operators";
import { type Any, type Callable, Dict, int_, iter, key, list, StopIteration, str, truth, ValueError, whole } from "./values";

/** A call with some arguments by name. */
export function named(called: Callable, given: Any[], by: Record<string, Any>): Any {
  if (!called.takes) return called(...given, by);
  const left = new Dict([]);
  const places = [...given];
  for (const [name, value] of Object.entries(by)) {
    const place = called.takes.indexOf(name);
    if (place >= 0) places[place] = value;
    else if (called.rest) left.set(name, value);
    else throw new TypeError(`no parameter ${name}`);
  }
  if (called.rest) places[called.takes.length] = left;
  return called(...places);
}

/** A function that remembers its answers. */
export function cache(called: Callable): Callable {
  const known = new Map<Any, Any>();
  const made = (...given: Any[]): Any => {
    const asked = given.length === 1 ? key(given[0]) : given.join();
    if (!known.has(asked)) known.set(asked, called(...given));
    return known.get(asked);
  };
  return Object.assign(made, { takes: called.takes });
}

/** The interpreted twin of a rule: here there is one way to run it. */
export const plain = (rule: Callable): Callable => rule;
export const len = (value: Any): bigint => BigInt(value.length);
export const abs = (value: Any): Any => (whole(value) < 0 ? -whole(value) : whole(value));
export const bool = (value: Any = false): boolean => truth(value);
export const bitCount = (value: bigint): bigint => BigInt(value.toString(2).replace(/[^1]/g, "").length);

export function any(items: Any): boolean {
  for (const item of iter(items)) if (truth(item)) return true;
  return false;
}

export function all(items: Any): boolean {
  for (const item of iter(items)) if (!truth(item)) return false;
  return true;
}

export const float_ = (value: Any): number => Number(whole(value));

export function* enumerate(items: Any, first: bigint = 0n): Iterable<[bigint, Any]> {
  let n = first;
  for (const item of iter(items)) yield [n++, item];
}

export function* range(...given: Any[]): Iterable<bigint> {
  const [from, to, step] = given.length === 1 ? [0n, whole(given[0]), 1n] : [whole(given[0]), whole(given[1]), given[2] ?? 1n];
  for (let i = from; step > 0n ? i < to : i > to; i += step) yield i;
}

export function zip(...given: Any[]): Any[][] {
  const { strict = false } = options(given);
  const lists = given.map(list);
  const shortest = Math.min(...lists.map((one) => one.length));
  if (strict && lists.some((one) => one.length !== shortest)) throw ValueError("lists of different lengths");
  return Array.from({ length: shortest }, (_, i) => lists.map((one) => one[i]));
}

export const map = (done: Callable, ...lists: Any[]): Any[] => zip(...lists).map((row) => done(...row));
export const filter = (wanted: Callable | null, items: Any): Any[] => list(items).filter((item) => truth(wanted ? wanted(item) : item));
export const reversed = (items: Any): Any[] => list(items).reverse();
export const pairwise = (items: Any): Any[][] => list(items).flatMap((item, i, every) => (i ? [[every[i - 1], item]] : []));

/** Arguments by name, which come last. */
function options(given: Any[]): Any {
  const last = given[given.length - 1];
  return last !== null && typeof last === "object" && Object.getPrototypeOf(last) === Object.prototype && !last.kind_ ? given.pop() : {};
}

function extreme(given: Any[], better: (a: Any, b: Any) => boolean): Any {
  const { key: by = (item: Any) => item, default: otherwise } = options(given);
  const items = given.length === 1 ? list(given[0]) : given;
  if (!items.length) {
    if (otherwise !== undefined) return otherwise;
    throw ValueError("nothing to choose from");
  }
  return items.reduce((best, item) => (better(by(item), by(best)) ? item : best));
}

export const max = (...given: Any[]): Any => extreme(given, (a, b) => lt(b, a));
export const min = (...given: Any[]): Any => extreme(given, lt);

export function sorted(items: Any, { key: by = (item: Any) => item, reverse = false }: Any = {}): Any[] {
  const made = list(items).map((item) => [by(item), item]);
  made.sort(([a], [b]) => (lt(a, b) ? -1 : lt(b, a) ? 1 : 0) * (reverse ? -1 : 1));
  return made.map(([, item]) => item);
}

export function sum(items: Any, first: Any = 0n): Any {
  let total = first;
  for (const item of iter(items)) total = add(total, item);
  return total;
}

export function next(items: Any, otherwise?: Any): Any {
  const step = items.next();
  if (!step.done) return step.value;
  if (otherwise === undefined) throw StopIteration();
  return otherwise;
}

/** Half to even, as Python rounds. */
export function round(value: Any, digits?: bigint): Any {
  if (typeof value === "bigint") return value;
  const places = Number(digits ?? 0n);
  const exact = Math.abs(value).toFixed(Math.min(100, places + 60));
  const cut = exact.indexOf(".") + 1 + places;
  const kept = exact.slice(0, cut).replace(".", "");
  const rest = exact.slice(cut);
  const half = `5${"0".repeat(rest.length - 1)}`;
  const up = rest > half || (rest === half && Number(kept.slice(-1)) % 2 === 1);
  const number = BigInt(kept) + (up ? 1n : 0n);
  const whole = value < 0 ? -number : number;
  if (digits === undefined) return whole;
  const written = number.toString().padStart(places + 1, "0");
  return Number(`${value < 0 ? "-" : ""}${written.slice(0, written.length - places)}.${written.slice(written.length - places)}`);
}

export function isinstance(value: Any, kind: Any): boolean {
  const kinds = Array.isArray(kind) ? kind : [kind];
  return kinds.some((one) =>
    one === str
      ? typeof value === "string"
      : one === int_
        ? typeof value === "bigint" || typeof value === "boolean"
        : one === bool && typeof value === "boolean",
  );
}
