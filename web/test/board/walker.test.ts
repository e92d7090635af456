// The click walker: from places pointed at to an action, with a way back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Walker } from "../../src/board/walker";

const clicks = { "a1-b1u": ["a1", "b1", "b1^"], "a1-b1r": ["a1", "b1", "b1>"], "a1-a1u": ["a1", "a1", "a1^"], "c3-c4": ["c3", "c4"], pass: ["pass"] };

test("the first targets are the beginnings of all actions", () => {
  assert.deepEqual([...new Walker(clicks).targets()].sort(), ["a1", "c3", "pass"]);
});

test("a single place plays at once", () => {
  assert.deepEqual(new Walker(clicks).point("pass"), { kind: "play", action: "pass" });
});

test("each step narrows what can come next, the last one plays", () => {
  const walker = new Walker(clicks);
  assert.deepEqual(walker.point("a1"), { kind: "step" });
  assert.deepEqual([...walker.targets()].sort(), ["a1", "b1"]);
  assert.equal(walker.completes("b1"), null);
  walker.point("b1");
  assert.equal(walker.completes("b1>"), "a1-b1r");
  assert.deepEqual(walker.point("b1>"), { kind: "play", action: "a1-b1r" });
  assert.deepEqual(walker.path, []);
});

test("pointing at the same place again is a step where the action says so", () => {
  const walker = new Walker(clicks);
  walker.point("a1");
  assert.deepEqual(walker.point("a1"), { kind: "step" });
  assert.deepEqual(walker.path, ["a1", "a1"]);
});

test("there is a way back, step by step", () => {
  const walker = new Walker(clicks);
  walker.point("a1");
  walker.point("b1");
  assert.equal(walker.back(), true);
  assert.deepEqual(walker.path, ["a1"]);
  assert.equal(walker.back(), true);
  assert.equal(walker.back(), false);
});

test("pointing at what was chosen takes it back", () => {
  const walker = new Walker(clicks);
  walker.point("c3");
  assert.deepEqual(walker.point("c3"), { kind: "step" });
  assert.deepEqual(walker.path, []);
});

test("another beginning is another action", () => {
  const walker = new Walker(clicks);
  walker.point("a1");
  walker.point("c3");
  assert.deepEqual(walker.path, ["c3"]);
});

test("what no action goes on with is refused with all that was pointed at", () => {
  const walker = new Walker(clicks);
  walker.point("c3");
  assert.deepEqual(walker.point("z9"), { kind: "refused", places: ["c3", "z9"] });
  assert.deepEqual(walker.path, ["c3"]);
});

test("without actions nothing can be pointed at", () => {
  assert.equal(new Walker({}).idle, true);
  assert.equal(new Walker({}).targets().size, 0);
});

test("of places that mean the same, any can be pointed at", () => {
  const pairs = { "11": ["h1", "h2"], "12": ["h1", "h4"], "21": ["h4", "h1"] };
  const walker = new Walker(pairs, [["h1", "h2", "h3"]]);
  assert.deepEqual([...walker.targets()].sort(), ["h1", "h2", "h3", "h4"]);
  assert.deepEqual(walker.point("h3"), { kind: "step" });
  assert.deepEqual([...walker.targets()].sort(), ["h1", "h2", "h4"]);
  assert.deepEqual(walker.point("h2"), { kind: "play", action: "11" });
  walker.point("h2");
  assert.deepEqual(walker.point("h4"), { kind: "play", action: "12" });
  walker.point("h4");
  assert.deepEqual(walker.point("h3"), { kind: "play", action: "21" });
  walker.point("h3");
  assert.deepEqual(walker.point("h9"), { kind: "refused", places: ["h1", "h9"] });
});

test("an action goes on from a path that means its places", () => {
  const walker = new Walker({ "1 2": ["hand-1", "hand-2"], "1 4": ["hand-1", "hand-4"] }, [["hand-1", "hand-3"]]);
  assert.ok(walker.goesOn(["hand-1", "hand-4"], []));
  assert.ok(walker.goesOn(["hand-1", "hand-4"], ["hand-3"]), "either of two that are alike");
  assert.ok(!walker.goesOn(["hand-1", "hand-4"], ["hand-2"]));
});
