// The store of one room: what the next room is not to show, and what a lost connection leaves as it was.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Computed, Signal } from "@preact/signals-core";
import { Manager, type Socket } from "socket.io-client";
import type { BoardInfo, Offer, PrivateBoardInfo, RoomInfo, SentScene } from "../../src/net/types";

Object.assign(globalThis, { document: { hidden: true } }); // what follows a frame later follows soon

const lines = new Map<string, Socket>();
const line = Manager.prototype.socket;
Manager.prototype.socket = function (namespace, options) {
  const made = line.call(this, namespace, options);
  lines.set(namespace, made);
  return made;
};
const room = await import("../../src/net/room");
const { play, request } = await import("../../src/net/requests");
const { me } = await import("../../src/net/connection");
const { said, sending } = await import("../../src/net/prompt");

/** What becomes of the room's connection: `close` or `open`. */
function connection(event: "close" | "open"): void {
  for (const heard of lines.get("/room")?.io.listeners(event) ?? []) (heard as (why: string) => void)("transport close");
}

/** What the server says in the room. */
function hear(event: string, told: object): void {
  for (const heard of lines.get("/room")?.listeners(event) ?? []) heard(structuredClone(told));
}

const KEPT = new Set(["retold", "moves", "clock", "turn", "yours", "counters"]); // a counter of changes, and what follows the others by itself
const stores = Object.entries(room).flatMap(([name, each]) =>
  each instanceof Signal && !(each instanceof Computed) && !KEPT.has(name) ? [[name, each as Signal<unknown>] as const] : [],
);

test("whoever leaves a room takes nothing of it along", () => {
  const first = stores.map(([, store]) => store.peek());
  const offer: Offer = { kind: "draw", seat: 1, state: "declined" };
  room.declined.value = offer;
  room.offers.value = [offer];
  room.messages.value = [{ who: { id: "a", name: "Ann" }, msg: "hello", at: 1 }];
  room.seats.value = [{ seat: 0, person: null, ready: false, connected: false }];
  room.leave();
  assert.ok(stores.some(([name]) => name === "declined") && stores.length > 15);
  stores.forEach(([name, store], index) => {
    assert.deepEqual(store.peek(), first[index], name);
  });
});

const PICTURE: SentScene = {
  board: { width: 2, height: 1, grounds: [], places: [{ id: "a1", kind: "cell", x: 0, y: 0, w: 1, h: 1, say: { key: "a1" } }] },
  look: { pieces: [] },
  colours: ["black", "white"],
} as unknown as SentScene;
const position = (ply: number, scene?: SentScene, game_id = "g"): object => ({ game_id, ply, seat: 0, over: false, scene }) as unknown as BoardInfo;
const own = (ply: number, clicks: Record<string, string[]>, scene?: SentScene): object =>
  ({ seat: 0, ply, position: "", legal: [], info: {}, clicks, scene }) as unknown as PrivateBoardInfo;
const about = (game_id?: string): object => ({ id: "r", game: "x", people: [], playing: game_id !== undefined, game_id }) as unknown as RoomInfo;

/** The connection is lost, and there again: the room has yet to say how it stands. */
function lost(): void {
  connection("close");
  connection("open");
}

test("whoever comes back to a room is told its board again, and it is still the same", () => {
  room.enter("r");
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  hear("private board info", own(0, { a1: ["a1"] }));
  const [plan, clicks] = [room.scene.value?.board, room.privates.value[0]?.clicks];
  lost();
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  hear("private board info", own(0, { a1: ["a1"] }));
  assert.equal(room.scene.value?.board, plan, "the board is not laid anew");
  assert.equal(room.privates.value[0]?.clicks, clicks, "an action that was begun goes on");
  hear("private board info", own(0, { b1: ["b1"] }));
  assert.deepEqual(room.privates.value[0]?.clicks, { b1: ["b1"] });
  hear("board info", position(1, { ...PICTURE, board: { ...PICTURE.board, width: 3 } } as SentScene));
  assert.equal(room.scene.value?.board.width, 3, "another board is another one");
  room.leave();
});

test("where there are secrets the own board stays the same, too", () => {
  room.enter("r");
  hear("info", about("g"));
  hear("board info", position(0));
  hear("private board info", own(0, {}, PICTURE));
  const plan = room.scene.value?.board;
  lost();
  hear("info", about("g"));
  assert.ok(room.behind.value);
  hear("board info", position(1));
  assert.ok(room.behind.value, "the own picture follows");
  hear("private board info", own(1, {}, PICTURE));
  assert.ok(!room.behind.value);
  assert.ok(plan && room.scene.value?.board === plan);
  room.leave();
});

