// A room in the browser: it says what the server's rooms say, plays the computer players' turns, and keeps what happened.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Position } from "../../src/engine/contract";
import type { KeptGame } from "../../src/local/kept";
import { MOST_ACTIONS } from "../../src/local/match";
import { asJson, asText } from "../../src/local/record";
import type { Refused } from "../../src/net/connection";
import { Sitting, why } from "./sitting";

test("whoever comes in is told everything, as a server's room tells it", () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  assert.deepEqual(at.kinds(), ["info", "player info", "board info", "private board info", "game history info"]);
  const { seats } = at.last("player info");
  assert.deepEqual(
    seats.map((seat) => [seat.person?.id, seat.bot]),
    [
      ["me", undefined],
      [undefined, 3],
    ],
  );
  const board = at.last("board info");
  assert.equal(board.ply, 1, "chance has acted already");
  assert.equal(board.seat, 0);
  assert.ok(board.scene);
  assert.deepEqual(at.last("private board info").clicks, { "take 1": ["take", "1"], "take 2": ["take", "2"] });
  assert.equal(at.last("info").playing, true);
});

test("a computer player answers after its pause, from what its seat may know, and the game goes on to its end", async () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  await at.play("take 2");
  assert.deepEqual(
    at.last("board info").recent?.map((told) => [told.action, told.seat]),
    [["take 2", 0]],
  );
  assert.deepEqual(
    at.asked.map(({ seen, level }) => [seen.seat, level]),
    [[1, 3]],
  );
  assert.equal(at.last("board info").ply, 2, "not before its pause is over");
  await at.breathe();
  assert.equal(at.last("board info").ply, 3);
  assert.equal(at.last("board info").seat, 0);
  await at.play("take 2");
  const over = at.last("game over");
  assert.deepEqual([over.winner, over.reason, over.scores], [[0], "rules", [5, 0]]);
  assert.equal(at.last("info").game_id, over.game_id);
  assert.equal(at.last("board info").over, true);
  assert.equal(at.due.size, 0, "nobody thinks after the end");
});

test("what is not possible is refused with a reason, and nothing changes", async () => {
  const at = new Sitting({}, [{}, { bot: 1 }]);
  assert.equal(await why(at.play("take 7")), "no-such-move");
  assert.equal(await why(at.room.call("play", { ply: 9, action: "take 1" })), "stale-ply");
  assert.equal(await why(at.room.call("ask takeback", {})), "nothing-to-take-back");
  assert.equal(await why(at.room.call("send msg", { msg: "hello" })), "unknown-event");
  assert.equal(await why(at.room.call("rematch")), "during-game");
  await at.play("take 1");
  assert.equal(await why(at.play("take 1")), "not-your-turn");
  assert.equal(at.last("board info").ply, 2);
  assert.deepEqual(await at.room.call("why", { ply: 2, clicks: [] }).catch((wrong: Refused) => wrong.refusal.code), "not-your-turn");
});

test("why, preview and hint are answered from what the seat to act may know", async () => {
  const at = new Sitting({ secrets: true }, [{}, { bot: 1 }]);
  const asked = await at.room.call<{ code?: string; phrase?: object }>("why", { ply: 1, clicks: ["elsewhere"] });
  assert.equal(asked.code, "no-such-move");
  assert.equal((await at.room.call<{ code?: string }>("why", { ply: 1, clicks: ["take"] })).code, undefined);
  const sketch = await at.room.call<{ scene: { look: { pieces: { text: string }[] } } }>("preview", { ply: 1, action: "take 2" });
  assert.match(sketch.scene.look.pieces[0]?.text ?? "", /^3 .* 255$/);
  assert.equal((await at.room.call<{ action: string }>("hint", { ply: 1 })).action, "take 1");
  assert.deepEqual(
    at.asked.map(({ seen, level }) => [seen.viewer, level]),
    [[0, 8]],
  );
});

