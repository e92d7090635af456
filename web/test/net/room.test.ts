// The store of one room: what the next room is not to show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Computed, Signal } from "@preact/signals-core";
import type { Offer } from "../../src/net/types";

Object.assign(globalThis, { document: { hidden: true } }); // what follows a frame later follows soon
const room = await import("../../src/net/room");

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
  room.seats.value = room.endSeats.value = [{ seat: 0, person: null, ready: false, connected: false }];
  room.leave();
  assert.ok(stores.some(([name]) => name === "declined") && stores.length > 15);
  stores.forEach(([name, store], index) => {
    assert.deepEqual(store.peek(), first[index], name);
  });
});
