// Iterative deepening around an alpha-beta made up here: how deep it is asked to look. What it finds, tests/page/test_players.py compares with Python's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANCE } from "../../src/engine/contract";
import { Deepening } from "../../src/engine/deepening";
import type { Block, Facts, Machine } from "../../src/engine/module";
import { Hourglass } from "../../src/engine/search";

type Given = Parameters<ReturnType<Machine["rule"]>>[number];

const FACTS = { record: 8, mostLegal: 2, mostSeats: 2, actions: 2, room: [] as number[] } as Facts;
const ROOTS = [0, 1];

/** A game of two actions, after which these are to act; the search of it finds nothing, and remembers how deep it was to look. */
function desk(movers: readonly number[]) {
  const buffer = new ArrayBuffer(2 ** 21);
  const depths: number[] = [];
  let free = 8;
  const length = (block: Block, bytes: number): number => block.shape.reduce((all, extent) => all * extent, 1) * bytes;
  const ints = (block: Block): Int32Array => new Int32Array(buffer, block.at, length(block, 4) / 4);
  const bytes = (at: number, count: number): Uint8Array => new Uint8Array(buffer, at, count);
  const position = (given: Given | undefined): Uint8Array => bytes((given as Block).at, FACTS.record);
  const rules: Record<string, (...given: Given[]) => number> = {
    legal_of: (_, out) => {
      ints(out as Block).set(ROOTS);
      return ROOTS.length;
    },
    apply_to: (at, action) => position(at).fill(1 + Number(action)).length,
    mover_of: (at) => movers[(position(at)[0] ?? 0) - 1] ?? 0,
    shuffle: () => 0,
    prune: (_at, _out, every) => Number(every),
    search_root: (...given) => {
      depths.push(Number(given.at(-2)));
      return ROOTS.length;
    },
  };
  const machine = {
    room: (shape: number[], each: number): Block => {
      const block = { at: free, shape };
      free += Math.ceil(length(block, each) / 8) * 8;
      return block;
    },
    ints,
    bytes,
    longs: (block: Block) => new BigInt64Array(buffer, block.at, length(block, 8) / 8),
    rule: (name: string) => rules[name],
    many: () => () => [-1, 0, 0],
  } as unknown as Machine;
  return { player: new Deepening(machine, FACTS, 1), depths };
}

for (const [what, movers, deepest] of [
  ["no deeper than one where chance is next whatever one does", [CHANCE, CHANCE], 1],
  ["as deep as it may where it is next after some actions only", [CHANCE, 0], 5],
] as const)
  test(`a search looks ${what}`, async () => {
    const { player, depths } = desk(movers);
    const task = { record: new Uint8Array(FACTS.record), time: new Hourglass(null), nodes: 100, depth: 5, window: -1, seed: 1n, patient: true };
    const told: number[] = [];
    for await (const { depth } of player.think(task)) told.push(depth);
    assert.deepEqual(
      depths,
      Array.from({ length: deepest }, (_, i) => i + 1),
    );
    assert.deepEqual(told, depths);
  });
