// Numbers as Python reads, rounds and writes them.

import { strip } from "./spaces";

/** The digit that a letter of any script is. */
function digitOf(letter: string): string {
  let code = letter.codePointAt(0) ?? 0;
  let digit = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(--code))) digit += 1; // scripts have their ten digits in a row
  return String(digit % 10);
}

const plainDigits = (text: string): string => strip(text).replace(/(?!\d)\p{Nd}/gu, digitOf);
const joined = (digits: string): string => digits.replace(/(?<=[0-9a-z])_(?=[0-9a-z])/gi, "");

/** The whole number that a text is, to a base; null if it is none. */
export function readWhole(text: string, base: number): bigint | null {
  const prefix = ({ 2: "0b", 8: "0o", 16: "0x" } as Record<number, string>)[base];
  const found = /^([+-]?)([0-9a-z]+)$/i.exec(joined(plainDigits(text)));
  if (!found || base < 2 || base > 36) return null;
  const written = (found[2] as string).toLowerCase();
  const digits = prefix && written.startsWith(prefix) ? written.slice(2) : written;
  if (!digits || [...digits].some((digit) => !(Number.parseInt(digit, 36) < base))) return null;
  const number = base === 10 ? BigInt(digits) : [...digits].reduce((all, digit) => all * BigInt(base) + BigInt(Number.parseInt(digit, 36)), 0n);
  return found[1] === "-" ? -number : number;
}

/** The number that a text is; null if it is none. */
export function readReal(text: string): number | null {
  const written = joined(plainDigits(text)).toLowerCase();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(written)) return Number(written);
  const word = /^([+-]?)(inf|infinity|nan)$/.exec(written);
  if (!word) return null;
  return word[2] === "nan" ? Number.NaN : word[1] === "-" ? -Infinity : Infinity;
}

/** A number with a point, in as few digits as say which it is. */
export function written(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const sign = Object.is(value, -0) ? "-" : "";
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return sign + value.toFixed(1);
  const [digits, power] = value.toExponential().split("e") as [string, string];
  if (Number(power) >= -4 && Number(power) < 16) return String(value);
  return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

/** How often a power of ten goes into a number, half to even. */
function cut(value: number, places: number): bigint {
  const size = Math.abs(value);
  const [before, after = ""] = (size < 1e21 ? size.toFixed(Math.min(100, Math.max(places, 0) + 60)) : String(BigInt(size))).split(".") as [string, string?];
  const digits = before + after.padEnd(Math.max(places, 0), "0");
  const at = before.length + places;
  const [kept, rest] = at > 0 ? [digits.slice(0, at), digits.slice(at)] : ["0", "0".repeat(-at) + digits];
  const half = `5${"0".repeat(Math.max(0, rest.length - 1))}`;
  return BigInt(kept) + (rest > half || (rest === half && Number(kept.slice(-1)) % 2 === 1) ? 1n : 0n);
}

/** A number with so many places behind the point. */
export function fixed(value: number, places: number): string {
  if (!Number.isFinite(value)) return written(value);
  const digits = cut(value, places)
    .toString()
    .padStart(places + 1, "0");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return sign + digits.slice(0, digits.length - places) + (places ? `.${digits.slice(digits.length - places)}` : "");
}

/** Half to even, as Python rounds. */
export function round(value: bigint | number | boolean, digits: bigint | null = null): bigint | number {
  const places = Number(digits ?? 0n);
  if (typeof value !== "number") {
    const number = typeof value === "boolean" ? (value ? 1n : 0n) : value;
    if (places >= 0) return number;
    const unit = 10n ** BigInt(-places);
    const [size, sign] = number < 0n ? [-number, -1n] : [number, 1n];
    const rest = 2n * (size % unit);
    const kept = size / unit;
    return sign * unit * (kept + (rest > unit || (rest === unit && kept % 2n === 1n) ? 1n : 0n));
  }
  if (digits === null) {
    if (!Number.isFinite(value)) throw new RangeError("cannot convert float to integer");
    return value < 0 ? -cut(value, 0) : cut(value, 0);
  }
  if (places >= 0) return Number.isFinite(value) ? Number(fixed(value, places)) : value;
  const found = Number(cut(value, places) * 10n ** BigInt(-places));
  return value < 0 || Object.is(value, -0) ? -found : found;
}
