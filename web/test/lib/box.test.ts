// Where something lies in the window, as pointers tell their own place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";
import { boxOf } from "../../src/lib/box";

const window = new Window();
const { document } = window;
Object.assign(globalThis, { document });
const board = document.createElement("div");

/** A window so wide, in which boxes of the body and of the board are told so. */
function told(wide: number, body: number, box: [number, number, number, number]): void {
  Object.defineProperty(document.documentElement, "clientWidth", { value: wide, configurable: true });
  document.body.getBoundingClientRect = () => new window.DOMRect(0, 0, body, 900);
  board.getBoundingClientRect = () => new window.DOMRect(...box);
}

const box = () => boxOf(board as unknown as Element);

test("a box is where pointers meet it, whichever pixels of a page that is zoomed a browser tells boxes in", () => {
  const there = { left: 675, top: 135, width: 756, height: 540 };
  told(2560, 2560, [675, 135, 756, 540]); // the window's
  assert.deepEqual(box(), there);
  told(2560, 2560 / 1.35, [500, 100, 560, 400]); // the page's, as WebKit does
  assert.deepEqual(box(), there);
});

test("in a browser whose own zoom leaves parts of pixels a box is as it is told", () => {
  told(1164, 1163.64, [12.5, 80.25, 560, 400]);
  assert.deepEqual(box(), { left: 12.5, top: 80.25, width: 560, height: 400 });
});
