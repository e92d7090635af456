// The functions that Python brings.

import { add, lt } from "./operators";
import { length } from "./texts";
import {
  type Any,
  type Callable,
  Data,
  Dict,
  dict,
  float_,
  frozenset,
  int_,
  iter,
  key,
  list,
  options,
  Set_,
  set,
  shown,
  str,
  Tuple,
  truth,
  tuple,
  ValueError,
  whole,
} from "./values";

/** A call with some arguments by name. */
export function named(called: Callable, given: Any[], by: Record<string, Any>): Any {
  if (called.options) return called(...given, by);
  if (!called.takes) throw new TypeError(`${called.name} takes no arguments by name here`);
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

/** A function without a name, and the names of what it takes. */
export const lambda = (takes: string[], made: Callable): Callable => Object.assign(made, { takes });

/** A function that remembers its answers. */
export function cache(called: Callable): Callable {
  const known = new Map<Any, Any>();
  const made = (...given: Any[]): Any => {
    const asked = key(given);
    if (!known.has(asked)) known.set(asked, called(...given));
    return known.get(asked);
  };
  return Object.assign(made, { takes: called.takes });
}

/** The interpreted twin of a rule: here there is one way to run it. */
export const plain = (rule: Callable): Callable => rule;
export const abs = (value: Any): Any => (typeof value === "number" ? Math.abs(value) : whole(value) < 0n ? -whole(value) : whole(value));
export const bool = (value: Any = false): boolean => truth(value);
export const bitCount = (value: Any): bigint => BigInt(whole(value).toString(2).replace(/[^1]/g, "").length);

export function len(value: Any): bigint {
  if (typeof value === "string") return BigInt(length(value));
  if (typeof value !== "object" || typeof value?.length !== "number") throw new TypeError(`${shown(value)} has no length`);
  return BigInt(value.length);
}

export function any(items: Any): boolean {
  for (const item of iter(items)) if (truth(item)) return true;
  return false;
}

export function all(items: Any): boolean {
  for (const item of iter(items)) if (!truth(item)) return false;
  return true;
}

/** `dict(…, name=value)` */
export const dictWith = (pairs: Any, by: Record<string, Any>): Dict => new Dict([...dict(pairs).items(), ...Object.entries(by)]);

const itself = (item: Any): Any => item;

function extreme(given: Any[], better: (a: Any, b: Any) => boolean): Any {
  const { key: by, default: otherwise } = options(given);
  const worth = by ?? itself;
  const items = given.length === 1 ? list(given[0]) : given;
  if (!items.length) {
    if (otherwise !== undefined) return otherwise;
    throw ValueError("nothing to choose from");
  }
  return items.reduce((best, item) => (better(worth(item), worth(best)) ? item : best));
}

export const max = (...given: Any[]): Any => extreme(given, (a, b) => lt(b, a));
export const min = (...given: Any[]): Any => extreme(given, lt);

export function sorted(items: Any, { key: by, reverse = false }: Any = {}): Any[] {
  const worth = by ?? itself;
  const made = list(items).map((item) => [worth(item), item]);
  made.sort(([a], [b]) => (lt(a, b) ? -1 : lt(b, a) ? 1 : 0) * (truth(reverse) ? -1 : 1));
  return made.map(([, item]) => item);
}
for (const one of [max, min, sorted] as Callable[]) one.options = true;

export function sum(items: Any, first: Any = 0n): Any {
  let total = first;
  for (const item of iter(items)) total = add(total, item);
  return total;
}

/** Whether a value is of a kind. */
export function isinstance(value: Any, kind: Any): boolean {
  const kinds = Array.isArray(kind) ? kind : [kind];
  return kinds.some((one) => {
    if (one === str) return typeof value === "string";
    if (one === int_) return typeof value === "bigint" || typeof value === "boolean";
    if (one === bool) return typeof value === "boolean";
    if (one === float_) return typeof value === "number";
    if (one === list || one === tuple) return Array.isArray(value) && value instanceof Tuple === (one === tuple);
    if (one === dict) return value instanceof Dict;
    if (one === set) return value instanceof Set_ && value.constructor === Set_;
    if (one === frozenset) return value instanceof Set_ && value.constructor !== Set_;
    if (one.kind) return value instanceof Data && value.kind_ === one.kind;
    throw new TypeError("whether something is of this kind can't be told here");
  });
}
