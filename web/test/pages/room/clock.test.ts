// The remaining time of a seat.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, timeLeft } from "../../../src/pages/room/Clock";

test("a clock counts main time first, then byo-yomi; only for the seat to act", () => {
  const told = {
    now: 0,
    seat: 0,
    deadline: 1,
    heardAt: 1000,
    remaining: [
      { main: 5000, byoyomi: 20000, turn: 0 },
      { main: 0, byoyomi: 20000, turn: 0 },
    ],
  };
  assert.deepEqual(timeLeft(told, "byoyomi", 0, 3000), { ms: 3000, extra: 20000 });
  assert.deepEqual(timeLeft(told, "byoyomi", 0, 8000), { ms: 18000, extra: 0 });
  assert.deepEqual(timeLeft(told, "byoyomi", 1, 9000), { ms: 20000, extra: 0 });
  assert.equal(timeLeft(told, "none", 0, 3000), null);
  assert.equal(clockText(61_200), "1:02");
});
