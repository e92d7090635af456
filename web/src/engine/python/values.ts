// The values of Python: whole numbers are BigInt, those with a point numbers, lists arrays, tuples a kind of them; dicts and sets compare by value.

import { readReal, readWhole, written } from "./numbers";

// biome-ignore lint/suspicious/noExplicitAny: a value of Python can be anything
export type Any = any;
export type Callable = ((...given: Any[]) => Any) & { takes?: string[]; rest?: boolean; options?: boolean; kind?: Kind };

// --- what goes wrong ---

export class PythonError extends Error {}
class ValueError_ extends PythonError {}
class KeyError_ extends PythonError {}
class IndexError_ extends PythonError {}
class StopIteration_ extends Error {}

/** An action that the rules do not allow. */
export class IllegalActionError extends ValueError_ {
  constructor(
    readonly code: string,
    readonly values: Dict,
  ) {
    super(code);
  }
  get phrase(): Any {
    return Phrase(`refusals.${this.code}`, this.values.length ? this.values : null);
  }
}

/** A text that can't be taken. */
export class UnfitError extends ValueError_ {
  readonly phrase: Any;
  constructor(
    readonly code: string,
    said: Any,
    values: Dict,
  ) {
    super(code);
    const told = values
      .items()
      .map(([name, value]) => [name, value instanceof UnfitError ? value.phrase : value instanceof ValueError_ ? value.message : value]);
    this.phrase = said ?? Phrase(`unfit.${code}`, told.length ? dict(told) : null);
  }
}

export const ValueError: Callable = (text = "") => new ValueError_(text);
export const KeyError: Callable = (key: Any) => new KeyError_(key === undefined ? "" : repr(key));
export const IndexError: Callable = (text = "") => new IndexError_(text);
export const StopIteration: Callable = () => new StopIteration_();
export const IllegalAction: Callable = (code: string, _message?: string, values: Dict = dict([])) => new IllegalActionError(code, values);
export const Unfit: Callable = (code: string, _package?: string, said?: Any, values: Dict = dict([])) => new UnfitError(code, said, values);
Object.assign(IllegalAction, { takes: ["code", "message"], rest: true }); // whatever else it is told by name goes into its sentence
Object.assign(Unfit, { takes: ["code", "package", "phrase"], rest: true });

const KINDS = new Map<Callable, new (...given: Any[]) => Error>([
  [ValueError, ValueError_],
  [KeyError, KeyError_],
  [IndexError, IndexError_],
  [StopIteration, StopIteration_],
  [IllegalAction, IllegalActionError],
  [Unfit, UnfitError],
]);

/** Whether an error is of one of some kinds. */
export function among(error: Any, kinds: Callable[]): boolean {
  return kinds.some((kind) => error instanceof (KINDS.get(kind) ?? PythonError));
}

export function sure(truth: boolean): void {
  if (!truth) throw new Error("what was taken for granted is not so");
}

// --- numbers, texts and lists ---

/** A truth counts as a number. */
export const whole = (value: Any): Any => (typeof value === "boolean" ? (value ? 1n : 0n) : value);

export function truth(value: Any): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value !== "object" || value instanceof Data) return Boolean(value);
  if ("extents" in value && value.size !== 1n) throw new TypeError("whether an array is true is asked by any() or all()");
  return "extents" in value ? value.any() : !("length" in value) || value.length > 0;
}

export function int_(value: Any = 0n, base = 10n): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return BigInt(Math.trunc(value));
  if (typeof value !== "string") throw new TypeError(`${shown(value)} is no whole number`);
  const found = readWhole(value, Number(base));
  if (found === null) throw ValueError(`invalid literal for int() with base ${base}: ${repr(value)}`);
  return found;
}

export function float_(value: Any = 0n): number {
  const found = typeof value === "string" ? readReal(value) : Number(whole(value));
  if (found === null) throw ValueError(`could not convert string to float: ${repr(value)}`);
  return found;
}

export function iter(value: Any): Iterable<Any> {
  if (value === null || value === undefined || typeof value[Symbol.iterator] !== "function") throw new TypeError(`${shown(value)} has no items`);
  return value;
}

/** Whether something has items, and is no text. */
export const sequence = (value: Any): boolean => typeof value === "object" && value !== null && typeof value[Symbol.iterator] === "function";

export const list = (items: Any = []): Any[] => [...iter(items)];

