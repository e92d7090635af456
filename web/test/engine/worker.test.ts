// The thread that computer players think in: whose memory is kept, and what it does once it is told that it is enough.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Said, Source, Told } from "../../src/engine/engine";
import { Code, type Facts, ModuleRules } from "../../src/engine/module";
import { Player } from "../../src/engine/player";

// A module with nothing but a memory: all that is asked of the game is answered here.
const [MEMORY, GLOBAL] = [
  [5, 3, 1, 0, 1],
  [6, 6, 1, 0x7f, 0, 0x41, 0, 0x0b],
];
const letters = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)];
const EXPORTS = [7, 17, 2, ...letters("memory"), 2, 0, ...letters("heap"), 3, 0];
const EMPTY = new WebAssembly.Module(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...MEMORY, ...GLOBAL, ...EXPORTS]));
const TEXT = "settle: (chosen) => chosen, prepare: () => {}, format_position: () => '', format_action: (record, action) => String(action)";
const VIEWS = `data:text/javascript,export default () => ({ layout: { over: (bytes) => bytes }, options: [], text: { ${TEXT} } })`;
const FACTS = { name: "toy", record: 1, mostLegal: 1, mostSeats: 1, solveRoom: null } as Facts;

const said: Said[] = [];
const here = { onmessage: (_: { data: Told }) => {}, postMessage: (each: Said) => void said.push(each) };
const thoughts: { player: Player; seconds: number | null; answer: (action: number) => void; fail: (wrong: Error) => void }[] = [];

Object.assign(globalThis, { self: here });
Code.load = async () => ({ module: EMPTY, told: new Proxy({}, { get: () => ({ takes: [], gives: "int" }) }) }) as Code;
ModuleRules.prototype.start = () => new Uint8Array(1);
ModuleRules.prototype.seats = () => 1;
Player.prototype.choose = function (_, seconds = null) {
  return new Promise((answer, fail) => void thoughts.push({ player: this, seconds, answer, fail }));
};
await import("../../src/engine/worker");

const tell = (data: Told): void => here.onmessage({ data });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const choose = (thought: number): void =>
  tell({ kind: "choose", thought, player: 1, lines: 0, open: null, options: {}, record: new Uint8Array(1), seconds: null });

/** A workshop with one player in it. */
function open(facts = FACTS): void {
  said.length = thoughts.length = 0;
  tell({ kind: "open", source: { facts, module: EMPTY, views: VIEWS } satisfies Source });
  tell({ kind: "player", player: 1, as: { level: 1, seed: 0n, megabytes: 8 } });
}

/** The same, who thinks about a first question. */
async function opened(): Promise<void> {
  open();
  choose(0);
  while (!thoughts.length) await settled();
}

test("a player thinks on with what it remembers, and after a fault with a new memory", async () => {
  await opened();
  thoughts[0]?.answer(7);
  choose(1);
  await settled();
  assert.equal(thoughts[1]?.player, thoughts[0]?.player);
  thoughts[1]?.fail(new Error("out of memory"));
  choose(2);
  await settled();
  thoughts[2]?.answer(8);
  await settled();
  assert.deepEqual(said, [
    { thought: 0, action: "7" },
    { thought: 1, wrong: "Error: out of memory" },
    { thought: 2, action: "8" },
  ]);
  assert.notEqual(thoughts[2]?.player, thoughts[1]?.player);
});

test("who is forgotten is nobody, and remembers nothing when called again", async () => {
  await opened();
  thoughts[0]?.answer(7);
  await settled();
  tell({ kind: "forget", player: 1 });
  tell({ kind: "player", player: 1, as: { level: 1, seed: 0n, megabytes: 8 } });
  choose(1);
  await settled();
  assert.notEqual(thoughts[1]?.player, thoughts[0]?.player);
  thoughts[1]?.answer(8);
  await settled();
  tell({ kind: "forget", player: 1 });
  choose(2);
  await settled();
  assert.deepEqual(said.at(-1), { thought: 2, wrong: "Error: there is no player 1" });
});

test("who is told to stop before the beginning takes no time", async () => {
  await opened();
  choose(1);
  choose(2);
  tell({ kind: "stop", thought: 1 });
  thoughts[0]?.answer(7);
  await settled();
  thoughts[1]?.answer(8);
  await settled();
  assert.deepEqual(
    thoughts.map(({ seconds }) => seconds),
    [null, 0, null],
  );
});

test("who is told to stop while open hands are solved thinks no more about them", async () => {
  let found = (_: null): void => undefined;
  let opinions = 0;
  Player.prototype.analyse = async function* () {
    opinions += 1;
    yield { values: new Map([[1, 100]]), line: [], depth: 1, nodes: 1, sure: false };
  };
  Player.prototype.solve = () => new Promise((done) => (found = done));
  open({ ...FACTS, solveRoom: [] });
  const record = new Uint8Array(1);
  tell({ kind: "analyse", thought: 1, player: 1, lines: 0, open: record, options: {}, record, seconds: 20 });
  while (!said.length) await settled();
  assert.equal(opinions, 1, "one's own opinion is there at once");
  await settled();
  tell({ kind: "stop", thought: 1 });
  await settled();
  found(null);
  while (said.length < 2) await settled();
  assert.deepEqual(said.at(-1), { thought: 1, action: null });
  assert.equal(opinions, 1);
});
