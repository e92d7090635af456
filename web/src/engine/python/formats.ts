// What stands behind the colon in `{value:spec}`. Whatever else Python knows of it is refused when a function is translated.

import { fixed } from "./numbers";
import { type Any, repr, str, whole } from "./values";

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([sdboxXfF%])?$/su;
const BASES: Record<string, [number, string]> = { b: [2, "0b"], o: [8, "0o"], x: [16, "0x"], X: [16, "0X"] };

export function format(given: Any, spec: string): string {
  if (spec === "") return str(given);
  const value = whole(given);
  const found = SPEC.exec(spec);
  const text = typeof value === "string";
  if (!found || (!text && typeof value !== "bigint" && typeof value !== "number")) throw new TypeError(`${spec} is no format that is known for ${repr(given)}`);
  const [, fill, side, sign, prefix, zero, width, group, places, kind] = found;
  const digits = text ? "" : number(value, kind, places, prefix !== undefined, group ?? "");
  const before = digits.startsWith("-") ? "-" : text || sign === undefined || sign === "-" ? "" : sign;
  const body = text ? [...value].slice(0, places === undefined ? undefined : Number(places)).join("") : digits.replace("-", "");
  const missing = Math.max(0, Number(width ?? 0) - [...body].length - before.length);
  const filled = (fill ?? (zero ? "0" : " ")).repeat(missing);
  const half = missing >> 1;
  switch (side ?? (text ? "<" : zero ? "=" : ">")) {
    case "<":
      return before + body + filled;
    case "^":
      return Array.from(filled).slice(0, half).join("") + before + body + Array.from(filled).slice(half).join("");
    case "=":
      return before + filled + body;
    default:
      return filled + before + body;
  }
}

function number(value: bigint | number, kind: string | undefined, places: string | undefined, prefixed: boolean, group: string): string {
  if (kind === "f" || kind === "F") return grouped(fixed(Number(value), Number(places ?? 6)), group);
  if (kind === "%") return `${fixed(Number(value) * 100, Number(places ?? 6))}%`;
  if (places !== undefined || kind === "s" || (typeof value === "number" && kind !== undefined)) throw new TypeError(`no such format for ${value}`);
  const [base, prefix] = BASES[kind ?? ""] ?? [10, ""];
  const digits = typeof value === "number" ? str(value) : value.toString(base);
  const large = kind === "X" ? digits.toUpperCase() : digits;
  return prefixed ? large.replace(/^-?/, `$&${prefix}`) : grouped(large, group, base === 10 ? 3 : 4);
}

function grouped(digits: string, by: string, size = 3): string {
  if (!by) return digits;
  const [, sign, before, after] = /^(-?)([0-9a-zA-Z]+)(.*)$/.exec(digits) ?? ["", "", digits, ""];
  return sign + (before as string).replace(new RegExp(`\\B(?=(?:.{${size}})+$)`, "g"), by) + after;
}

/** `text.format(…)`. */
export function formatted(text: string, given: Any[], named: Record<string, Any>): string {
  let next = 0;
  return text.replace(/\{\{|\}\}|\{(\w*)(?:!([rs]))?(?::([^{}]*))?\}/g, (whole_, name: string, shown: string, spec: string) => {
    if (whole_ === "{{" || whole_ === "}}") return whole_.slice(1);
    const value = name === "" ? given[next++] : /^\d+$/.test(name) ? given[Number(name)] : named[name];
    if (value === undefined) throw new TypeError(`${whole_} stands for nothing`);
    return format(shown === "r" ? repr(value) : shown === "s" ? str(value) : value, spec ?? "");
  });
}
