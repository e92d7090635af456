// What a pointer, a finger and the arrow keys mean.
import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, layer, layers, nearest } from "../../src/board/focus";
import { frame, outside } from "../../src/board/frame";
import { pick } from "../../src/board/pick";
import type { BoardPlan, Place } from "../../src/net/types";

const say = { key: "places.cell" };
const cell = (id: string, x: number, y: number): Place => ({ id, kind: "cell", x, y, w: 0.86, h: 0.86, say });
const slot = (id: string, x: number, y: number, w: number, h: number): Place => ({ id, kind: "slot", x, y, w, h, say });
const plan: BoardPlan = {
  width: 3,
  height: 4,
  grounds: [{ kind: "board", x: 1.5, y: 1.5, w: 3, h: 3 }],
  places: [
    ...[0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => cell(`${"abc"[x]}${y + 1}`, x + 0.5, y + 0.5))),
    slot("a1h", 1, 1, 1.9, 0.14),
    slot("a1v", 1, 1, 0.14, 1.9),
    slot("b1h", 2, 1, 1.9, 0.14),
    { id: "turn", kind: "button", x: 1.5, y: 3.6, w: 2, h: 0.6, say },
  ],
};
function placed(id: string): Place {
  const found = plan.places.find((place) => place.id === id);
  assert.ok(found, id);
  return found;
}
const all = new Set(plan.places.map((place) => place.id));

test("the middle of a cell is the cell", () => assert.equal(pick(plan, all, 1.5, 1.5)?.id, "b2"));
test("the groove below a cell is the wall lying there", () => assert.equal(pick(plan, all, 0.5, 1)?.id, "a1h"));
test("the groove beside a cell is the wall standing there", () => assert.equal(pick(plan, all, 1, 0.4)?.id, "a1v"));
test("where two walls could lie, the one whose middle is nearer", () => assert.equal(pick(plan, all, 1.7, 1)?.id, "b1h"));
test("what can't be chosen does not stand in the way of what can", () => assert.equal(pick(plan, new Set(["b2"]), 1.5, 1.08)?.id, "b2"));
test("a finger means the nearest thing to choose", () => assert.equal(pick(plan, new Set(["c3"]), 1.7, 2.5, true)?.id, "c3"));
test("a finger in the middle of a cell means that cell", () => assert.equal(pick(plan, new Set(["c3"]), 1.5, 2.5, true)?.id, "b3"));
test("a try at something else is still a try at what is there", () => assert.equal(pick(plan, new Set(["c3"]), 0.5, 0.5)?.id, "a1"));
test("beside the board there is nothing", () => assert.equal(pick(plan, all, -2, 9), null));

test("lying and standing walls are walked over apart", () => {
  assert.deepEqual(layers(plan.places), ["cell", "flat", "tall", "button"]);
  assert.equal(layer(placed("a1v")), "tall");
});
test("an arrow leads to the next place that way, or nowhere", () => {
  const cells = plan.places.filter((place) => place.kind === "cell"),
    at = placed;
  assert.equal(beside(cells, at("a1"), "ArrowRight")?.id, "b1");
  assert.equal(beside(cells, at("b2"), "ArrowUp")?.id, "b1");
  assert.equal(beside(cells, at("a1"), "ArrowLeft"), null);
  assert.equal(nearest(cells, 2.2, 2.9)?.id, "c3");
});
test("the picture has no empty rim, and buttons outside it are shown below", () => {
  const box = frame(plan);
  assert.ok(box.h < 3.5 && box.w < 3.5);
  assert.equal(outside(placed("turn"), box), true);
  assert.equal(outside({ ...placed("a1"), kind: "button" }, box), false);
});
