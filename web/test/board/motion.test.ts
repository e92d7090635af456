// Movements: each ends once, by itself or when the next move comes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";
import type { Piece } from "../../src/net/types";

Object.assign(globalThis, { document: new Window().document });
const { between, flip, slideFrom } = await import("../../src/board/motion");

const disc: Piece = { id: "one", kind: "disc", x: 0.5, y: 0.5, w: 0.8, h: 0.8, seat: 0 };

/** An element whose animations run until the test ends them. */
function stage() {
  const running: { onfinish: (() => void) | null; cancel: () => void }[] = [];
  let cancelled = 0;
  const prototype = Object.getPrototypeOf(document.createElementNS("http://www.w3.org/2000/svg", "g")) as { animate: unknown };
  prototype.animate = () => {
    const animation = {
      onfinish: null,
      cancel: () => {
        cancelled++;
      },
    };
    running.push(animation);
    return animation;
  };
  return { node: document.createElementNS("http://www.w3.org/2000/svg", "g"), next: () => running.shift()?.onfinish?.(), cancelled: () => cancelled };
}

test("what has come to rest by itself is not touched by the next move", () => {
  const { node, next, cancelled } = stage();
  let rested = 0;
  const end = slideFrom(node, { x: 1, y: 1 }, disc, () => {
    rested++;
  });
  next();
  end();
  assert.deepEqual([rested, cancelled()], [1, 0]);
});

test("what still moves when the next move comes is put down at once, and only once", () => {
  const { node, next, cancelled } = stage();
  let rested = 0;
  const end = slideFrom(node, { x: 1, y: 1 }, disc, () => {
    rested++;
  });
  end();
  end();
  next();
  assert.deepEqual([rested, cancelled()], [1, 1]);
});

test("a piece that has turned over keeps the element that it shows", () => {
  const { node, next } = stage();
  let rested = 0;
  node.innerHTML = "<circle/>";
  const end = flip(node, disc, "<rect/>", () => {
    rested++;
  });
  assert.equal(node.firstElementChild?.tagName.toLowerCase(), "circle"); // until it stands on its edge
  next();
  next();
  const shown = node.firstElementChild;
  assert.equal(shown?.tagName.toLowerCase(), "rect");
  end();
  assert.equal(node.firstElementChild, shown);
  assert.equal(rested, 1);
});

test("a piece that is still turning over shows its new side at once", () => {
  const { node } = stage();
  let rested = 0;
  node.innerHTML = "<circle/>";
  const end = flip(node, disc, "<rect/>", () => {
    rested++;
  });
  end();
  end();
  assert.equal(node.innerHTML.replace(/\s/g, "").toLowerCase().startsWith("<rect"), true);
  assert.equal(rested, 1);
});

test("dice lie between the places, where they hide none of them", () => {
  const places = Array.from({ length: 49 }, (_, n) => ({ x: (n % 7) + 0.5, y: Math.floor(n / 7) + 0.5 }));
  for (const count of [2, 3]) {
    const dice = between(places, count, 3.5, 3.5);
    assert.equal(dice.length, count);
    for (const die of dice) {
      assert.ok(die.size > 0.5 && die.size <= 1);
      const half = 0.5 * die.size;
      for (const place of places) assert.ok(Math.abs(place.x - die.x) > half + 0.1 || Math.abs(place.y - die.y) > half + 0.1);
    }
    for (const [n, die] of dice.entries()) for (const other of dice.slice(n + 1)) assert.ok(Math.abs(die.x - other.x) >= 1);
  }
});
