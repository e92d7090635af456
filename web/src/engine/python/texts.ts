// Texts, formats and regular expressions.

import { type Any, Dict, repr, str, ValueError, whole } from "./values";

export const chr = (code: bigint): string => String.fromCodePoint(Number(code));
export const ord = (letter: string): bigint => BigInt(letter.codePointAt(0) ?? 0);
/** Whether a value is a text that can be written down: half a surrogate pair can't. */
export const isText = (value: Any): boolean => typeof value === "string" && !/[\ud800-\udfff]/u.test(value);

/** A value as an error quotes it: a short piece of it at most. */
export const quoted = (value: Any): string => (typeof value === "string" && value.length > 60 ? `${repr(value.slice(0, 60))}…` : repr(value));

export function format(value: Any, spec: string): string {
  if (spec === "") return str(value);
  const found = /^(0?)(\d*)(?:\.(\d+))?([bdxf]?)$/.exec(spec);
  if (!found) throw ValueError(`the format ${repr(spec)} is not known`);
  const [, zero, width, digits, kind] = found;
  const number = whole(value);
  const written =
    kind === "f" ? Number(number).toFixed(Number(digits ?? 6)) : kind === "b" ? number.toString(2) : kind === "x" ? number.toString(16) : String(str(number));
  return written.padStart(Number(width || 0), zero ? "0" : " ");
}

// --- regular expressions ---

export class Match {
  constructor(private readonly found: RegExpMatchArray) {}
  group(which: Any = 0n): Any {
    return (typeof which === "string" ? this.found.groups?.[which] : this.found[Number(which)]) ?? null;
  }
  groups(): Any[] {
    return [...this.found].slice(1).map((one) => one ?? null);
  }
}

export class Pattern {
  constructor(readonly source: string) {}
  private tried(text: string, end: string): Match | null {
    const found = new RegExp(`^(?:${this.source.replaceAll("(?P<", "(?<")})${end}`, "u").exec(text);
    return found && new Match(found);
  }
  fullmatch(text: string): Match | null {
    return this.tried(text, "$");
  }
  match(text: string): Match | null {
    return this.tried(text, "");
  }
}

export const regex = (source: string): Pattern => new Pattern(source);
export const fullmatch = (source: string, text: string): Match | null => new Pattern(source).fullmatch(text);
export const maketrans = (from: string, to: string): Dict => new Dict([...from].map((letter, i) => [ord(letter), ord(to[i] ?? "")]));
