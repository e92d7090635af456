// The scene renderer: what is drawn, what became of each piece, and how little is touched by an update.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";
import { piece as drawPiece } from "../../src/board/draw";
import { afterTurn, changes, inside, survives } from "../../src/board/match";
import type { Scene } from "../../src/net/scenes";
import type { Piece, Place } from "../../src/net/types";

const window = new Window();
Object.assign(globalThis, { document: window.document, matchMedia: () => ({ matches: true }) }); // nothing moves: every picture is there at once
const { BoardView } = await import("../../src/board/view");

const say = { key: "places.cell" };
const places: Place[] = ["a1", "b1", "c1"].map((id, x) => ({ id, kind: "cell", x: x + 0.5, y: 0.5, w: 1, h: 1, say }));
const byId = new Map(places.map((place) => [place.id, place]));
const disc = (id: string, x: number, seat: number): Piece => ({ id, kind: "disc", x: x + 0.5, y: 0.5, w: 0.8, h: 0.8, seat });
const board = { width: 3, height: 1, grounds: [{ kind: "board", x: 1.5, y: 0.5, w: 3, h: 1 }], places, captions: [{ text: "a<b", x: 0.5, y: 0 }] };
const scene = (pieces: Piece[], more: Partial<Scene> = {}): Scene => ({ board, colours: ["black", "white"], look: { pieces }, ...more });
const view = () =>
  new BoardView({
    place: (place) => place.id,
    label: (phrase) => phrase.key,
    spoken: (place, here, target) => [place.id, ...here.map((piece) => piece.id), target].join(" "),
  });
/** The first of what is drawn that matches. */
function found(within: Element, selector: string): Element {
  const element = within.querySelector(selector);
  assert.ok(element, selector);
  return element;
}
const nodes = (shown: InstanceType<typeof BoardView>) => [...shown.root.querySelectorAll(".pieces > .piece")];

test("every kind of piece has a shape, and each seat a sign beside its colour", () => {
  for (const kind of ["pawn", "stone", "marble", "disc", "koma", "wall", "half"])
    assert.match(drawPiece({ ...disc("x", 0, 0), kind }, ["red", "black"]), /<(circle|path|rect)/);
  const signs = new Set([0, 1, 2, 3].map((seat) => drawPiece({ ...disc("x", 0, seat), kind: "stone" }, ["jade", "jade", "jade", "jade"])));
  assert.equal(signs.size, 4);
});

