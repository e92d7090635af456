// The methods of texts, lists and numbers.

import { inside } from "./arrays";
import { abs, bitCount, sorted } from "./functions";
import { eq } from "./operators";
import { chr, ord } from "./texts";
import { type Any, type Callable, type Dict, iter, list, repr, str, ValueError } from "./values";

const split = (text: string, by?: string): string[] => (by === undefined ? text.trim().split(/\s+/).filter(Boolean) : text.split(by));

const TEXTS: Record<string, (text: string, ...given: Any[]) => Any> = {
  join: (text, items) => list(items).join(text),
  split,
  strip: (text, letters?: string) => {
    const drop = (letter: string | undefined) => letter !== undefined && (letters === undefined ? /\s/.test(letter) : letters.includes(letter));
    let [from, to] = [0, text.length];
    while (from < to && drop(text[from])) from++;
    while (to > from && drop(text[to - 1])) to--;
    return text.slice(from, to);
  },
  replace: (text, from, to) => text.replaceAll(from, to),
  startswith: (text, what) => text.startsWith(what),
  endswith: (text, what) => text.endsWith(what),
  removeprefix: (text, what) => (text.startsWith(what) ? text.slice(what.length) : text),
  find: (text, what) => BigInt(text.indexOf(what)),
  index: (text, what) => {
    if (!text.includes(what)) throw ValueError("substring not found");
    return BigInt(text.indexOf(what));
  },
  count: (text, what) => BigInt(text.split(what).length - 1),
  partition: (text, by) => (text.includes(by) ? [text.slice(0, text.indexOf(by)), by, text.slice(text.indexOf(by) + by.length)] : [text, "", ""]),
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  isdigit: (text) => /^\d+$/.test(text),
  isalnum: (text) => /^[\p{L}\p{N}]+$/u.test(text),
  isascii: (text) => [...text].every((letter) => ord(letter) < 128n),
  translate: (text, table: Dict) => [...text].map((letter) => (table.has(ord(letter)) ? chr(table.get(ord(letter))) : letter)).join(""),
  format: (text, ...given) => {
    let n = 0;
    return text.replace(/\{\}/g, () => str(given[n++]));
  },
};

const LISTS: Record<string, (items: Any[], ...given: Any[]) => Any> = {
  append: (items, item) => {
    items.push(item);
    return null;
  },
  extend: (items, more) => {
    items.push(...iter(more));
    return null;
  },
  pop: (items, index = -1n) => items.splice(inside(index, items.length), 1)[0],
  remove: (items, item) => {
    items.splice(Number(LISTS.index?.(items, item)), 1);
    return null;
  },
  index: (items, item) => {
    const place = items.findIndex((one) => eq(one, item));
    if (place < 0) throw ValueError(`${repr(item)} is not in the list`);
    return BigInt(place);
  },
  count: (items, item) => BigInt(items.filter((one) => eq(one, item)).length),
  copy: (items) => [...items],
  sort: (items, by = {}) => {
    items.splice(0, items.length, ...sorted(items, by));
    return null;
  },
};

const NUMBERS: Record<string, (number: bigint) => bigint> = {
  bit_length: (number) => (number === 0n ? 0n : BigInt(abs(number).toString(2).length)),
  bit_count: bitCount,
};

/** A method of a value. */
export function call(of: Any, method: string, given: Any[], by?: Record<string, Any>): Any {
  const kind = typeof of;
  const known = kind === "string" ? TEXTS[method] : Array.isArray(of) ? LISTS[method] : kind === "bigint" ? NUMBERS[method] : undefined;
  if (known) return (known as Callable)(of, ...given, ...(by ? [by] : []));
  if (of === null || kind !== "object" || typeof of[method] !== "function") throw new TypeError(`${repr(of)} has no ${method}`);
  return of[method](...given) ?? null;
}
