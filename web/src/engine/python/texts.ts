// Texts. Python counts letters where JavaScript counts halves of some of them: chess pieces are one either way, playing cards are not.

import type { Slice } from "./arrays";
import { type Any, Dict, repr, shown, ValueError, whole } from "./values";

export const chr = (code: bigint): string => String.fromCodePoint(Number(code));
export const ord = (letter: string): bigint => BigInt(letter.codePointAt(0) ?? 0);
/** Whether a value is a text that can be written down: half a surrogate pair can't. */
export const isText = (value: Any): boolean => typeof value === "string" && !/[\ud800-\udfff]/u.test(value);

const HALVES = /[\ud800-\udfff]/;
let looked = "";
/** Whether every letter of a text is one place long; it is asked of the same text again and again. */
export function even(text: string): boolean {
  if (text === looked) return true;
  if (HALVES.test(text)) return false;
  looked = text;
  return true;
}

export const length = (text: string): number => (even(text) ? text.length : [...text].length);
export const letter = (text: string, at: number): string => (even(text) ? (text[at] as string) : ([...text][at] as string));

export function part(text: string, cut: Slice): string {
  const letters = even(text) ? text : [...text];
  const [from, to, step] = cut.within(letters.length);
  if (step === 1) return typeof letters === "string" ? letters.slice(from, Math.max(from, to)) : letters.slice(from, Math.max(from, to)).join("");
  let found = "";
  for (let i = from; step > 0 ? i < to : i > to; i += step) found += letters[i];
  return found;
}

/** A value as an error quotes it: a short piece of it at most. */
export const quoted = (value: Any): string => {
  if (typeof value !== "string") return shown(value);
  return length(value) > 60 ? `${repr([...value].slice(0, 60).join(""))}…` : repr(value);
};

export function maketrans(from: Any, to = "", without = ""): Dict {
  if (from instanceof Dict) return new Dict(from.items().map(([name, value]) => [typeof name === "string" ? ord(name) : whole(name), value]));
  const [one, other] = [[...from], [...to]];
  if (one.length !== other.length) throw ValueError("the first two maketrans arguments must have equal length");
  const made = new Dict(one.map((letter, i) => [ord(letter), ord(other[i] as string)]));
  for (const letter of without) made.set(ord(letter), null);
  return made;
}