test("a koma's text is written as text", () => assert.match(drawPiece({ ...disc("k", 0, 0), kind: "koma", text: "<王" }, ["red"]), /&#60;王/));

test("what stays is not touched, what moves keeps its element, what goes goes", () => {
  const shown = view();
  shown.show(scene([disc("one", 0, 0), disc("two", 1, 1)]));
  const [one, two] = nodes(shown);
  shown.show(scene([disc("one", 2, 0), disc("two", 1, 1)]));
  assert.deepEqual(nodes(shown), [one, two]);
  assert.equal(one?.getAttribute("transform"), "translate(250 50)");
  shown.show(scene([disc("two", 1, 1)]));
  shown.settle();
  assert.deepEqual(nodes(shown), [two]);
});

test("of marks and tints only what is new is drawn, each in its order", () => {
  const shown = view(),
    marks = (...ids: string[]) => ids.map((place) => ({ kind: "ring", place })),
    drawn = () => [...shown.root.querySelectorAll(".marks > *")];
  const rings = () => drawn().map((ring) => found(ring, "circle").getAttribute("cx"));
  shown.show(scene([], { look: { marks: marks("a1", "b1") } }));
  const [one, two] = drawn();
  shown.show(scene([], { look: { marks: marks("c1", "b1") } }));
  assert.equal(drawn()[1], two);
  assert.deepEqual(rings(), ["250", "150"]);
  shown.show(scene([], { look: { marks: marks("b1", "c1", "b1") } })); // another order, and one of them twice
  assert.equal(drawn()[0], two);
  assert.deepEqual(rings(), ["150", "250", "150"]);
  shown.show(scene([], { look: { marks: marks("b1", "a1") } }));
  assert.deepEqual(rings(), ["150", "50"]);
  assert.equal(one?.isConnected, false);
  shown.show(scene([]));
  assert.deepEqual(rings(), []);
});

test("a picture that was drawn before is a new element all the same", () => {
  const shown = view(),
    mark = { look: { marks: [{ kind: "ring", place: "a1" }] } },
    ring = () => found(shown.root, ".marks > *");
  shown.show(scene([], mark));
  const first = ring();
  shown.show(scene([]));
  shown.show(scene([], mark));
  assert.notEqual(ring(), first);
  assert.equal(ring().outerHTML, first.outerHTML);
});

test("it is known whether anything on the board is other than before", () => {
  const shown = view(),
    last = { marks: [{ kind: "last", place: "a1" }] };
  assert.equal(shown.show(scene([disc("one", 0, 0)])), true); // the board itself
  assert.equal(shown.show(scene([disc("one", 0, 0)])), false);
  assert.equal(shown.show(scene([disc("other", 0, 0)])), false); // it is called otherwise, and looks the same
  assert.equal(shown.show(scene([disc("other", 0, 1)])), true);
  assert.equal(shown.show(scene([], { look: last })), true);
  assert.equal(shown.show(scene([], { look: last })), false);
});

test("what keeps name and look stays, whatever else has come to look like it", () => {
  const change = changes([disc("one", 0, 0), disc("two", 1, 0)], [disc("two", 1, 0), disc("one", 2, 0), disc("three", 0, 0)], [], byId);
  assert.deepEqual(
    change.kept.map(([before, after]) => [before.id, after.id]),
    [
      ["two", "two"],
      ["one", "three"],
    ],
  );
  assert.deepEqual(
    change.added.map(({ piece }) => piece.id),
    ["one"],
  );
});

test("a slide moves the piece that stood there, whatever it is called", () => {
  const change = changes([disc("a1", 0, 0)], [disc("b1", 1, 0)], [{ kind: "slide", start: "a1", to: "b1" }], byId);
  assert.equal(change.kept.length, 1);
  assert.equal(change.added.length + change.removed.length, 0);
});

test("what comes out of a place is not what lay there of another kind", () => {
  const change = changes([{ ...disc("a1", 0, 0), kind: "halo" }], [disc("b1", 1, 0)], [{ kind: "slide", start: "a1", to: "b1" }], byId);
  assert.deepEqual(change.kept, []);
  assert.equal(change.added[0]?.from?.id, "a1");
  assert.equal(change.removed.length, 1);
});

test("what buds off comes from its parent", () => {
  const change = changes(
    [disc("a1", 0, 0)],
    [disc("b1", 1, 0), disc("c1", 2, 0)],
    [
      { kind: "slide", start: "a1", to: "b1" },
      { kind: "slide", start: "b1", to: "c1" },
    ],
    byId,
  );
  assert.deepEqual(
    change.kept.map(([before, after]) => [before.id, after.id]),
    [["a1", "b1"]],
  );
  assert.equal(change.added[0]?.from?.id, "b1");
});

test("a turned window carries what lies in it; what finds no place is destroyed", () => {
  const motion = { kind: "turn", x: 2, y: 2, w: 4, h: 4, degrees: 90 };
  const wall = (id: string, x: number, y: number, w: number, h: number): Piece => ({ id, kind: "wall", x, y, w, h });
  assert.deepEqual(afterTurn(wall("w", 1, 1, 1.9, 0.14), motion), { x: 3, y: 1, w: 0.14, h: 1.9 });
  assert.equal(inside(wall("w", 1, 1, 1.9, 0.14), motion), true);
  assert.equal(inside(wall("w", 4, 1, 1.9, 0.14), motion), false);
  assert.equal(survives(wall("w", 1, 1, 1.9, 0.14), motion, [wall("n", 3, 1, 0.14, 1.9)]), true);
  assert.equal(survives(wall("w", 1, 1, 1.9, 0.14), motion, [wall("n", 3, 1, 1.9, 0.14)]), false);
  assert.equal(survives(wall("w", 1, 1, 1.9, 0.14), motion, []), false);
});

test("places are named with what stands there, and whether they can be chosen", () => {
  const shown = view();
  shown.show(scene([disc("one", 0, 0)]));
  shown.aim(new Set(["a1"]), [], 0, false);
  shown.name();
  const spot = found(shown.root, '[data-place="a1"]');
  assert.equal(spot.getAttribute("aria-label"), "a1 one true");
  assert.equal(spot.getAttribute("aria-disabled"), "false");
  assert.equal(found(shown.root, '[data-place="b1"]').getAttribute("aria-disabled"), "true");
});

test("targets, a begun action and a ghost are drawn, and are gone afterwards", () => {
  const shown = view();
  shown.show(scene([disc("one", 0, 0)]));
  shown.aim(new Set(["b1", "c1"]), ["a1"], 0, false);
  assert.equal(shown.root.querySelectorAll(".target").length, 2);
  assert.equal(shown.root.querySelectorAll(".chosen > *").length, 1);
  shown.ghost({ look: { pieces: [disc("one", 1, 0)] } });
  assert.equal(shown.root.querySelectorAll(".ghosts .ghost").length, 1);
  shown.aim(new Set(), [], null, false);
  shown.ghost(null);
  assert.equal(shown.root.querySelectorAll(".target, .chosen > *, .ghosts .ghost, .fading").length, 0);
});

test("the order of the scene is the order of painting", () => {
  const shown = view();
  shown.show(scene([disc("one", 0, 0), disc("two", 1, 1)]));
  shown.show(scene([disc("three", 2, 0), disc("two", 1, 1), disc("one", 0, 0)]));
  shown.settle();
  assert.deepEqual(
    nodes(shown).map((node) => node.getAttribute("transform")),
    ["translate(250 50)", "translate(150 50)", "translate(50 50)"],
  );
});

test("captions are text, not markup", () => {
  const shown = view();
  shown.show(scene([]));
  assert.equal(found(shown.root, ".captions text").textContent, "a<b");
});

test("a long name leaves room for what is said of whoever has it", () => {
  const names: Record<string, string> = { one: "Wandering Dragonfly", other: "Bo" };
  const shown = new BoardView({
    place: () => "",
    spoken: () => "",
    label: ({ key }, brief) => `${brief(names[key] ?? "")} is to receive`,
  });
  const said = (key: string, w: number): string => {
    shown.show(scene([], { look: { pieces: [], labels: [{ say: [{ key }], x: 1, y: 0.5, w, size: 0.2 }] } }));
    shown.write();
    return found(shown.root, ".labels text").textContent ?? "";
  };
  assert.equal(said("one", 9), "Wandering Dragonfly is to receive");
  assert.equal(said("one", 3), "Wanderin… is to receive");
  assert.equal(said("one", 2.3), "Wan… is to receive");
  assert.equal(said("other", 2.3), "Bo is to receive");
  assert.match(said("one", 1.5), /^Wandering.*…$/, "no name is short enough");
});
