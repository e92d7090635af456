// What Python's operators do, by what they are given.

import { Array_, inside, Slice } from "./arrays";
import { Range } from "./iterators";
import { Match } from "./patterns";
import { length, letter, part } from "./texts";
import { type Any, alike, Data, Dict, Frozen, iter, type Kind, list, Set_, shown, Tuple, truth, tuple_, ValueError, whole } from "./values";

const real = (value: Any): number => Number(value);

const unreckoned = (a: Any, b: Any): Error => new TypeError(`${shown(a)} and ${shown(b)} can't be reckoned with`);

function arithmetic(a: Any, b: Any, big: (a: bigint, b: bigint) => Any, small: (a: number, b: number) => number): Any {
  const [one, other] = [whole(a), whole(b)];
  if (typeof one === "bigint" && typeof other === "bigint") return big(one, other);
  if ((typeof one === "bigint" || typeof one === "number") && (typeof other === "bigint" || typeof other === "number")) return small(real(one), real(other));
  throw unreckoned(a, b);
}

export function add(a: Any, b: Any): Any {
  if (typeof a === "bigint" && typeof b === "bigint") return a + b;
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple) return alike(a, [...a, ...b]);
  return arithmetic(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );
}

export function sub(a: Any, b: Any): Any {
  if (a instanceof Set_) return a.difference(b);
  return arithmetic(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );
}

export function mul(a: Any, b: Any): Any {
  if (typeof b === "string" || Array.isArray(b)) return mul(b, a);
  if (typeof a === "string") return a.repeat(times(b));
  if (Array.isArray(a)) return alike(a, Array<Any[]>(times(b)).fill(list(a)).flat());
  return arithmetic(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );
}

function times(count: Any): number {
  if (typeof whole(count) !== "bigint") throw new TypeError("how often is a whole number");
  return Math.max(0, Number(count));
}

export const div = (a: Any, b: Any): number => arithmetic(a, b, (x, y) => quotient(real(x), real(y)), quotient);

function quotient(x: number, y: number): number {
  if (y === 0) throw new RangeError("division by zero");
  return x / y;
}

export function floordiv(a: Any, b: Any): Any {
  return arithmetic(
    a,
    b,
    (x, y) => {
      const q = x / y;
      return x % y !== 0n && x < 0n !== y < 0n ? q - 1n : q;
    },
    (x, y) => dividing(x, y)[0],
  );
}

export function mod(a: Any, b: Any): Any {
  return arithmetic(
    a,
    b,
    (x, y) => {
      const r = x % y;
      return r !== 0n && r < 0n !== y < 0n ? r + y : r;
    },
    (x, y) => dividing(x, y)[1],
  );
}

/** How often one number with a point goes into another, and what is left, which has the sign of the other. */
function dividing(x: number, y: number): [number, number] {
  if (y === 0) throw new RangeError("division by zero");
  let rest = x % y;
  let times = (x - rest) / y;
  if (rest === 0) rest = y < 0 ? -0 : 0;
  else if (rest < 0 !== y < 0) {
    rest += y;
    times -= 1;
  }
  const down = Math.floor(times);
  return [times === 0 ? (x / y < 0 || Object.is(x / y, -0) ? -0 : 0) : times - down > 0.5 ? down + 1 : down, rest];
}

export const divmod = (a: Any, b: Any): Tuple => tuple_([floordiv(a, b), mod(a, b)]);
export const pow = (a: Any, b: Any): Any => arithmetic(a, b, (x, y) => (y >= 0n ? x ** y : quotient(1, real(x ** -y))), power);

function power(x: number, y: number): number {
  if (x === 0 && y < 0) throw new RangeError("0.0 cannot be raised to a negative power");
  if (x < 0 && !Number.isInteger(y) && Number.isFinite(y)) throw new TypeError("this power is no real number");
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1;
  return x ** y;
}

/** Both as whole numbers, for what works on bits. */
function bits(a: Any, b: Any, done: (a: bigint, b: bigint) => bigint): bigint {
  const [one, other] = [whole(a), whole(b)];
  if (typeof one !== "bigint" || typeof other !== "bigint") throw unreckoned(a, b);
  return done(one, other);
}

