// What did not come about is tried again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { askForAll, setUp } from "../../src/offline/again";

/** Waits that are over at once, and how long they would have been. */
function waits() {
  const all: number[] = [];
  const later = async (ms: number): Promise<void> => void all.push(ms);
  return { all, later };
}

test("a file that did not come is asked for again, and no other", async () => {
  const kept = new Set(["/a"]),
    asked: string[] = [],
    { all, later } = waits();
  const ask = async (path: string): Promise<void> => {
    asked.push(path);
    if (asked.length < 3) throw new Error("no network");
    kept.add(path);
  };
  await askForAll(["/a", "/b"], { lacks: async (path) => !kept.has(path), ask, wanted: () => true, later });
  assert.deepEqual(asked, ["/b", "/b", "/b"]);
  assert.deepEqual(all, [5000, 10_000, 20_000]);
});

test("what a browser has no room for is not asked for without end", async () => {
  let asked = 0;
  const ask = async (): Promise<void> => void asked++;
  await askForAll(["/a"], { lacks: async () => true, ask, wanted: () => true, later: waits().later });
  assert.equal(asked, 6);
});

test("what is not wanted any more is not asked for again", async () => {
  let asked = 0;
  const ask = async (): Promise<void> => void asked++;
  await askForAll(["/a"], { lacks: async () => true, ask, wanted: () => asked < 2, later: waits().later });
  assert.equal(asked, 2);
});

test("a worker that could not be set up is set up again", async () => {
  const registered = {} as ServiceWorkerRegistration,
    { all, later } = waits();
  let tries = 0,
    come: (one: ServiceWorkerRegistration) => void = () => undefined;
  const ready = new Promise<ServiceWorkerRegistration>((done) => {
    come = done;
  });
  const register = async (): Promise<ServiceWorkerRegistration> => {
    tries++;
    if (tries === 1) throw new TypeError("the script can't be had");
    if (tries === 3) come(registered); // the second time its files could not be had
    return registered;
  };
  assert.equal(await setUp({ register, ready }, "/worker.js", later), registered);
  assert.equal(tries, 3);
  assert.deepEqual(all.slice(0, 2), [5000, 10_000]);
});
