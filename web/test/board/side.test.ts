// A board from its other side.
import assert from "node:assert/strict";
import { test } from "node:test";
import { beside } from "../../src/board/focus";
import { hasSides, sitsAbove, turned } from "../../src/board/side";
import type { Scene } from "../../src/net/scenes";
import type { BoardPlan, Place } from "../../src/net/types";

const say = { key: "places.cell" };
const board: BoardPlan = {
  width: 3,
  height: 3,
  grounds: [
    { kind: "board", x: 1.5, y: 1.5, w: 3, h: 3 },
    { kind: "goal", x: 1.5, y: 2.5, w: 3, h: 1, seat: 0 },
    { kind: "goal", x: 1.5, y: 0.5, w: 3, h: 1, seat: 1 },
  ],
  places: [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => ({ id: `${"abc"[x]}${y + 1}`, kind: "cell", x: x + 0.5, y: y + 0.5, w: 1, h: 1, say }))),
};
const scene: Scene = {
  board,
  colours: ["vermilion", "indigo"],
  look: { pieces: [{ id: "pawn", kind: "pawn", x: 0.5, y: 0.5, w: 0.6, h: 0.6, seat: 0 }] },
  motions: [
    { kind: "turn", x: 1, y: 1, w: 2, h: 2, degrees: 90 },
    { kind: "slide", start: "a1", to: "b1" },
  ],
};
function at(made: Scene, id: string): Place {
  const place = made.board.places.find((each) => each.id === id);
  assert.ok(place, id);
  return place;
}

test("whose goal lies below sits above", () => assert.deepEqual([sitsAbove(board, 0), sitsAbove(board, 1), sitsAbove(board, 2)], [true, false, false]));
test("places, pieces and motions go together to the other side", () => {
  const made = turned(scene);
  assert.deepEqual([at(made, "a1").x, at(made, "a1").y], [2.5, 2.5]);
  const piece = made.look.pieces?.[0],
    motion = made.motions?.[0];
  assert.deepEqual([piece?.x, piece?.y], [2.5, 2.5]);
  assert.deepEqual([motion?.x, motion?.y, motion?.degrees], [2, 2, 90]);
  assert.equal(made.motions?.[1], scene.motions?.[1]);
  assert.equal(sitsAbove(made.board, 0), false);
});
test("the same board stays the same object, and twice turned is where it was", () => {
  assert.equal(turned(scene).board, turned({ ...scene }).board);
  assert.deepEqual(turned(turned(scene)).board.places, board.places);
});
test("arrows mean what is seen", () => assert.equal(beside(turned(scene).board.places, at(turned(scene), "b2"), "ArrowUp")?.id, "b3"));
test("a table with fields is laid for its viewer already", () => {
  assert.equal(hasSides(board), true);
  assert.equal(hasSides({ ...board, grounds: [{ kind: "field", x: 1, y: 1, w: 1, h: 1, seat: 0 }] }), false);
});
