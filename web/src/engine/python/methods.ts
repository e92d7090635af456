// The methods of texts, lists and numbers. How many arguments each may have, core/javascript/known.py says.

import { inside, Slice } from "./arrays";
import { formatted } from "./formats";
import { abs, bitCount, sorted } from "./functions";
import { eq } from "./operators";
import { splitWords, strip } from "./spaces";
import { chr, length, ord, part } from "./texts";
import { type Any, type Callable, type Dict, Frozen, list, shown, Tuple, truth, tuple_, ValueError } from "./values";

/** The piece of a text in which something is looked for, and where it begins; nothing where it would end before that. */
function within(text: string, from: Any, to: Any): [string, number] | null {
  if (from === null && to === null) return [text, 0];
  const size = length(text);
  const counted = (given: bigint): number => Math.max(0, Number(given) < 0 ? Number(given) + size : Number(given));
  const [start, end] = [counted(from ?? 0n), to === null ? size : Math.min(size, counted(to))];
  return start > end ? null : [part(text, new Slice(BigInt(start), BigInt(end), null)), start];
}

/** Where a text is found in another, in letters; -1 if nowhere. */
function found(text: string, what: string, from: Any, to: Any, last = false): bigint {
  const [cut, start] = within(text, from, to) ?? [null, 0];
  const at = (last ? cut?.lastIndexOf(what) : cut?.indexOf(what)) ?? -1;
  return at < 0 ? -1n : BigInt(start + length((cut as string).slice(0, at)));
}

function split(text: string, by: Any = null, most: bigint = -1n): string[] {
  if (by === null) return splitWords(text, Number(most));
  if (by === "") throw ValueError("empty separator");
  const parts = text.split(by);
  return most < 0n || parts.length <= Number(most) ? parts : [...parts.slice(0, Number(most)), parts.slice(Number(most)).join(by)];
}

/** What is before and behind a place where something stands in a text; null if it is nowhere. */
function parted(text: string, by: string, at: number): Tuple | null {
  if (by === "") throw ValueError("empty separator");
  return at < 0 ? null : tuple_([text.slice(0, at), by, text.slice(at + by.length)]);
}

function trimmed(text: string, letters: Any, left: boolean, right: boolean): string {
  if (letters === null && left && right) return strip(text);
  const drop = (letter: string | undefined) => letter !== undefined && (letters === null ? strip(letter) === "" : [...letters].includes(letter));
  const kept = [...text];
  let [from, to] = [0, kept.length];
  while (left && from < to && drop(kept[from])) from++;
  while (right && to > from && drop(kept[to - 1])) to--;
  return kept.slice(from, to).join("");
}

function replaced(text: string, from: string, to: string, most: bigint = -1n): string {
  const parts = from === "" ? ["", ...text, ""] : text.split(from); // what is empty stands before, between and behind the letters
  if (most < 0n) return parts.join(to);
  return parts.map((one, i) => (i === 0 ? one : (i <= Number(most) ? to : from) + one)).join("");
}

const ends = (text: string, what: Any, from: Any, to: Any, how: "startsWith" | "endsWith"): boolean => {
  const cut = within(text, from, to)?.[0];
  return cut !== undefined && (Array.isArray(what) ? what : [what]).some((one) => cut[how](one));
};

const gap = (text: string, width: bigint): number => Math.max(0, Number(width) - length(text));
/** What Python takes for a digit, beside the ten of each script: raised, lowered and ringed ones. */
const RAISED = "\\xb2\\xb3\\xb9\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u1369-\\u1371\\u19da";
const RINGED = "\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792";
const DIGITS = new RegExp(`^[\\p{Nd}${RAISED}${RINGED}]+$`, "u");

