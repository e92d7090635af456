// What a position is worth to each side, and the words for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Position } from "../../../src/engine/contract";
import { Knot } from "../../../src/local/study";
import { words } from "../../../src/net/i18n";
import { parts, percent, wholeWorth, worthText } from "../../../src/pages/analysis/worth";

const judged = (seat: number, value: number, chances?: number[]): Knot => {
  const knot = new Knot({ seat, over: false } as Position);
  knot.judgement = { values: new Map([["a", value]]), line: ["a"], depth: 1, nodes: 1, sure: false, chances };
  return knot;
};

test("two sides share what there is, whoever is to act", () => {
  const [own = 0, other = 0] = parts(judged(0, 3), [0, 1], 4) ?? [];
  assert.ok(own > 0.5 && Math.abs(own + other - 1) < 1e-9);
  assert.deepEqual(parts(judged(1, -3), [0, 1], 4), [own, other]);
  assert.deepEqual(parts(judged(2, 3), [0, 1, 0, 1], 4), [own, other], "a partner's hopes are one's own");
});

test("of three every seat has its own part, and where that is not known nobody has any", () => {
  assert.deepEqual(parts(judged(2, -2, [0.25, 0.25, 0.5]), [0, 1, 2], 4), [0.25, 0.25, 0.5]);
  assert.equal(parts(judged(2, -2), [0, 1, 2], 4), null);
  assert.equal(percent(1 / 3), "33%");
});

test("what is nearly nothing is nothing, without a sign", () => {
  assert.deepEqual([worthText(0.04), worthText(-0.04), worthText(0.1), worthText(-12.3)], ["0", "0", "+0.1", "−12"]);
});

test("a win is a sign, and at length says how many actions it is away; one that is only believed says so", () => {
  const terminal = { wins: "wins in {n}", loses: "loses in {n}", may_win: "should win in {n}", may_lose: "should lose in {n}" };
  words.value = { games: {}, house: { terminal } } as unknown as typeof words.value;
  const values = [10_000 - 0.03, 0.04 - 10_000, 9_000 - 0.09, 0.1 - 9_000, 12.3];
  assert.deepEqual(values.map(worthText), ["+∞", "−∞", "≈+∞", "≈−∞", "+12"]);
  assert.deepEqual(values.map(wholeWorth), ["wins in 3", "loses in 4", "should win in 9", "should lose in 10", "+12"]);
});
