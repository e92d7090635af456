// A game in two windows of one browser: each goes on from what the other has left.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Pocket, Shelf } from "../../src/local/kept";
import { Sitting, why } from "./sitting";

test("in two windows the computer players of one act: that in which the game went on last; where it does not, the other's do", async () => {
  const one = new Sitting({}, [{}, { bot: 3 }]),
    other = new Sitting({}, [], one.shelf);
  await one.play("take 1");
  other.room.catchUp(); // as it hears of it
  assert.equal(other.last("board info").ply, 2);
  assert.deepEqual([one.asked.length, other.asked.length], [1, 0]);
  await one.breathe();
  other.room.catchUp();
  assert.deepEqual([other.last("board info").ply, other.last("board info").seat], [3, 0]);
  await other.play("take 1");
  one.room.catchUp();
  other.room.close();
  await one.breathe(); // it has waited for long enough
  await one.breathe();
  assert.deepEqual([one.asked.length, other.asked.length], [2, 1]);
  assert.deepEqual([one.last("board info").ply, one.kept.actions.length], [5, 5]);
});

test("a window that has not heard what happened in another overwrites nothing of it", async () => {
  const one = new Sitting({}, [{}, { bot: 3 }]),
    other = new Sitting({}, [], one.shelf);
  await one.play("take 1");
  await one.breathe();
  assert.equal(other.last("board info").ply, 1);
  assert.equal(await why(other.play("take 2")), "stale-ply");
  assert.equal(other.last("board info").ply, 3, "it is told what happened");
  assert.deepEqual(
    one.kept.actions.map(({ action }) => action),
    ["5", "take 1", "take 1"],
  );
  const third = new Sitting({}, [], one.shelf);
  await one.play("take 1");
  third.room.close();
  third.open(one.kept); // opened while the computer player thinks
  await one.breathe();
  const stood = JSON.stringify(one.kept);
  await third.breathe();
  assert.equal(JSON.stringify(one.kept), stood, "one of them has answered before");
});

test("two windows that act in the same moment act one after the other", async () => {
  const one = new Sitting({}, [{}, {}]),
    other = new Sitting({}, [{}, {}], new Shelf(new Pocket()));
  let before: Promise<unknown> = Promise.resolve();
  for (const at of [one, other])
    at.alone = <T>(doing: () => T): Promise<T> => {
      const done = before.then(() => {
        for (const [from, to] of [
          [one, other],
          [other, one],
        ] as const)
          if (from.kept.changed > to.kept.changed) to.shelf.keep(from.kept); // what was written has arrived by then, and no sooner
        return doing();
      });
      before = done;
      return done;
    };
  other.shelf.keep(one.kept);
  other.room.catchUp();
  const played = [one.play("take 1"), why(other.play("take 2"))] as const;
  assert.equal(await played[1], "stale-ply");
  await played[0];
  assert.deepEqual(
    one.kept.actions.map(({ action }) => action),
    ["5", "take 1"],
  );
  assert.deepEqual(other.kept, one.kept);
});