test("what a seat may not know is never told, and is open at the end", async () => {
  const at = new Sitting({ secrets: true }, [{}, { bot: 1 }, { bot: 2 }, { bot: 3 }]);
  assert.equal(at.last("board info").scene, undefined, "the own picture follows");
  assert.match(at.last("private board info").position, / 41 255 255 255$/);
  await at.play("take 1");
  for (let turns = 0; turns < 3; turns++) await at.breathe();
  const told = JSON.stringify(at.heard);
  for (const secret of [42, 43, 44]) assert.ok(!new RegExp(`\\b${secret}\\b`).test(told), String(secret));
  assert.deepEqual(
    at.last("board info").recent?.map((each) => each.action),
    ["take ?"],
  );
  assert.deepEqual(
    at.asked.map(({ seen }) => seen.text.split(" ").filter((byte) => byte === "255").length),
    [3, 3, 3],
    "nor does a computer player know more",
  );
  assert.equal(await why(at.room.call("ask takeback", {})), "secrets-no-takeback");
  await at.play("take 1");
  assert.deepEqual(
    at.last("game history info").actions.map((each) => each.action),
    ["5 41 42 43 44", ...Array(5).fill("take 1")],
  );
});

test("taking back goes to before one's own last action, and whoever was thinking is not heard", async () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  let answer: (action: string) => void = () => undefined;
  at.thinks = () => new Promise((done) => (answer = done));
  await at.play("take 1");
  await at.room.call("ask takeback", { seat: 0 });
  assert.equal(at.last("board info").ply, 1);
  assert.deepEqual(at.last("game history info").actions.length, 1);
  answer("take 1");
  await at.breathe();
  assert.equal(at.last("board info").ply, 1, "its turn is over");
  assert.ok(at.stopped > 0);
  assert.equal(at.kept.actions.length, 1);
});

test("a game goes on where it was, a computer player's turn included", async () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  await at.play("take 1");
  at.room.close();
  assert.equal(at.due.size, 0, "nobody thinks while nobody looks");
  at.heard.length = 0;
  at.room = at.open(at.kept);
  assert.equal(at.last("board info").ply, 2);
  assert.equal(at.last("board info").recent, undefined);
  assert.equal(at.last("game history info").actions.length, 2);
  await at.breathe();
  assert.equal(at.last("board info").ply, 3);
  assert.equal(at.kept.actions.length, 3);
});

test("the next part of a game waits until one is ready", async () => {
  const at = new Sitting({ rounds: 2 }, [{}, {}]);
  for (const action of ["take 2", "take 2", "take 1"]) await at.play(action);
  assert.equal(at.last("board info").paused, true);
  const [round] = at.last("game history info").rounds ?? [];
  assert.deepEqual([round?.ply, round?.out, round?.points, round?.before, round?.scores], [4, 0, 5, [0, 0], [5, 0]]);
  assert.equal(await why(at.play("take 1")), "between-rounds");
  at.heard.length = 0;
  at.room.reload(at.kept);
  assert.equal(at.last("board info").paused, true, "it waits however long one is away");
  await at.room.call("set ready");
  assert.equal(at.last("board info").paused, undefined);
  assert.equal(at.last("board info").ply, 5);
  assert.ok(at.last("player info").seats.every((seat) => !seat.ready));
});

test("where only computer players sit one looks on, and nobody has to be ready", async () => {
  const at = new Sitting({ rounds: 2, secrets: true }, [{ bot: 1 }, { bot: 2 }]);
  assert.ok(at.last("board info").scene, "with a spectator's eyes");
  assert.ok(!at.kinds().includes("private board info"));
  for (let turns = 0; turns < 14; turns++) await at.breathe();
  assert.deepEqual(at.last("game over").scores, [10, 0]);
});

