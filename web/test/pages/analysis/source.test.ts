// The address of what is analysed: what it tells, and what it can't.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineAddress } from "../../../src/pages/analysis/source";

const told = (address: string): URLSearchParams => new URL(address, "http://here").searchParams;

test("a line's address says where it begins and what was played there", () => {
  const address = told(lineAddress("toy", { seats: 3 }, "5 s1", ["take 2", "take 1"], "2 s1"));
  assert.deepEqual([...address].sort(), [
    ["moves", '["take 2","take 1"]'],
    ["options", '{"seats":3}'],
    ["position", "5 s1"],
  ]);
  assert.ok(!told(lineAddress("toy", {}, undefined, ["5"], "5 s1")).has("position"), "the game's own beginning needs none");
});

test("a line too long for an address is told by its last position", () => {
  const address = told(lineAddress("toy", {}, undefined, Array(2000).fill("take 2"), "1 s1"));
  assert.equal(address.get("position"), "1 s1");
  assert.ok(!address.has("moves"));
});