/** A tuple: an array that stays as it is, and equals no list. What is made of one by JavaScript's own methods is a plain array, a list. */
export class Tuple extends Array<Any> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** These very items as a tuple. */
export const tuple_ = (items: Any[]): Tuple => Object.setPrototypeOf(items, Tuple.prototype);
export const tuple = (items: Any = []): Tuple => (items instanceof Tuple ? items : tuple_(list(items)));
/** Items that were taken from a list or a tuple, as the same. */
export const alike = (of: Any, items: Any[]): Any[] => (of instanceof Tuple ? tuple_(items) : items);

export function str(value: Any = ""): string {
  if (typeof value === "string") return value;
  if (value instanceof UnfitError) throw new TypeError("what an Unfit says is not known here: it is said in the language of whoever reads it");
  if (value instanceof Error) return value.message;
  return repr(value);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(letter: string): string {
  const code = (letter.codePointAt(0) as number).toString(16);
  return ESCAPES[letter] ?? (code.length < 3 ? `\\x${code.padStart(2, "0")}` : code.length < 5 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`);
}

/** How Python writes a value. */
export function repr(value: Any): string {
  if (value instanceof Set_ && value.length > 1) throw new TypeError("the items of a set have no order: sort them first");
  return shown(value);
}

/** The same, whatever it is. */
export function shown(value: Any): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return written(value);
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return quote + value.replace(/[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped).replaceAll(quote, `\\${quote}`) + quote;
  }
  if (value instanceof Dict) {
    const pairs = value.items().map(([name, one]) => `${shown(name)}: ${shown(one)}`);
    return `{${pairs.join(", ")}}`;
  }
  if (value instanceof Data) return `${value.kind_.name}(${value.kind_.fields.map((name) => `${name}=${shown(value[name])}`).join(", ")})`;
  if (value instanceof Tuple) return `(${value.map(shown).join(", ")}${value.length === 1 ? "," : ""})`;
  if (sequence(value)) return `[${list(value).map(shown).join(", ")}]`;
  return String(value);
}

// --- dataclasses ---

export interface Kind {
  name: string;
  fields: string[];
  defaults: Any[]; // undefined where a field has none
}

/** An object of a dataclass; what kind it is stands on the prototype, so that its own properties are its fields. */
export class Data {
  declare readonly kind_: Kind;
  [field: string]: Any;
}

/** A class of which every object has the same fields; each with its default, if it has one. */
export function dataclass(name: string, fields: [string, Any?][]): Callable {
  const kind: Kind = { name, fields: fields.map(([field]) => field), defaults: fields.map(([, otherwise]) => otherwise) };
  class Made extends Data {}
  Object.defineProperty(Made.prototype, "kind_", { value: kind });
  const made = (...given: Any[]): Any => {
    const one = new Made();
    for (let i = 0; i < kind.fields.length; i++) {
      const value = given[i] === undefined ? fresh(kind.defaults[i]) : given[i];
      if (value === undefined) throw ValueError(`${name} wants ${kind.fields[i]}`);
      one[kind.fields[i] as string] = value;
    }
    return one;
  };
  return Object.assign(made, { takes: kind.fields, kind });
}

/** A default that is made anew for each object, if it can be changed. */
function fresh(value: Any): Any {
  if (Array.isArray(value) && !(value instanceof Tuple)) return [...value];
  return value instanceof Dict ? value.copy() : value instanceof Set_ ? value.copy() : value;
}

/** Something to say: a key of the words, and what goes into the sentence. */
export const Phrase = dataclass("Phrase", [["key"], ["values", null]]);

/** The same object with some fields changed. */
export function replaced(one: Data, changed: Record<string, Any> = {}): Any {
  for (const name of Object.keys(changed)) if (!one.kind_.fields.includes(name)) throw new TypeError(`${one.kind_.name} has no field ${name}`);
  return Object.assign(Object.create(Object.getPrototypeOf(one)), one, changed);
}
(replaced as Callable).options = true;

/** Arguments by name, which come last. */
export function options(given: Any[]): Any {
  const last = given[given.length - 1];
  return last !== null && typeof last === "object" && Object.getPrototypeOf(last) === Object.prototype ? given.pop() : {};
}

// --- dicts and sets ---

/** What keys are compared by. */
export function key(value: Any): Any {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return `\0(${value.map(inner).join()})`;
  if (value instanceof Data) return `\0${value.kind_.name}(${value.kind_.fields.map((name) => inner(value[name])).join()})`;
  if (value instanceof Set_) return `\0{${[...value].map(inner).sort().join()}}`;
  return value ?? null;
}

function inner(value: Any): string {
  const made = key(value);
  if (typeof made === "object" && made !== null) throw new TypeError("this can't be a part of a key");
  return typeof made === "string" ? JSON.stringify(made) : `${typeof made}:${String(made)}`;
}

export class Dict {
  private readonly known = new Map<Any, [Any, Any]>();
  constructor(pairs: Iterable<[Any, Any]>) {
    for (const [name, value] of pairs) this.set(name, value);
  }
  get length(): number {
    return this.known.size;
  }
  set(name: Any, value: Any): void {
    const known = this.known.get(key(name));
    if (known) known[1] = value;
    else this.known.set(key(name), [name, value]);
  }
  has(name: Any): boolean {
    return this.known.has(key(name));
  }
  get(name: Any, otherwise: Any = null): Any {
    const known = this.known.get(key(name));
    return known ? known[1] : otherwise;
  }
  at(name: Any): Any {
    if (!this.has(name)) throw KeyError(name);
    return this.get(name);
  }
  pop(name: Any, otherwise?: Any): Any {
    if (otherwise !== undefined && !this.has(name)) return otherwise;
    const value = this.at(name);
    this.known.delete(key(name));
    return value;
  }
  update(more: Any): void {
    for (const [name, value] of dict(more).items()) this.set(name, value);
  }
  copy(): Dict {
    return new Dict(this.items());
  }
  clear(): void {
    this.known.clear();
  }
  setdefault(name: Any, value: Any = null): Any {
    if (!this.has(name)) this.set(name, value);
    return this.get(name);
  }
  keys(): Any[] {
    return [...this.known.values()].map(([name]) => name);
  }
  values(): Any[] {
    return [...this.known.values()].map(([, value]) => value);
  }
  items(): Any[] {
    return [...this.known.values()].map(([name, value]) => tuple_([name, value]));
  }
  [Symbol.iterator](): Iterator<Any> {
    return this.keys()[Symbol.iterator]();
  }
}

export class Set_ {
  private readonly known = new Map<Any, Any>();
  constructor(items: Iterable<Any>) {
    for (const item of items) this.add(item);
  }
  get length(): number {
    return this.known.size;
  }
  add(item: Any): void {
    if (!this.has(item)) this.known.set(key(item), item);
  }
  has(item: Any): boolean {
    return this.known.has(key(item));
  }
  update(...more: Any[]): void {
    for (const items of more) for (const item of iter(items)) this.add(item);
  }
  discard(item: Any): void {
    this.known.delete(key(item));
  }
  remove(item: Any): void {
    if (!this.has(item)) throw KeyError(item);
    this.discard(item);
  }
  clear(): void {
    this.known.clear();
  }
  copy(): this {
    return this.like(this);
  }
  union(...more: Any[]): this {
    return this.like([...this, ...more.flatMap(list)]);
  }
  intersection(...more: Any[]): this {
    const others = more.map(set);
    return this.like([...this].filter((item) => others.every((other) => other.has(item))));
  }
  difference(...more: Any[]): this {
    const others = more.map(set);
    return this.like([...this].filter((item) => !others.some((other) => other.has(item))));
  }
  symmetric_difference(more: Any): this {
    const other = set(more);
    return this.like([...[...this].filter((item) => !other.has(item)), ...[...other].filter((item) => !this.has(item))]);
  }
  issubset(more: Any): boolean {
    const other = set(more);
    return [...this].every((item) => other.has(item));
  }
  issuperset(more: Any): boolean {
    return list(more).every((item) => this.has(item));
  }
  isdisjoint(more: Any): boolean {
    return !list(more).some((item) => this.has(item));
  }
  /** A set of the same kind. */
  private like(items: Iterable<Any>): this {
    return new (this.constructor as new (items: Iterable<Any>) => this)(items);
  }
  [Symbol.iterator](): Iterator<Any> {
    return this.known.values();
  }
}

/** A set that stays as it is. */
export class Frozen extends Set_ {}

export const dict = (given: Any = []): Dict => new Dict(given instanceof Dict ? given.items() : iter(given));
export const set = (items: Any = []): Set_ => new Set_(iter(items));
export const frozenset = (items: Any = []): Frozen => new Frozen(iter(items));
export const fromkeys = (items: Any, value: Any = null): Dict => new Dict(list(items).map((item) => [item, value]));