test("a computer player may act for oneself, and stops when one wants to", async () => {
  const at = new Sitting({}, [{}, {}]);
  await at.room.call("auto move", { seat: 0, level: 5 });
  assert.equal(at.last("player info").seats[0]?.auto, 5);
  await at.breathe();
  assert.equal(at.last("board info").ply, 2);
  assert.deepEqual(
    at.asked.map(({ level }) => level),
    [5],
  );
  await at.room.call("auto move", { seat: 0, level: null });
  assert.equal(at.last("player info").seats[0]?.auto, undefined);
});

test("of two sides the one that resigns loses; of more the seat plays on as the rules say, and finishes last", async () => {
  const two = new Sitting({ teams: true }, [{}, { bot: 1 }, { bot: 1 }, { bot: 1 }]);
  await two.room.call("resign");
  assert.deepEqual([two.last("game over").winner, two.last("game over").reason], [[1, 3], "resigned"]);
  const three = new Sitting({}, [{}, { bot: 1 }, { bot: 1 }]);
  await three.room.call("resign");
  assert.equal(three.last("player info").seats[0]?.resigned, true);
  for (const [event, payload] of [
    ["ask takeback", {}],
    ["auto move", { seat: 0, level: 3 }],
    ["hint", { ply: 1 }],
    ["play", { ply: 1, action: "take 1" }],
  ] as const) {
    await assert.rejects(three.room.call(event, payload), (wrong: Refused) => wrong.refusal.code === "has-resigned", event);
  }
  for (let turns = 0; turns < 5; turns++) await three.breathe();
  assert.deepEqual(three.last("game over").winner, [1]);
  assert.deepEqual(three.kept.result, { winner: [1], reason: "rules", last: [0] });
  assert.deepEqual(
    three.kept.actions.map((each) => Boolean(each.forced)),
    [false, true, false, false, true, false],
  );
  assert.match(asText(three.kept, three.table, "Ann"), /^ {3}2 {2}seat 1 {2}take \d {2}\(forced\)$/m);
});

test("a game that its rules do not end ends all the same, and nobody has won", async () => {
  const at = new Sitting({ rounds: 20 }, [{}, {}]);
  const actions: KeptGame["actions"] = [];
  let position: Position = at.game.start();
  while (actions.length < MOST_ACTIONS - 2) {
    const action = position.chance ? "200" : "take 1";
    actions.push({ action, seat: position.seat, at: 0 });
    position = position.play(action);
  }
  at.room.reload({ ...at.kept, actions });
  await at.play("take 1");
  assert.ok(!at.kinds().includes("game over"));
  await at.play("take 1");
  assert.deepEqual([at.last("board info").ply, at.last("game over").winner, at.last("game over").reason], [MOST_ACTIONS, [], "length"]);
  assert.deepEqual(at.kept.result, { winner: [], reason: "length" });
  assert.equal(JSON.parse(asJson(at.kept, at.table, "Ann")).reason, "length");
  assert.match(asText(at.kept, at.table, "Ann"), /\nresult: no winner, .*\(length\)\n/);
  assert.equal(await why(at.room.call("play", { ply: MOST_ACTIONS, action: "take 1" })), "game-over");
});

test("whoever has resigned is not asked any more: no view of their own, no turn, no hint, no taking back, no computer player", async () => {
  const at = new Sitting({}, [{}, { bot: 1 }, { bot: 1 }]);
  at.decisions = ["take 1", "take 2"];
  await at.play("take 1");
  await at.room.call("resign");
  at.heard.length = 0;
  await at.breathe();
  await at.breathe();
  assert.equal(at.last("board info").seat, 0);
  assert.deepEqual(
    at.kinds().filter((kind) => kind === "private board info" || kind === "goshi decision"),
    [],
  );
  const { ply } = at.last("board info");
  assert.equal(await why(at.room.call("play", { ply, action: "take 1" })), "has-resigned");
  assert.equal(await why(at.room.call("hint", { ply })), "has-resigned");
  assert.equal(await why(at.room.call("ask takeback")), "has-resigned");
  assert.equal(await why(at.room.call("auto move", { seat: 0, level: 1 })), "has-resigned");
  assert.equal(await why(at.room.call("resign")), "", "once is enough");
});