test("after a loss the board is behind until the room has told it again", () => {
  room.enter("r");
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  assert.ok(!room.behind.value);
  connection("close");
  assert.ok(room.behind.value);
  connection("open");
  assert.ok(room.behind.value, "the line alone tells nothing");
  hear("info", about("g"));
  assert.ok(room.behind.value);
  hear("board info", { ...position(5, PICTURE), over: true });
  assert.ok(!room.behind.value, "it has gone on, or ended, meanwhile");
  room.leave();
});

test("what was answered, or forgotten, while one was away does not stand at the table any more", () => {
  room.enter("r");
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  hear("offer draw", { kind: "draw", seat: 0, state: "asked" });
  hear("ask takeback", { kind: "takeback", seat: 1, state: "asked" });
  hear("ready timer", { at: 5 });
  lost();
  hear("info", about("g"));
  assert.deepEqual([room.offers.value, room.startsAt.value], [[], null]);
  hear("board info", position(0, PICTURE));
  hear("ask takeback", { kind: "takeback", seat: 1, state: "asked" });
  assert.deepEqual(
    room.offers.value.map(({ kind }) => kind),
    ["takeback"],
    "what still stands is told again",
  );
  room.leave();
});

test("what one has asked for may be asked for again where the server has forgotten it", () => {
  room.enter("r");
  me.value = { id: "a", name: "a" } as typeof me.value;
  const come = (): void => {
    hear("info", about("g"));
    hear("player info", { seats: [{ seat: 0, person: { id: "a", name: "a" }, ready: false, connected: true }] });
    hear("board info", position(0, PICTURE));
  };
  come();
  hear("offer draw", { kind: "draw", seat: 0, state: "asked" });
  assert.ok(room.askedAlready("draw"));
  lost();
  come();
  hear("offer draw", { kind: "draw", seat: 0, state: "asked" });
  assert.ok(room.askedAlready("draw"), "it knows of it");
  lost();
  come();
  assert.ok(!room.askedAlready("draw"), "it was started anew");
  me.value = null;
  room.leave();
});

test("someone who is called otherwise now is called so at their seat, too", () => {
  room.enter("r");
  hear("info", { ...about(), people: [{ id: "a", name: "Ann" }] });
  hear("player info", { seats: [{ seat: 0, person: { id: "a", name: "Ann" }, ready: true, connected: true }] });
  hear("user updated", { id: "a", name: "Anna" });
  assert.deepEqual([room.info.value?.people[0]?.name, room.seats.value[0]?.person?.name], ["Anna", "Anna"]);
  room.leave();
});

test("a seat that has resigned is not asked to act any more", () => {
  room.enter("r");
  hear("info", about("g"));
  const seats = ["a", "b", "c"].map((id, seat) => ({ seat, person: { id, name: id }, ready: true, connected: true }));
  me.value = { id: "a", name: "a" } as typeof me.value;
  hear("player info", { seats });
  hear("board info", position(0, PICTURE));
  hear("private board info", own(0, { a1: ["a1"] }));
  assert.deepEqual([room.actingSeat.value, room.activeSeats.value, Object.keys(room.clicks.value ?? {})], [0, [0], ["a1"]]);
  hear("player info", { seats: seats.map((chair) => (chair.seat ? chair : { ...chair, resigned: true })) });
  assert.deepEqual([room.actingSeat.value, room.activeSeats.value, room.clicks.value], [null, [], null]);
  assert.deepEqual(room.mySeats.value, [0], "one sits there still");
  me.value = null;
  room.leave();
});

test("a board is not behind for ever", () => {
  lost(); // outside any room
  room.enter("r");
  assert.ok(!room.behind.value, "a room that one enters tells everything");
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  lost();
  hear("info", about());
  assert.ok(!room.behind.value && room.scene.value === null && room.board.value === null, "the table was set anew meanwhile: there is no game to show");
  lost();
  room.leave();
  assert.ok(!room.behind.value, "the room is gone");
  room.enter("r");
  lost();
  hear("info", about());
  assert.ok(!room.behind.value, "there was no game yet");
  room.leave();
});

/** What is asked of the server in the room, and what it answers to a `play`. */
function asked(answer: () => Promise<object>): [string, unknown][] {
  const line = lines.get("/room") as Socket,
    said: [string, unknown][] = [];
  Object.defineProperty(line, "connected", { value: true, configurable: true });
  line.emit = (event: string, payload: unknown) => {
    said.push([event, payload]);
    return line;
  };
  line.emitWithAck = ((event: string, payload: unknown) => {
    said.push([event, payload]);
    return answer();
  }) as Socket["emitWithAck"];
  return said;
}

