// What Python's operators do, by what they are given.

import { Array_, inside, Slice } from "./arrays";
import { Match } from "./texts";
import { type Any, Dict, iter, type Kind, list, repr, Set_, set, truth, ValueError, whole } from "./values";

const real = (value: Any): number => Number(value);

function arithmetic(a: Any, b: Any, big: (a: bigint, b: bigint) => Any, small: (a: number, b: number) => number): Any {
  const [one, other] = [whole(a), whole(b)];
  if (typeof one === "bigint" && typeof other === "bigint") return big(one, other);
  if ((typeof one === "bigint" || typeof one === "number") && (typeof other === "bigint" || typeof other === "number")) return small(real(one), real(other));
  throw new TypeError(`${repr(a)} and ${repr(b)} can't be reckoned with`);
}

export function add(a: Any, b: Any): Any {
  if (typeof a === "bigint" && typeof b === "bigint") return a + b;
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  return arithmetic(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );
}

export function sub(a: Any, b: Any): Any {
  if (a instanceof Set_) return set(list(a).filter((item) => !has(b, item)));
  return arithmetic(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  );
}

export function mul(a: Any, b: Any): Any {
  if (typeof a === "string") return a.repeat(Math.max(0, Number(b)));
  if (Array.isArray(a)) return Array.from({ length: Math.max(0, Number(b)) }, () => a).flat();
  return arithmetic(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );
}

export const div = (a: Any, b: Any): number => real(whole(a)) / real(whole(b));

export function floordiv(a: Any, b: Any): Any {
  return arithmetic(
    a,
    b,
    (x, y) => {
      const q = x / y;
      return x % y !== 0n && x < 0n !== y < 0n ? q - 1n : q;
    },
    (x, y) => Math.floor(x / y),
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
    (x, y) => x - y * Math.floor(x / y),
  );
}

export const divmod = (a: Any, b: Any): [Any, Any] => [floordiv(a, b), mod(a, b)];
export const pow = (a: Any, b: Any): Any =>
  arithmetic(
    a,
    b,
    (x, y) => x ** y,
    (x, y) => x ** y,
  );
export const shl = (a: Any, b: Any): bigint => (whole(a) as bigint) << (whole(b) as bigint);
export const shr = (a: Any, b: Any): bigint => (whole(a) as bigint) >> (whole(b) as bigint);
export const xor = (a: Any, b: Any): Any => (typeof a === "boolean" && typeof b === "boolean" ? a !== b : whole(a) ^ whole(b));
export const neg = (a: Any): Any => -whole(a);
export const pos = (a: Any): Any => whole(a);
export const invert = (a: Any): bigint => ~(whole(a) as bigint);

export function or_(a: Any, b: Any): Any {
  if (a instanceof Dict) return new Dict([...a.items(), ...b.items()]);
  if (a instanceof Set_) return set([...a, ...b]);
  return typeof a === "boolean" && typeof b === "boolean" ? a || b : whole(a) | whole(b);
}

export function and_(a: Any, b: Any): Any {
  if (a instanceof Set_) return set(list(a).filter((item) => has(b, item)));
  return typeof a === "boolean" && typeof b === "boolean" ? a && b : whole(a) & whole(b);
}

export const both = (first: Any, then: () => Any): Any => (truth(first) ? then() : first);
export const either = (first: Any, then: () => Any): Any => (truth(first) ? first : then());
export const is = (a: Any, b: Any): boolean => (a ?? null) === (b ?? null);

export function eq(a: Any, b: Any): boolean {
  const [one, other] = [whole(a), whole(b)];
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") {
    return (typeof one === "bigint" || typeof one === "number") && (typeof other === "bigint" || typeof other === "number") && real(one) === real(other);
  }
  if (one === null || other === null) return false;
  if (one instanceof Dict || one instanceof Set_) {
    const pairs =
      one instanceof Dict ? one.items().every(([name, value]) => other.has(name) && eq(value, other.get(name))) : list(one).every((item) => has(other, item));
    return one.constructor === other.constructor && one.length === other.length && pairs;
  }
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((item, i) => eq(item, other[i]));
  return one.kind_ !== undefined && one.kind_ === other.kind_ && one.kind_.fields.every((name: string) => eq(one[name], other[name]));
}

export function lt(a: Any, b: Any): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    const at = a.findIndex((item, i) => i >= b.length || !eq(item, b[i]));
    return at < 0 ? a.length < b.length : at < b.length && lt(a[at], b[at]);
  }
  return whole(a) < whole(b);
}

export function has(where: Any, what: Any): boolean {
  if (typeof where === "string") return where.includes(what);
  if (where instanceof Dict || where instanceof Set_) return where.has(what);
  for (const item of iter(where)) if (eq(item, what)) return true;
  return false;
}

// --- items ---

export function at(where: Any, index: Any): Any {
  if (where instanceof Array_) return where.get(index);
  if (where instanceof Dict) return where.at(index);
  if (where instanceof Match) return where.group(index);
  if (index instanceof Slice) {
    const [from, to, step] = index.within(where.length);
    if (step === 1) return where.slice(from, Math.max(from, to));
    const found: Any[] = [];
    for (let i = from; step > 0 ? i < to : i > to; i += step) found.push(where[i]);
    return typeof where === "string" ? found.join("") : found;
  }
  return where[inside(index, where.length)];
}

export function put(where: Any, index: Any, value: Any): void {
  if (where instanceof Array_) where.put(index, value);
  else if (where instanceof Dict) where.set(index, value);
  else where[inside(index, where.length)] = value;
}

export function unpack(value: Any, parts: number, star: number): Any[] {
  const found = list(value);
  if (star < 0 ? found.length !== parts : found.length < parts - 1) throw ValueError(`${found.length} values where ${parts} are wanted`);
  if (star < 0) return found;
  const after = parts - 1 - star;
  return [...found.slice(0, star), found.slice(star, found.length - after), ...found.slice(found.length - after)];
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
