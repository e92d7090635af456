// Games that are kept in the browser: the newest first, nothing that can't be read, and room for the one that is played.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeptGame, newGame, Pocket, Shelf } from "../../src/local/kept";

const game = (id: string, changed: number, result: KeptGame["result"] = null): KeptGame => ({ ...newGame(id, "toy", {}, [{}], 1), changed, result });

test("games come back in the order in which they were played last", () => {
  const drawer = new Pocket();
  const shelf = new Shelf(drawer);
  shelf.keep(game("a", 1));
  shelf.keep(game("b", 2));
  shelf.keep(game("a", 3));
  drawer.setItem("hanpan.level", "3");
  const again = new Shelf(drawer).games.value;
  assert.deepEqual(
    again.map(({ id, changed }) => [id, changed]),
    [
      ["a", 3],
      ["b", 2],
    ],
  );
  shelf.remove("a");
  assert.equal(shelf.find("a"), null);
  assert.deepEqual(
    new Shelf(drawer).games.value.map(({ id }) => id),
    ["b"],
  );
});

test("what can't be read is left alone", () => {
  const drawer = new Pocket();
  drawer.setItem("hanpan.local.x", "{");
  drawer.setItem("hanpan.local.y", '{"id":"y"}');
  const shelf = new Shelf(drawer);
  assert.deepEqual(shelf.games.value, []);
  assert.equal(shelf.find("x"), null);
});

test("what another version has kept otherwise is left alone: nobody is shown half a game", () => {
  const drawer = new Pocket(),
    whole = { ...game("x", 1), actions: [{ action: "take 1", seat: 0, at: 5 }] };
  const other = (change: object): KeptGame | null => {
    drawer.setItem("hanpan.local.x", JSON.stringify({ ...whole, ...change }));
    return new Shelf(drawer).find("x");
  };
  assert.deepEqual(other({}), whole);
  assert.ok(other({ result: { winner: [0], reason: "resigned", last: [1] } }));
  for (const change of [
    { chairs: [null] },
    { chairs: [{ bot: "strong" }] },
    { actions: ["take 1"] },
    { actions: [null] },
    { actions: [{ action: 1, seat: 0, at: 5 }] },
    { result: { winner: null } },
    { result: undefined },
    { resigned: ["first"] },
    { changed: 1e300 },
  ])
    assert.equal(other(change), null, JSON.stringify(change));
});

test("what another window keeps, changes and deletes is heard", () => {
  const drawer = new Pocket(),
    here = new Shelf(drawer),
    there = new Shelf(drawer);
  const ids = (): string[] => here.games.value.map(({ id }) => id);
  there.keep(game("a", 1));
  here.hear("hanpan.local.a");
  there.keep(game("b", 2));
  here.hear("hanpan.local.b");
  here.hear("hanpan.level");
  assert.deepEqual(ids(), ["b", "a"]);
  there.keep(game("a", 3, { winner: [0], reason: "rules" }));
  here.hear("hanpan.local.a");
  assert.deepEqual(ids(), ["a", "b"]);
  assert.equal(here.games.value[0]?.result?.reason, "rules");
  there.remove("a");
  here.hear("hanpan.local.a");
  assert.deepEqual(ids(), ["b"]);
  there.remove("b");
  here.hear(null);
  assert.deepEqual(ids(), []);
});

test("where there is no room, games that have ended make some, and those that go on stay", () => {
  const drawer = new Pocket(),
    put = drawer.setItem;
  drawer.setItem = (key, value) => {
    if (drawer.getItem(key) === null && drawer.length >= 2) throw new Error("full");
    put(key, value);
  };
  const shelf = new Shelf(drawer);
  const ended = { winner: [0], reason: "rules" };
  assert.equal(shelf.keep(game("old", 1, ended)), 0);
  assert.equal(shelf.keep(game("running", 2)), 0);
  assert.equal(shelf.keep(game("new", 3)), 1, "what was let go is told");
  assert.deepEqual(
    shelf.games.value.map(({ id }) => id),
    ["new", "running"],
  );
  assert.equal(shelf.keep(game("more", 4)), null);
  assert.ok(shelf.find("running"));
});

test("what there is no room for is played on for this visit, and what has ended is not thrown away for nothing", () => {
  const drawer = new Pocket(),
    put = drawer.setItem;
  drawer.setItem = (key, value) => {
    if (value.includes("large")) throw new Error("full");
    put(key, value);
  };
  const shelf = new Shelf(drawer);
  assert.equal(shelf.keep(game("old", 1, { winner: [0], reason: "rules" })), 0);
  assert.equal(shelf.keep(game("large", 2)), null);
  assert.equal(shelf.keep(game("large", 3)), null);
  assert.equal(shelf.find("large")?.changed, 3);
  shelf.look();
  assert.deepEqual(
    shelf.games.value.map(({ id }) => id),
    ["large", "old"],
  );
  assert.deepEqual(
    new Shelf(drawer).games.value.map(({ id }) => id),
    ["old"],
  );
  shelf.remove("large");
  assert.equal(shelf.find("large"), null);
});

test("a game that has found room after all is read from there", () => {
  const drawer = new Pocket(),
    put = drawer.setItem;
  let full = true;
  drawer.setItem = (key, value) => {
    if (full) throw new Error("full");
    put(key, value);
  };
  const shelf = new Shelf(drawer);
  assert.equal(shelf.keep(game("one", 1)), null);
  full = false;
  assert.equal(shelf.keep(game("one", 2)), 0);
  assert.equal(shelf.find("one")?.changed, 2);
});
