// The values of Python: whole numbers are BigInt, numbers with a point are numbers, lists and tuples are arrays; dicts and sets compare by value.

// biome-ignore lint/suspicious/noExplicitAny: a value of Python can be anything
export type Any = any;
export type Callable = ((...given: Any[]) => Any) & { takes?: string[]; rest?: boolean };

// --- what goes wrong ---

export class PythonError extends Error {}
class KeyError_ extends PythonError {}
class IndexError_ extends PythonError {}
class StopIteration_ extends Error {}

/** An action that the rules do not allow. */
export class IllegalActionError extends PythonError {
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
export class UnfitError extends PythonError {
  readonly phrase: Any;
  constructor(
    readonly code: string,
    said: Any,
    values: Dict,
  ) {
    super(code);
    const told = values
      .items()
      .map(([name, value]) => [name, value instanceof UnfitError ? value.phrase : value instanceof PythonError ? value.message : value]);
    this.phrase = said ?? Phrase(`unfit.${code}`, told.length ? dict(told) : null);
  }
}

export const ValueError: Callable = (text = "") => new PythonError(text);
export const KeyError: Callable = (text = "") => new KeyError_(text);
export const IndexError: Callable = (text = "") => new IndexError_(text);
export const StopIteration: Callable = () => new StopIteration_();
export const IllegalAction: Callable = (code: string, _message?: string, values: Dict = dict([])) => new IllegalActionError(code, values);
export const Unfit: Callable = (code: string, _package?: string, said?: Any, values: Dict = dict([])) => new UnfitError(code, said, values);
Object.assign(IllegalAction, { takes: ["code", "message"], rest: true }); // whatever else it is told by name goes into its sentence
Object.assign(Unfit, { takes: ["code", "package", "phrase"], rest: true });

const KINDS = new Map<Callable, new (...given: Any[]) => Error>([
  [ValueError, PythonError],
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
  if (typeof value === "object" && "length" in value) return value.length > 0;
  return Boolean(value);
}

export function int_(value: Any = 0n, base?: bigint): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return BigInt(Math.trunc(value));
  const digits = String(value).trim();
  if (base === undefined || base === 10n) {
    if (!/^[+-]?\d+$/.test(digits)) throw ValueError(`${repr(value)} is no whole number`);
    return BigInt(digits.replace(/^\+/, ""));
  }
  const prefix = base === 16n ? "0x" : base === 2n ? "0b" : null;
  if (prefix === null) throw ValueError(`numbers to the base ${base} are not read`);
  return BigInt(prefix + digits);
}

export function iter(value: Any): Iterable<Any> {
  if (value === null || value === undefined || typeof value[Symbol.iterator] !== "function") throw new TypeError(`${repr(value)} has no items`);
  return value;
}

export const list = (items: Any = []): Any[] => [...iter(items)];
export const tuple = list;

export function str(value: Any = ""): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.message;
  return repr(value);
}

export function repr(value: Any): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number")
    return (Object.is(value, -0) ? "-" : "") + (Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value));
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    const escaped = (letter: string) =>
      ({ "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" })[letter] ??
      (letter === quote ? `\\${letter}` : `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what Python escapes
    return quote + value.replace(quote === "'" ? /[\\'\x00-\x1f\x7f]/g : /[\\\x00-\x1f\x7f]/g, escaped) + quote;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
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
      const value = given[i] === undefined ? kind.defaults[i] : given[i];
      if (value === undefined) throw ValueError(`${name} wants ${kind.fields[i]}`);
      one[kind.fields[i] as string] = value;
    }
    return one;
  };
  return Object.assign(made, { takes: kind.fields });
}

/** Something to say: a key of the words, and what goes into the sentence. */
export const Phrase = dataclass("Phrase", [["key"], ["values", null]]);

/** The same object with some fields changed. */
export function replaced(one: Data, changed: Record<string, Any>): Any {
  return Object.assign(Object.create(Object.getPrototypeOf(one)), one, changed);
}

// --- dicts and sets ---

/** What keys are compared by. */
export function key(value: Any): Any {
  if (Array.isArray(value)) return `(${value.map((one) => `${typeof one}:${String(key(one))}`).join()})`;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (value instanceof Data) return `${value.kind_.name}${key(value.kind_.fields.map((name) => value[name]))}`;
  return value;
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
    if (!this.has(name)) throw KeyError(repr(name));
    return this.get(name);
  }
  pop(name: Any): Any {
    const value = this.at(name);
    this.known.delete(key(name));
    return value;
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
  items(): [Any, Any][] {
    return [...this.known.values()].map(([name, value]) => [name, value]);
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
  update(items: Any): void {
    for (const item of iter(items)) this.add(item);
  }
  discard(item: Any): void {
    this.known.delete(key(item));
  }
  [Symbol.iterator](): Iterator<Any> {
    return this.known.values();
  }
}

export const dict = (given: Any = []): Dict => new Dict(given instanceof Dict ? given.items() : iter(given));
export const set = (items: Any = []): Set_ => new Set_(iter(items));
export const fromkeys = (items: Any, value: Any = null): Dict => new Dict(list(items).map((item) => [item, value]));