/** What is asked of the server is answered by whoever calls this. */
function answeredLater(): (answer: object) => void {
  let answered = (_: object): void => undefined;
  asked(
    () =>
      new Promise((done) => {
        answered = done;
      }),
  );
  return (answer) => answered(answer);
}

test("whoever is not answered because the line broke is told so; whoever has left is not", async () => {
  room.enter("r");
  hear("info", about("g"));
  asked(() => Promise.reject(new Error("socket has been disconnected")));
  assert.equal(await request("resign"), false);
  assert.ok(said.value?.bad && said.value.text);
  said.value = null;
  const left = request("resign");
  room.leave();
  assert.equal(await left, false);
  assert.equal(said.value, null);
});

test("what is pressed twice before the answer comes is requested once; what is said twice is said twice", async () => {
  room.enter("r");
  hear("info", about("g"));
  const said = asked(() => Promise.resolve({ ok: true }));
  assert.deepEqual(await Promise.all([request("rematch"), request("rematch"), request("set ready", { seat: 0 }), request("set ready", { seat: 1 })]), [
    true,
    true,
    true,
    true,
  ]);
  assert.equal(said.length, 3);
  await request("rematch");
  assert.equal(said.length, 4, "after the answer it is another request");
  await Promise.all([request("send msg", { msg: "hello" }), request("send msg", { msg: "hello" })]);
  assert.equal(said.length, 6);
  room.leave();
});

test("a move that nobody answers is said to be on its way, until somebody does", async (clock) => {
  clock.mock.timers.enable({ apis: ["setTimeout"] });
  room.enter("r");
  const answered = answeredLater();
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  const played = play("a1");
  assert.equal(sending.value, false);
  clock.mock.timers.tick(2000);
  assert.equal(sending.value, true);
  answered({ ok: true });
  assert.equal(await played, true);
  assert.equal(sending.value, false);
  room.leave();
});

const acted = (action: string): object => ({ action, seat: 0, at: 0 });
const after = (ply: number, recent: object[]): BoardInfo => ({ ...position(ply, PICTURE), recent }) as BoardInfo;

test("what is told briefly is told in full here; whoever can't follow asks for everything, and in the end to be told in full", () => {
  room.enter("r");
  const said = asked(() => new Promise(() => undefined));
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  room.tellBy({ follow: (told) => (told.sum ? null : [["board info", after(told.ply, [acted("a1")])]]), ahead: () => null });
  hear("ply", { game_id: "g", ply: 1, sum: 0 });
  assert.deepEqual([room.board.value?.ply, room.recorded.value.length], [1, 1]);
  assert.deepEqual(said, [["brief", { yes: true }]]);
  hear("ply", { game_id: "g", ply: 2, sum: 1 });
  assert.deepEqual(said.slice(1), [["req info", {}]]);
  hear("ply", { game_id: "g", ply: 3, sum: 1 });
  assert.deepEqual(said.slice(2), [
    ["brief", { yes: false }],
    ["req info", {}],
  ]);
  room.leave();
});

test("one's own move is shown at once, stays when it is told, and is taken back when it is refused", async () => {
  room.enter("r");
  const answered = answeredLater();
  hear("info", about("g"));
  hear("board info", position(0, PICTURE));
  const [first, moved] = [room.scene.value, { ...PICTURE, look: { pieces: [{ id: "p" }] } } as unknown as SentScene];
  room.tellBy({
    follow: (told) => [["board info", { ...after(told.ply, [acted("a1")]), scene: moved }]],
    ahead: () => ({ ...after(1, [acted("a1")]), scene: moved }),
  });
  const refused = play("a1");
  assert.deepEqual([room.board.value?.ply, room.recorded.value.length], [1, 1]);
  answered({ ok: false, code: "paused", text: "no" });
  assert.equal(await refused, false);
  assert.deepEqual([room.board.value?.ply, room.recorded.value.length, room.scene.value], [0, 0, first]);
  const played = play("a1"),
    shown = room.scene.value;
  hear("ply", { game_id: "g", ply: 1 });
  assert.deepEqual([room.board.value?.ply, room.recorded.value.length], [1, 1]);
  assert.equal(room.scene.value, shown, "it does not move twice");
  answered({ ok: true });
  assert.equal(await played, true);
  room.leave();
});