test("at one screen one resigns for a seat that still plays", async () => {
  const at = new Sitting({}, [{}, {}, { bot: 1 }]);
  await at.room.call("resign");
  await at.room.call("resign");
  assert.deepEqual(at.kept.resigned, [0, 1]);
});

test("beginning anew forgets, playing again keeps, and the seats move on by one", async () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  const before = at.last("board info").game_id;
  await at.play("take 2");
  at.room.reload({ ...at.kept, started: 900 });
  await at.room.call("restart");
  assert.notEqual(at.last("board info").game_id, `one.900`);
  assert.equal(at.last("board info").ply, 1);
  assert.ok(before);
  await at.room.call("resign");
  await at.room.call("rematch");
  assert.deepEqual(
    at.others.map(({ id, chairs, actions }) => [id, chairs, actions]),
    [["two", [{ bot: 3 }, {}], []]],
  );
  assert.equal(at.kept.result?.reason, "resigned");
});

test("a game that was begun anew is begun anew with the next visit, too", async () => {
  const at = new Sitting({ laid: 5 }, [{}, {}]);
  await at.play("take 2");
  await at.room.call("restart");
  assert.deepEqual(at.kept.actions, []);
});

test("what has to be decided before the game goes on is asked, and what was decided is told", async () => {
  const at = new Sitting({}, [{}, { bot: 1 }]);
  const heard = (event: string): object[] => at.heard.filter(([name]) => name === event).map(([, told]) => told);
  assert.deepEqual(heard("goshi decision"), []);
  at.decisions = ["take 1", "take 2"];
  await at.play("take 2");
  assert.deepEqual(heard("goshi solve"), [{ seat: 0, ply: 1, choices: ["take 2"] }]);
  assert.deepEqual(heard("goshi wait"), [{ seat: 1, ply: 2, choices: ["take 1", "take 2"] }]);
  await at.breathe();
  assert.deepEqual(heard("goshi decision"), [{ seat: 0, ply: 3, choices: ["take 1", "take 2"] }]);
});

test("a computer player that fails is a fault that is told, not a game that hangs", async () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  at.thinks = () => Promise.reject(new Error("broken"));
  await at.play("take 1");
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(at.faults.length, 1);
  at.thinks = async () => "take 2";
  await at.breathe();
  await at.breathe();
  assert.equal(at.last("board info").ply, 3, "it tries again after a while");
});

test("what was is shown as one saw it then", async () => {
  const at = new Sitting({ secrets: true }, [{}, { bot: 1 }]);
  await at.play("take 1");
  const seen = await at.room.scenes("", 1);
  assert.equal(seen.length, 2);
  assert.match(JSON.stringify(seen), / 255"/);
});

test("a game is written as a record and as a text", async () => {
  const at = new Sitting({}, [{}, { bot: 3 }]);
  await at.play("take 2");
  assert.deepEqual(JSON.parse(asJson(at.kept, at.table, "Ann")), {
    hanpan: 1,
    game: "toy",
    options: { rounds: 1 },
    actions: ["5", "take 2"],
    people: { 1: "Ann", 2: "computer, level 3" },
    over: false,
    winner: null,
    scores: [0, 0],
  });
  await at.room.call("resign");
  assert.deepEqual(JSON.parse(asJson(at.kept, at.table, "Ann")).reason, "resigned");
  assert.equal(
    asText(at.kept, at.table, "Ann"),
    "game: toy\noption rounds: 1\nseat 1: Ann\nseat 2: computer, level 3\nresult: seat 2 won, 0–0 (resigned)\n\n   1  chance  5\n   2  seat 1  take 2\n",
  );
});
