// For benchmarks/engine.py: a search that is told from outside what to think about.

import { Code, type Facts, Machine } from "../../src/engine/module";
import { makeSearcher } from "../../src/engine/player";
import type { Searcher } from "../../src/engine/search";
import { Hourglass } from "../../src/engine/search";

let code: Code;
let searcher: Searcher;

/** A game; what the browser makes of its module gets better with use. */
async function load(module: string): Promise<void> {
  code = await Code.load(Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0)));
}

/** A search without any memory of what it did. */
function begin(facts: Facts, seats: number, megabytes: number): void {
  searcher = makeSearcher(new Machine(code), facts, seats, megabytes);
}

/** Think about a position; how many nodes were looked at. */
async function think(record: number[], nodes: number): Promise<number> {
  let done = 0;
  for await (const result of searcher.think({
    record: Uint8Array.from(record),
    time: new Hourglass(null),
    nodes,
    depth: 64,
    window: 0,
    seed: 1n,
    patient: false,
  })) {
    done = result.nodes;
  }
  return done;
}

Object.assign(globalThis, { load, begin, think });
