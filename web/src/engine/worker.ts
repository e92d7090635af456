// The thread that computer players think in: what engine.ts tells it, it does; what they find, it says.

import type { Value } from "../net/types";
import type { Analysis, Said, Source, Told } from "./engine";
import { Code, ModuleRules } from "./module";
import { type Kind, Player } from "./player";
import { LocalGame, type Views } from "./position";
import type { SearchResult } from "./search";

const here = self as unknown as { onmessage: (event: { data: Told }) => void; postMessage(said: Said): void };

/** A game, and the players at work in it. */
class Workshop {
  private readonly kinds = new Map<number, Kind>();
  private readonly players = new Map<number, Player>();
  private readonly queues = new Map<number, Promise<void>>();
  private readonly wanted = new Set<number>(); // thoughts that are asked for, and that nobody has stopped
  private readonly thinking = new Map<number, Player>();
  private readonly games = new Map<string, LocalGame>();
  private readonly rules: ModuleRules;

  private constructor(
    private readonly source: Source,
    private readonly code: Code,
    private readonly views: Views,
  ) {
    this.rules = new ModuleRules(code, source.facts);
  }

  static async open(source: Source): Promise<Workshop> {
    return new Workshop(source, await Code.load(source.module), (await import(source.views)).default);
  }

  hear(told: Told): void {
    if (told.kind === "player") this.kinds.set(told.player, told.as);
    else if (told.kind === "forget") {
      this.kinds.delete(told.player);
      this.players.delete(told.player);
      this.queues.delete(told.player);
    } else if (told.kind === "stop") {
      this.wanted.delete(told.thought);
      this.thinking.get(told.thought)?.stop();
    } else if (told.kind !== "open") {
      this.wanted.add(told.thought);
      const before = this.queues.get(told.player) ?? Promise.resolve();
      this.queues.set(
        told.player,
        before.then(() => this.answer(told)),
      );
    }
  }

  private async answer(told: Told & { kind: "choose" | "analyse" }): Promise<void> {
    const { thought } = told;
    try {
      const player = this.player(told.player);
      this.thinking.set(thought, player);
      here.postMessage({ thought, action: await this.think(player, told) });
    } catch (wrong) {
      this.players.delete(told.player); // it may have been interrupted anywhere: the next thought begins with a new memory
      here.postMessage({ thought, wrong: String(wrong) });
    }
    this.thinking.delete(thought);
    this.wanted.delete(thought);
  }

  private player(number: number): Player {
    const kind = this.kinds.get(number);
    if (!kind) throw new Error(`there is no player ${number}`);
    const player = this.players.get(number) ?? new Player(this.code, this.source.facts, kind);
    this.players.set(number, player);
    return player;
  }

  private async think(player: Player, told: Told & { kind: "choose" | "analyse" }): Promise<string | null> {
    const game = this.game(told.options);
    const format = (record: Uint8Array, action: number): string => game.made.text.format_action(game.record(record), BigInt(action));
    const seen = { record: told.record, text: game.made.text.format_position(game.record(told.record)) };
    const stopped = !this.wanted.has(told.thought); // before it began
    if (told.kind === "choose") return format(told.record, await player.choose(seen, stopped ? 0 : told.seconds));
    if (stopped) return null;
    if (told.open && this.source.facts.solveRoom) {
      // the player's own opinion is there at once, the exact values take longer
      for await (const result of player.analyse(seen, told.seconds, told.lines)) {
        here.postMessage({ thought: told.thought, analysis: this.told(result, told.record, format) });
        break;
      }
      if (!this.wanted.has(told.thought)) return null; // stopped meanwhile: what comes next would not know
    }
    const solved = told.open && (await player.solve(told.open, told.seconds));
    if (solved && told.open) here.postMessage({ thought: told.thought, analysis: this.told(solved, told.open, format) });
    if (solved || !this.wanted.has(told.thought)) return null;
    for await (const result of player.analyse(seen, told.seconds, told.lines)) {
      here.postMessage({ thought: told.thought, analysis: this.told(result, told.record, format) });
    }
    return null;
  }

  private told(result: SearchResult, from: Uint8Array, format: (record: Uint8Array, action: number) => string): Analysis {
    const values = new Map([...result.values].map(([action, value]) => [format(from, action), hundredths(value)]));
    let record = from;
    const line = result.line.map((action) => {
      const text = format(record, action);
      record = this.rules.apply(record, action);
      return text;
    });
    return { values, line, depth: result.depth, nodes: result.nodes, sure: result.sure, ...(result.chances && { chances: result.chances }) };
  }

  private game(options: Readonly<Record<string, Value>>): LocalGame {
    const key = JSON.stringify(options);
    const known = this.games.get(key);
    if (known) return known;
    const made = new LocalGame(this.source.facts.name, this.rules, this.views, options);
    this.games.set(key, made);
    return made;
  }
}

/** Hundredths of a point in points, with two places, as Python rounds them: a half to the even side. */
function hundredths(value: number): number {
  const given = value / 100;
  const half = Number.isInteger(given * 8) && Math.abs(given * 1000) % 10 === 5;
  return half ? (2 * Math.round(given * 50)) / 100 : Number(given.toFixed(2));
}

let opening: Promise<Workshop> | null = null;

here.onmessage = ({ data: told }) => {
  if (told.kind === "open") opening = Workshop.open(told.source);
  opening?.then(
    (workshop) => workshop.hear(told),
    (wrong) => here.postMessage({ broken: String(wrong) }),
  );
};
