// The bar that the sides share.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";
import { h, render } from "preact";
import type { Position } from "../../../src/engine/contract";
import { Knot } from "../../../src/local/study";
import { Bar } from "../../../src/pages/analysis/Bar";

const { document } = new Window();
Object.assign(globalThis, { document });

/** How wide each part is where nobody knows how the sides stand. */
function widths(sides: readonly number[]): string[] {
  const host = document.createElement("div");
  const knot = new Knot({ seat: null, over: false } as Position); // chance is to act
  const colours = ["red", "blue", "green", "yellow"];
  render(h(Bar, { knot, sides, scale: 4, colours, called: String, unknown: "chance is to act" }), host as unknown as Element);
  assert.equal(host.querySelector(".eval")?.getAttribute("aria-label"), "chance is to act");
  assert.equal(host.textContent, "", "nobody's share is told");
  return [...host.querySelectorAll<never>(".eval-part")].map((part: { style: { width: string } }) => part.style.width);
}

test("where nobody knows how the sides stand each has the same part, of three as of two", () => {
  assert.deepEqual(widths([0, 1]), ["50.0%"]);
  assert.deepEqual(widths([0, 1, 0, 1]), ["50.0%"]);
  assert.deepEqual(widths([0, 1, 2]), ["33.3%", "33.3%", "33.3%"]);
});
