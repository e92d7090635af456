// For tests/page/test_thinking.py: a page with a game of its own, whose computer players think in a worker.

import { type Source, type Thinker, Thinkers } from "../../src/engine/engine";
import { Code, ModuleRules } from "../../src/engine/module";
import { LocalGame } from "../../src/engine/position";
import { rng } from "../../src/engine/random";

const KIND = { level: 8, seed: 5n, megabytes: 8, nodes: 2000 };

async function opened(): Promise<{ source: Source; game: LocalGame }> {
  const [facts, bytes] = await Promise.all([fetch("facts.json").then((told) => told.json()), fetch("module.wasm").then((told) => told.arrayBuffer())]);
  const views = new URL("views.mjs", location.href).href;
  const code = await Code.load(bytes);
  const game = new LocalGame(facts.name, new ModuleRules(code, facts), (await import(views)).default);
  return { source: { facts, module: code.module, views }, game };
}

/** A game in which one player chooses for all, so many plies: what it chose. */
async function choices(plies: number): Promise<string[]> {
  const { source, game } = await opened();
  const thinkers = new Thinkers(source, "worker.mjs");
  const player = thinkers.player(KIND);
  const chosen: string[] = [];
  let position = game.start(3n);
  while (chosen.length < plies && !position.over) {
    if (position.chance) {
      position = position.draw(rng(BigInt(chosen.length)))[1];
      continue;
    }
    const action = await player.choose(position);
    chosen.push(action);
    position = position.play(action);
  }
  thinkers.close();
  return chosen;
}

/** All analyses of the first position, or of an open one by its text, with a fixed amount of work. */
async function analyses(open?: string): Promise<unknown[]> {
  const { source, game } = await opened();
  const thinkers = new Thinkers(source, "worker.mjs");
  const found: unknown[] = [];
  const position = open === undefined ? game.start(3n) : game.parse(open);
  for await (const each of thinkers.player(KIND).analyse(position, null, 0, open !== undefined)) found.push({ ...each, values: [...each.values] });
  thinkers.close();
  return found;
}

/** What comes of an endless analysis and of an endless choice that are told to stop once there is something to tell. */
async function stopping(): Promise<{ analysed: number; chosen: boolean }> {
  const { source, game } = await opened();
  const thinkers = new Thinkers(source, "worker.mjs");
  const endless = { ...KIND, nodes: 2 ** 50 };
  const position = game.start(3n);
  let analysed = 0;
  const patient = thinkers.player(endless);
  for await (const each of patient.analyse(position)) {
    analysed = each.nodes;
    patient.stop();
  }
  const player: Thinker = thinkers.player(endless);
  const choice = player.choose(position);
  player.stop();
  const chosen = position.actions.has(await choice);
  thinkers.close();
  return { analysed, chosen };
}

const failed = (promise: Promise<unknown>): Promise<string> => promise.then(() => "nothing went wrong").catch(String);

/** How it is told that something is broken: no such worker, no such views, a wrong level, a worker that was ended. */
async function failures(): Promise<string[]> {
  const { source, game } = await opened();
  const position = game.start(3n);
  const lost = new Thinkers(source, "nowhere.mjs").player(KIND);
  const blind = new Thinkers({ ...source, views: new URL("nowhere.mjs", location.href).href }, "worker.mjs").player(KIND);
  const thinkers = new Thinkers(source, "worker.mjs");
  const told = [
    await failed(lost.choose(position)),
    await failed(blind.choose(position)),
    await failed(thinkers.player({ ...KIND, level: 9 }).choose(position)),
  ];
  const choice = failed(thinkers.player({ ...KIND, nodes: 2 ** 50 }).choose(position));
  thinkers.close();
  return [...told, await choice, await failed(thinkers.player(KIND).choose(position)), await failed(lost.choose(position))];
}

Object.assign(globalThis, { thinking: { choices, analyses, stopping, failures } });