export const shl = (a: Any, b: Any): bigint => bits(a, shift(b), (x, y) => x << y);
export const shr = (a: Any, b: Any): bigint => bits(a, shift(b), (x, y) => x >> y);
const logic = (a: Any, b: Any): boolean => typeof a === "boolean" && typeof b === "boolean";

function shift(by: Any): Any {
  if (whole(by) < 0n) throw ValueError("negative shift count");
  return by;
}

export function xor(a: Any, b: Any): Any {
  if (a instanceof Set_) return a.symmetric_difference(b);
  return logic(a, b) ? a !== b : bits(a, b, (x, y) => x ^ y);
}

export function or_(a: Any, b: Any): Any {
  if (a instanceof Dict) return new Dict([...a.items(), ...b.items()]);
  if (a instanceof Set_) return a.union(b);
  return logic(a, b) ? a || b : bits(a, b, (x, y) => x | y);
}

export function and_(a: Any, b: Any): Any {
  if (a instanceof Set_) return a.intersection(b);
  return logic(a, b) ? a && b : bits(a, b, (x, y) => x & y);
}

/** `a |= b`, `a += b` and their like: what can be changed is changed where it is. */
export function within(done: (a: Any, b: Any) => Any, a: Any, b: Any): Any {
  if (Array.isArray(a) && !(a instanceof Tuple)) {
    const made = done === add ? [...a, ...iter(b)] : done(a, b);
    a.splice(0, a.length, ...made);
    return a;
  }
  if (a instanceof Dict) {
    a.update(b);
    return a;
  }
  if (!(a instanceof Set_) || a instanceof Frozen) return done(a, b);
  const made = list(done(a, b));
  a.clear();
  a.update(made);
  return a;
}

export const neg = (a: Any): Any => -number(a);
export const pos = (a: Any): Any => number(a);
export const invert = (a: Any): bigint => bits(a, 0n, (x) => ~x);

function number(value: Any): Any {
  const found = whole(value);
  if (typeof found !== "bigint" && typeof found !== "number") throw new TypeError(`${shown(value)} is no number`);
  return found;
}

export const both = (first: Any, then: () => Any): Any => (truth(first) ? then() : first);
export const either = (first: Any, then: () => Any): Any => (truth(first) ? first : then());
export const is = (a: Any, b: Any): boolean => (a ?? null) === (b ?? null);

export function eq(a: Any, b: Any): boolean {
  const [one, other] = [whole(a) ?? null, whole(b) ?? null];
  if (one === other) return true;
  if (one instanceof Array_ || other instanceof Array_) throw new TypeError("arrays are not compared as a whole: compare what is in them, or their tolist()");
  if (typeof one !== "object" || typeof other !== "object") {
    // biome-ignore lint/suspicious/noDoubleEquals: a whole number and one with a point are compared exactly so
    return (typeof one === "bigint" || typeof one === "number") && (typeof other === "bigint" || typeof other === "number") && one == other;
  }
  if (one === null || other === null) return false;
  if (one instanceof Dict) {
    return other instanceof Dict && one.length === other.length && one.items().every(([name, value]) => other.has(name) && eq(value, other.get(name)));
  }
  if (one instanceof Set_) return other instanceof Set_ && one.length === other.length && one.issubset(other);
  if (one instanceof Range) return other instanceof Range && eq(list(one), list(other));
  if (Array.isArray(one) && Array.isArray(other)) {
    return one instanceof Tuple === other instanceof Tuple && one.length === other.length && one.every((item, i) => eq(item, other[i]));
  }
  return one instanceof Data && other instanceof Data && one.kind_ === other.kind_ && one.kind_.fields.every((name: string) => eq(one[name], other[name]));
}

export function lt(a: Any, b: Any): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const at = a.findIndex((item, i) => i >= b.length || !eq(item, b[i]));
    return at < 0 ? a.length < b.length : at < b.length && lt(a[at], b[at]);
  }
  if (a instanceof Set_ && b instanceof Set_) return a.length < b.length && a.issubset(b);
  if (typeof a === "string" && typeof b === "string") return before(a, b);
  return number(a) < number(b);
}

export function le(a: Any, b: Any): boolean {
  if (a instanceof Set_ && b instanceof Set_) return a.issubset(b);
  if (typeof a === "object" || typeof a === "string") return !lt(b, a);
  return number(a) <= number(b);
}

