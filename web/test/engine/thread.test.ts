// The thread of the computer players: begun before anyone asks for one, and taken once.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { beginThread, takeThread } from "../../src/engine/thread";

class Toy {
  static made: Toy[] = [];
  onerror: (() => void) | null = null;
  constructor(readonly address: string) {
    Toy.made.push(this);
  }
}

beforeEach(() => {
  Toy.made = [];
  Object.assign(globalThis, { Worker: Toy, document: { querySelector: () => ({ content: "/page/worker.js" }) } });
});

test("one that has begun is taken, once", () => {
  beginThread();
  beginThread();
  assert.equal(Toy.made.length, 1);
  assert.equal(takeThread("/page/worker.js") as unknown, Toy.made[0]);
  assert.equal(takeThread("/page/worker.js") as unknown, Toy.made[1]);
});

test("without one it begins when it is wanted", () => {
  assert.equal(takeThread("/page/worker.js") as unknown, Toy.made[0]);
  assert.equal(Toy.made[0]?.address, "/page/worker.js");
});

test("one of another script is not it", () => {
  beginThread();
  assert.equal(takeThread("/other.js") as unknown, Toy.made[1]);
  assert.equal(takeThread("/page/worker.js") as unknown, Toy.made[0]);
});

test("one that can't begin is not taken: whoever wants one hears of the next one's failure", () => {
  beginThread();
  Toy.made[0]?.onerror?.();
  assert.equal(takeThread("/page/worker.js") as unknown, Toy.made[1]);
});
