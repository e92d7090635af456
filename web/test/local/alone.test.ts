// Windows of one game take turns; one that is alone does not wait for anybody.
import assert from "node:assert/strict";
import { test } from "node:test";
import { windowsOf } from "../../src/local/alone";

type Holder = () => unknown;

/** As browsers have them: shared ones at once, others one after the other. */
class Locks {
  private readonly held = new Set<{ name: string }>();
  private readonly last = new Map<string, Promise<unknown>>();

  request(name: string, ...[how, holder]: [Holder] | [object, Holder]): Promise<unknown> {
    const hold = async (): Promise<unknown> => {
      const lock = { name };
      this.held.add(lock);
      try {
        return await (holder ?? (how as Holder))();
      } finally {
        this.held.delete(lock);
      }
    };
    if (holder) return hold();
    const done = (this.last.get(name) ?? Promise.resolve()).then(hold);
    this.last.set(name, done);
    return done;
  }
  query = async (): Promise<object> => ({ held: [...this.held] });
  /** What WebKit does when it puts a page aside. */
  takeAway(): void {
    this.held.clear();
  }
}

test("what two windows do is done one after the other, and waits for what the other has written", async () => {
  const locks = new Locks() as unknown as LockManager,
    waits: (() => void)[] = [],
    done: string[] = [];
  const later = (): Promise<void> => new Promise((over) => waits.push(over));
  const [one, other] = [windowsOf("game", locks, later), windowsOf("game", locks, later)];
  const all = Promise.all([one.alone(() => done.push("one")), other.alone(() => done.push("other"))]);
  const breath = (): Promise<void> => new Promise((over) => setTimeout(over, 0));
  await breath();
  assert.deepEqual([waits.length, done], [1, []]);
  waits.shift()?.();
  await breath();
  assert.deepEqual([waits.length, done], [1, ["one"]]);
  waits.shift()?.();
  await all;
  assert.deepEqual(done, ["one", "other"]);
  other.leave();
  await breath();
  assert.equal(await one.alone(() => "at once"), "at once");
  assert.equal(waits.length, 0);
});

test("a window whose page was put aside counts again once it is back", async () => {
  const locks = new Locks(),
    waits: number[] = [];
  const later = async (ms: number): Promise<void> => void waits.push(ms);
  const [one, other] = [0, 1].map(() => windowsOf("game", locks as unknown as LockManager, later));
  locks.takeAway();
  one?.enter();
  await other?.alone(() => undefined);
  assert.equal(waits.length, 0);
  other?.enter();
  await one?.alone(() => undefined);
  assert.equal(waits.length, 1);
});

test("what goes wrong in one window leaves the others their turn", async () => {
  const windows = windowsOf("game", new Locks() as unknown as LockManager, async () => undefined);
  await assert.rejects(
    windows.alone(() => {
      throw new Error("broken");
    }),
    /broken/,
  );
  assert.equal(await windows.alone(() => 1), 1);
});

test("where a browser has no locks, or allows none, one goes on as if one were alone", async () => {
  const never = async (): Promise<void> => assert.fail("waits");
  assert.equal(await windowsOf("game", undefined, never).alone(() => 1), 1);
  const forbidden = { request: async () => Promise.reject(new Error("not here")), query: async () => ({}) } as unknown as LockManager;
  assert.equal(await windowsOf("game", forbidden, never).alone(() => 2), 2);
});
