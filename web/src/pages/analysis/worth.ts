// What a position is worth, for people.

import { type Knot, WON } from "../../local/study";
import { say } from "../../net/i18n";

const SURE = 9_900; // from here on it is not points but a win, so many actions away
const BELIEVED = 8_900; // and from here on a win against all that was looked at
const MOST = 9_000; // what such a win is worth, less those actions

/** Points with a sign; a win that is seen to its end is one. */
export function worthText(value: number): string {
  if (Math.abs(value) >= BELIEVED) return `${Math.abs(value) < SURE ? "≈" : ""}${value > 0 ? "+∞" : "−∞"}`;
  const points = Math.abs(value).toFixed(Math.abs(value) >= 10 ? 0 : 1);
  return Number(points) === 0 ? "0" : `${value > 0 ? "+" : "−"}${points}`;
}

/** The same at length: a win or a loss with how many actions it is away, as in a terminal. */
export function wholeWorth(value: number): string {
  const far = Math.abs(value);
  if (far < BELIEVED) return worthText(value);
  const key = far < SURE ? (value > 0 ? "may_win" : "may_lose") : value > 0 ? "wins" : "loses";
  return say(undefined, { key: `terminal.${key}`, values: { n: Math.round(100 * ((far < SURE ? MOST : WON) - far)) } }) || worthText(value);
}

/** From 0 (lost) to 1 (won); `scale`: what is much in this game. */
export const share = (value: number, scale: number): number => (Math.abs(value) >= SURE ? (value > 0 ? 1 : 0) : 0.5 + 0.5 * Math.tanh(value / (4 * scale)));

/** The part of the game that each side has in its hands, the first seat's first; null: not known. Of more than two, every seat plays for itself. */
export function parts(knot: Knot, sides: readonly number[], scale: number): number[] | null {
  if (new Set(sides).size > 2) return knot.chances(sides.length);
  const worth = knot.worth(0, sides);
  if (worth === null) return null;
  const first = share(worth, scale);
  return [first, 1 - first];
}

/** A share in whole per cent. */
export const percent = (share: number): string => `${Math.round(100 * share)}%`;
