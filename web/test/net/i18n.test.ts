// Sentences with values in them, in each language's grammar.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fill } from "../../src/net/i18n";

test("values are put into sentences", () => assert.equal(fill("{a} and {b}", { a: 1, b: "<x>" }), "1 and <x>"));
test("a name that is written from right to left stays where it stands", () =>
  assert.equal(fill("{who} 3–1 {n}", { who: "سلمى", n: 2 }), "\u2068سلمى\u2069 3–1 2"));
test("words agree with the value beside them", () => {
  assert.equal(fill("{n} {n:wall/walls}", { n: 1 }, "en"), "1 wall");
  assert.equal(fill("{n} {n:wall/walls}", { n: 0 }, "en"), "0 walls");
  const sat = (who: string | number): string => fill("{who}{who:이/가}, {who}{who:을/를}, {who}{who:으로/로}", { who }, "ko");
  assert.equal(sat("한판"), "한판이, 한판을, 한판으로");
  assert.equal(sat("바다"), "바다가, 바다를, 바다로");
  assert.equal(sat("별"), "별이, 별을, 별로");
  assert.equal(sat("Google"), "Google가, Google를, Google로");
  assert.equal(sat("Sam"), "Sam이, Sam을, Sam으로");
  assert.equal(sat("銀"), "銀이, 銀을, 銀으로");
  assert.equal(sat("飛"), "飛가, 飛를, 飛로");
  assert.equal(sat(3), "3이, 3을, 3으로");
  assert.equal(sat("x".length), "1이, 1을, 1로");
});
