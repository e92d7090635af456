// Plays games that Python has played, and tells where a position, a text or a picture differs: {module, facts, views, games} → [what differs, …]

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Code, type Facts, ModuleRules } from "../../src/engine/module";
import { LocalGame, type LocalPosition } from "../../src/engine/position";
import { rng } from "../../src/engine/random";
import type { Value } from "../../src/net/types";

interface Step {
  seen: Record<string, unknown>; // by viewer
  chance?: boolean;
  action?: string;
  told?: Record<string, string>;
  words?: unknown;
  forced?: [string, string];
  refused?: [string[], unknown];
}

interface Given {
  module: string;
  facts: Facts;
  views: string;
  games: { options: Record<string, Value>; settled: Record<string, Value>; seed: string; steps: Step[] }[];
}

const { module, facts, views, games } = JSON.parse(readFileSync(0, "utf8")) as Given;
const rules = new ModuleRules(await Code.load(readFileSync(module)), facts);
const made = (await import(views)).default;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** All that there is to see in a position. */
function seen(position: LocalPosition): unknown {
  const legal = [...position.actions.keys()];
  const { text, seat, chance, over, scores, winner } = position;
  const clicks = Object.fromEntries(legal.map((action) => [action, position.clicks(action)]));
  const among = scores.map((_, left) => position.winnerAmong(scores.flatMap((_, seat) => (seat === left ? [] : seat))));
  return plain({ text, seat, chance, over, scores, winner, among, legal, clicks, scene: position.scene(true), account: position.account() });
}

const wrong: string[] = [];
function same(found: unknown, expected: unknown, where: string): void {
  if (!isDeepStrictEqual(plain(found), expected))
    wrong.push(`${where}: ${JSON.stringify(plain(found))?.slice(0, 500)} ≠ ${JSON.stringify(expected)?.slice(0, 500)}`);
}

for (const { options, settled, seed, steps } of games) {
  const game = new LocalGame(facts.name, rules, made, options);
  same(game.options, settled, "options");
  const dice = rng(BigInt(seed));
  let position = game.start();
  for (const [ply, step] of steps.entries()) {
    const where = `${facts.name} ${JSON.stringify(options)}, ply ${ply}`;
    for (const [viewer, expected] of Object.entries(step.seen)) {
      const view = viewer === "-3" ? position : position.view(Number(viewer));
      same(seen(view), expected, `${where}, seen by ${viewer}`);
      same(game.parse(view.text, Number(viewer)).text, view.text, `${where}, read again by ${viewer}`);
    }
    if (step.action === undefined) break;
    same(position.inWords(step.action), step.words, `${where}, in words`);
    if (step.forced) same(position.forced(BigInt(step.forced[0])), step.forced[1], `${where}, forced`);
    if (step.refused) {
      const refused = position.whyNot(step.refused[0]);
      same(refused && [refused.code, refused.phrase], step.refused[1], `${where}, refused`);
    }
    for (const [viewer, told] of Object.entries(step.told ?? {})) {
      same(step.chance ? position.toldChance(step.action) : position.told(step.action, Number(viewer)), told, `${where}, told to ${viewer}`);
    }
    if (step.chance) same(position.draw(dice)[0], step.action, `${where}, drawn`);
    position = position.play(step.action);
  }
}
console.log(JSON.stringify(wrong.slice(0, 20)));
