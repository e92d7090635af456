// Coming in, and coming back: what is done where the server asks for patience, or has closed a line.
import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { afterwards, arrive, become, lostAt, me, notYet } from "../../src/net/connection";

const PERSON = { person: { id: "g1", name: "Guest" }, kind: "guest" };
const WAIT = { code: "too-fast", text: "Try again in 27 s.", phrase: { key: "server.too-fast", values: { seconds: 27 } } };

/** Everything that waits for nothing but its turn is done. */
const turns = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A server that gives one answer after the other; how often it was asked. */
function answers(...given: [status: number, body: object][]): () => number {
  const asked = mock.method(globalThis, "fetch", async () => {
    const [status, body] = given[Math.min(asked.mock.callCount(), given.length - 1)] ?? [500, {}];
    return Response.json(body, { status });
  });
  mock.timers.enable({ apis: ["setTimeout"] });
  return () => asked.mock.callCount();
}

afterEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  me.value = lostAt.value = notYet.value = null;
});

test("a newcomer who has to wait is told so as the server says it, and asks no sooner", async () => {
  const asked = answers([429, WAIT], [200, PERSON]);
  const arrived = arrive();
  await turns();
  assert.deepEqual({ code: notYet.value?.code, text: notYet.value?.text }, { code: "too-fast", text: "Try again in 27 s." });
  assert.notEqual(lostAt.value, null);
  mock.timers.tick(26_900);
  await turns();
  assert.equal(asked(), 1);
  mock.timers.tick(200);
  await arrived;
  assert.deepEqual([asked(), me.value?.id, notYet.value], [2, "g1", null]);
});

test("whoever has to wait as a guest may log in meanwhile, and is asked for no more", async () => {
  const asked = answers([429, WAIT]);
  const arrived = arrive();
  await turns();
  await become(async () => ({ person: { id: "a1", name: "Anna" }, kind: "account" }) as never);
  assert.deepEqual([me.value?.id, notYet.value], ["a1", null]);
  mock.timers.tick(30_000);
  await arrived;
  assert.deepEqual([asked(), me.value?.id], [1, "a1"]);
});

test("a server that does not answer is asked again soon", async () => {
  const asked = answers([502, {}], [200, PERSON]);
  const arrived = arrive();
  await turns();
  assert.deepEqual([notYet.value, lostAt.value !== null], [null, true]);
  mock.timers.tick(300);
  await arrived;
  assert.equal(asked(), 2);
});

test("a refusal of a connection that passes by itself is tried again, others are not", () => {
  const said = (code: string): string => afterwards({ code, text: "", event: "connect" });
  for (const code of ["closing", "our-fault", "too-fast", "too-many-connections"]) assert.equal(said(code), "again", code);
  assert.equal(afterwards(null), "again");
  assert.equal(said("banned"), "banned");
  assert.equal(said("unauthorized"), "expelled");
  for (const code of ["no-such-room", "wrong-password", "room-closed", "no-spectators"]) assert.equal(said(code), "out", code);
});
