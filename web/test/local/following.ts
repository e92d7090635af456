// Follows games that were told briefly, and tells where a message differs from the one that tells it in full: {module, facts, views, games} → [what differs, …]

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Code, type Facts, ModuleRules } from "../../src/engine/module";
import { LocalGame } from "../../src/engine/position";
import { Follower } from "../../src/local/follow";
import type { BoardInfo, ClockInfo, Ply, PrivateBoardInfo, Told, Value } from "../../src/net/types";

type Message = [event: string, told: object];

interface Step {
  /** What was told briefly; null where it is told in full only. */
  brief: Ply | null;
  full: Message[];
  /** All that happened so far; told in full once, and where nothing is told briefly. */
  actions?: Told[];
}

interface Given {
  module: string;
  facts: Facts;
  views: string;
  games: { options: Record<string, Value>; start: number; mine: number[]; steps: Step[] }[];
}

const { module, facts, views, games } = JSON.parse(readFileSync(0, "utf8")) as Given;
const rules = new ModuleRules(await Code.load(readFileSync(module)), facts);
const made = (await import(views)).default;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const wrong: string[] = [];
let ahead = 0;

for (const { options, start, mine, steps } of games) {
  const follower = new Follower(new LocalGame(facts.name, rules, made, options), facts.hides);
  let [board, clock, actions]: [BoardInfo | null, ClockInfo | null, Told[]] = [null, null, []];
  const privates: Record<number, PrivateBoardInfo> = {};
  for (const { brief, full, actions: all } of steps) {
    const where = `${facts.name} ${JSON.stringify(options)}, seats ${mine}`;
    if (brief && board) {
      const known = { board, start, actions, mine, privates, clock },
        [only, more] = brief.actions;
      const shown = only !== undefined && more === undefined ? follower.ahead(only, known) : null;
      const found = plain(follower.follow(brief, known));
      if (!isDeepStrictEqual(found, full))
        wrong.push(`${where}, ply ${brief.ply}: ${JSON.stringify(found).slice(0, 1500)} ≠ ${JSON.stringify(full).slice(0, 1500)}`);
      const expected = full[0]?.[1] as BoardInfo;
      if (shown) ahead++;
      if (shown && !isDeepStrictEqual(plain(shown.scene), expected.scene)) wrong.push(`${where}, ply ${brief.ply}: another picture beforehand`);
      if (follower.follow({ ...brief, sum: brief.sum ^ 1 }, known) !== null) wrong.push(`${where}, ply ${brief.ply}: a wrong sum is not seen`);
    }
    for (const [event, told] of full) {
      if (event === "board info") board = told as BoardInfo;
      else privates[(told as PrivateBoardInfo).seat] = told as PrivateBoardInfo;
    }
    clock = board?.clock ?? clock;
    actions = all ?? [...actions, ...(board?.recent ?? [])];
  }
}
console.log(JSON.stringify({ wrong: wrong.slice(0, 5), ahead }));
