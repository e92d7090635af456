// The address of what is analysed: what it tells, and what it can't.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineAddress, positionAddress } from "../../src/local/line";

const told = (address: string | null): URLSearchParams => new URL(address ?? "", "http://here").searchParams;

test("a line's address says where it begins and what was played there", () => {
  const address = told(lineAddress("toy", { seats: 3 }, "5 s1", ["take 2", "take 1"]));
  assert.deepEqual([...address].sort(), [
    ["moves", '["take 2","take 1"]'],
    ["options", '{"seats":3}'],
    ["position", "5 s1"],
  ]);
  assert.ok(!told(lineAddress("toy", {}, undefined, ["5"])).has("position"), "the game's own beginning needs none");
});

test("a line too long for an address has none: a position always has one", () => {
  assert.equal(lineAddress("toy", {}, undefined, Array(2000).fill("take 2")), null);
  assert.equal(told(positionAddress("toy", {}, "1 s1")).get("position"), "1 s1");
});