// What stands first is reckoned first, and so these are not written with the two changed round.
export const gt = (a: Any, b: Any): boolean => lt(b, a);
export const ge = (a: Any, b: Any): boolean => le(b, a);
export const isIn = (what: Any, where: Any): boolean => has(where, what);
export const notIn = (what: Any, where: Any): boolean => !has(where, what);
export const ne = (a: Any, b: Any): boolean => !eq(a, b);
export const isNot = (a: Any, b: Any): boolean => !is(a, b);

/** Texts in the order of their letters' numbers. */
function before(a: string, b: string): boolean {
  const [one, other] = [a.search(HALF), b.search(HALF)];
  if (one < 0 && other < 0) return a < b;
  const [letters, others] = [[...a], [...b]];
  const at = letters.findIndex((letter, i) => letter !== others[i]);
  if (at < 0 || at >= others.length) return at < 0 && letters.length < others.length;
  return (letters[at]?.codePointAt(0) ?? 0) < (others[at]?.codePointAt(0) ?? 0);
}

const HALF = /[\ud800-\udfff]/;

export function has(where: Any, what: Any): boolean {
  if (typeof where === "string") return where.includes(what);
  if (where instanceof Dict || where instanceof Set_ || where instanceof Range) return where.has(what);
  for (const item of iter(where)) if (eq(item, what)) return true;
  return false;
}

// --- items ---

export function at(where: Any, index: Any): Any {
  if (where instanceof Array_) return where.get(index);
  if (where instanceof Dict) return where.at(index);
  if (where instanceof Match) return where.group(index);
  if (where instanceof Range) return index instanceof Slice ? where.part(index) : where.at(index);
  if (typeof where === "string") return index instanceof Slice ? part(where, index) : letter(where, inside(index, length(where)));
  if (!Array.isArray(where)) throw new TypeError(`${shown(where)} has no items to be picked out`);
  if (index instanceof Slice) {
    const [from, to, step] = index.within(where.length);
    if (step === 1) return alike(where, where.slice(from, Math.max(from, to)));
    const found: Any[] = [];
    for (let i = from; step > 0 ? i < to : i > to; i += step) found.push(where[i]);
    return alike(where, found);
  }
  return where[inside(index, where.length)];
}

/** `where[index] = value`, in the order in which Python looks at them. */
export function put(value: Any, where: Any, index: Any): void {
  if (where instanceof Array_) where.put(index, value);
  else if (where instanceof Dict) where.set(index, value);
  else if (!Array.isArray(where) || where instanceof Tuple) throw new TypeError(`the items of ${shown(where)} stay as they are`);
  else if (index instanceof Slice) {
    const [from, to, step] = index.within(where.length);
    if (step !== 1) throw new TypeError("a list is changed in whole pieces");
    where.splice(from, Math.max(0, to - from), ...list(value));
  } else where[inside(index, where.length)] = value;
}

export function unpack(value: Any, parts: number, star: number): Any[] {
  const found = list(value);
  if (star < 0 ? found.length !== parts : found.length < parts - 1) throw ValueError(miscounted(found.length, parts, star));
  if (star < 0) return found;
  const after = parts - 1 - star;
  return [...found.slice(0, star), found.slice(star, found.length - after), ...found.slice(found.length - after)];
}

function miscounted(found: number, parts: number, star: number): string {
  if (star < 0 && found > parts) return `too many values to unpack (expected ${parts})`;
  return `not enough values to unpack (expected ${star < 0 ? parts : `at least ${parts - 1}`}, got ${found})`;
}

/** Plain data of what a scene is made of, without empty fields: what core/scene.py tells as JSON. */
export function json(value: Any): Any {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(json);
  if (value instanceof Array_) return value.tolist().map(json);
  const told: Record<string, Any> = {};
  if (value instanceof Dict) {
    for (const [name, one] of value.items()) told[String(name)] = json(one);
    return told;
  }
  const { fields, defaults }: Kind = value.kind_;
  for (let i = 0; i < fields.length; i++) {
    const name = fields[i] as string;
    const one = value[name];
    const otherwise = defaults[i];
    if (one === null || one === otherwise || (one instanceof Dict && !one.length) || (otherwise !== undefined && eq(one, otherwise))) continue;
    told[name] = json(one);
  }
  return told;
}
