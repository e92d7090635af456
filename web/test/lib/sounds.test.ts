// Sounds in a browser that lets them begin only right after someone has clicked or pressed a key.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Window } from "happy-dom";
import type { Sound } from "../../src/lib/sounds";

const window = new Window();
const knocks: number[] = [];
let pressed = false; // whether someone has just clicked or pressed a key

class Parameter {
  value = 0;
  setValueAtTime = (): this => this;
  exponentialRampToValueAtTime = (): this => this;
}

/** Nothing is heard of what it was asked for while it slept, before it wakes: then all of that at once. */
class StrictContext {
  currentTime = 0;
  destination = {};
  state = "suspended";
  private readonly waiting: (() => void)[] = [];
  constructor() {
    contexts.push(this);
  }
  resume(): Promise<void> {
    if (pressed) this.state = "running";
    const done = new Promise<void>((wake) => this.waiting.push(wake));
    if (this.state === "running") for (const wake of this.waiting.splice(0)) wake();
    return done;
  }
  createGain = () => ({ gain: new Parameter(), connect: (to: object) => to });
  createOscillator = () => ({ frequency: new Parameter(), connect: (to: object) => to, start: (at: number) => knocks.push(at), stop: () => undefined });
}
const contexts: StrictContext[] = [];

Object.assign(globalThis, {
  document: window.document,
  requestAnimationFrame: setImmediate,
  AudioContext: StrictContext,
  addEventListener: window.addEventListener.bind(window),
});
const { allowSounds, playSound } = await import("../../src/lib/sounds");

const soon = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

/** How many knocks are heard of a sound. */
async function heard(name: Sound): Promise<number> {
  const before = knocks.length;
  playSound(name);
  await soon();
  return knocks.length - before;
}

/** How many knocks are heard because of a click or a key. */
async function heardAfter(sign: string): Promise<number> {
  const before = knocks.length;
  pressed = true;
  window.dispatchEvent(new window.Event(sign));
  await soon();
  pressed = false;
  return knocks.length - before;
}

test("what the others do is heard as soon as one has clicked anywhere, and nothing of what was missed", async (t) => {
  mock.timers.enable({ apis: ["Date"] });
  t.after(() => mock.timers.reset());
  allowSounds();
  assert.equal(await heard("place"), 0, "nobody has clicked");
  mock.timers.tick(60_000);
  assert.equal(await heardAfter("click"), 0, "it is long ago");
  assert.equal(await heard("place"), 1);
  for (const context of contexts) context.state = "interrupted"; // a call, a locked screen
  assert.equal(await heard("place"), 0);
  mock.timers.tick(60_000);
  assert.equal(await heardAfter("keydown"), 0);
  assert.equal(await heard("place"), 1);
  assert.equal(contexts.length, 1);
});