const TEXTS: Record<string, (text: string, ...given: Any[]) => Any> = {
  join: (text, items) => list(items).join(text),
  split,
  strip: (text, letters = null) => trimmed(text, letters, true, true),
  lstrip: (text, letters = null) => trimmed(text, letters, true, false),
  rstrip: (text, letters = null) => trimmed(text, letters, false, true),
  replace: replaced,
  startswith: (text, what, from = null, to = null) => ends(text, what, from, to, "startsWith"),
  endswith: (text, what, from = null, to = null) => ends(text, what, from, to, "endsWith"),
  removeprefix: (text, what) => (text.startsWith(what) ? text.slice(what.length) : text),
  removesuffix: (text, what) => (what && text.endsWith(what) ? text.slice(0, text.length - what.length) : text),
  find: (text, what, from = null, to = null) => found(text, what, from, to),
  rfind: (text, what, from = null, to = null) => found(text, what, from, to, true),
  index: (text, what, from = null, to = null) => {
    const at = found(text, what, from, to);
    if (at < 0n) throw ValueError("substring not found");
    return at;
  },
  count: (text, what, from = null, to = null) => {
    const cut = within(text, from, to)?.[0];
    return BigInt(cut === undefined ? 0 : what === "" ? length(cut) + 1 : cut.split(what).length - 1);
  },
  partition: (text, by) => parted(text, by, text.indexOf(by)) ?? tuple_([text, "", ""]),
  rpartition: (text, by) => parted(text, by, text.lastIndexOf(by)) ?? tuple_(["", "", text]),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  islower: (text) => text === text.toLowerCase() && text !== text.toUpperCase(),
  isupper: (text) => text === text.toUpperCase() && text !== text.toLowerCase(),
  isdigit: (text) => DIGITS.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{N}]+$/u.test(text),
  isascii: (text) => [...text].every((letter) => ord(letter) < 128n),
  ljust: (text, width, by = " ") => text + by.repeat(gap(text, width)),
  rjust: (text, width, by = " ") => by.repeat(gap(text, width)) + text,
  center: (text, width, by = " ") => {
    const missing = gap(text, width);
    const left = (missing >> 1) + (missing & Number(width) & 1); // as Python leans
    return by.repeat(left) + text + by.repeat(missing - left);
  },
  zfill: (text, width) => text.replace(/^[+-]?/, (sign) => sign + "0".repeat(gap(text, width))),
  translate: (text, table: Dict) =>
    [...text]
      .map((letter) => {
        const to = table.get(ord(letter), letter);
        return typeof to === "bigint" ? chr(to) : (to ?? "");
      })
      .join(""),
  format: (text, ...given) => formatted(text, given.slice(0, -1), given[given.length - 1]),
};

const LISTS: Record<string, (items: Any[], ...given: Any[]) => Any> = {
  append: (items, item) => {
    items.push(item);
    return null;
  },
  extend: (items, more) => {
    items.push(...list(more));
    return null;
  },
  insert: (items, index, item) => {
    const [at] = new Slice(index, null, null).within(items.length);
    items.splice(at, 0, item);
    return null;
  },
  pop: (items, index = -1n) => items.splice(inside(index, items.length), 1)[0],
  remove: (items, item) => {
    items.splice(Number(LISTS.index?.(items, item)), 1);
    return null;
  },
  index: (items, item, from = null, to = null) => {
    const [first, end] = new Slice(from, to, null).within(items.length);
    const place = items.findIndex((one, i) => i >= first && i < end && eq(one, item));
    if (place < 0) throw ValueError(`${shown(item)} is not in list`);
    return BigInt(place);
  },
  count: (items, item) => BigInt(items.filter((one) => eq(one, item)).length),
  copy: (items) => [...items],
  clear: (items) => {
    items.length = 0;
    return null;
  },
  reverse: (items) => {
    items.reverse();
    return null;
  },
  sort: (items, by = {}) => {
    items.splice(0, items.length, ...sorted(items, by));
    return null;
  },
};

const NUMBERS: Record<string, (number: bigint) => bigint> = {
  bit_length: (number) => (truth(number) ? BigInt(abs(number).toString(2).length) : 0n),
  bit_count: bitCount,
  item: (number) => number,
  tolist: (number) => number,
};

/** Of what stays as it is, methods that would change it. */
const changes = (of: Any, method: string): boolean =>
  of instanceof Tuple ? !["index", "count"].includes(method) : of instanceof Frozen && ["add", "update", "discard", "remove", "clear"].includes(method);

/** A method of a value. */
export function call(of: Any, method: string, given: Any[], by?: Record<string, Any>): Any {
  const kind = typeof of;
  if (kind === "object" && changes(of, method)) throw new TypeError(`${shown(of)} has no ${method}`);
  const known = kind === "string" ? TEXTS[method] : Array.isArray(of) ? LISTS[method] : kind === "bigint" || kind === "boolean" ? NUMBERS[method] : undefined;
  if (known) return (known as Callable)(of, ...given, ...(method === "format" ? [by ?? {}] : by ? [by] : []));
  if (of === null || kind !== "object" || typeof of[method] !== "function") throw new TypeError(`${shown(of)} has no ${method}`);
  if (by) throw new TypeError(`${method} takes no arguments by name`);
  return of[method](...given) ?? null;
}
