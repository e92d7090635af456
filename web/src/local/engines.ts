// A game's rules, views and computer players, put together from their parts; each game's are fetched once.

import { OPEN, type Position } from "../engine/contract";
import { type Source, type Thinker, Thinkers } from "../engine/engine";
import { Code, type Facts, ModuleRules } from "../engine/module";
import { LocalGame, type Views } from "../engine/position";
import { get } from "../net/connection";
import type { Value } from "../net/types";
import type { Analyse } from "./analyst";
import { Follower } from "./follow";
import type { Table } from "./room";

/** The addresses of what a game is played with: its rules and computer players, what one has to know of them, and what is seen and read. */
export interface Parts {
  engine: string;
  facts: string;
  views: string;
}

const THINKING = 1; // second at most
const STRONGEST = 8;
const MEGABYTES = { play: 16, glance: 16, analyse: 64 }; // of memory for a player: what is looked at for long has more to remember

const seed = (): bigint => BigInt(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);

/** What a player is asked for: those that do something else know nothing of each other. */
type Work = keyof typeof MEGABYTES;

const nameOf = (level: number, work: Work): string => `${work} ${level}`;

/** A game as it was fetched. */
class Engine {
  private workers: Thinkers | null = null;
  private readonly players = new Map<string, Thinker>();

  constructor(
    readonly source: Source,
    readonly code: Code,
    readonly views: Views,
  ) {}

  /** A computer player, with what it has learnt so far; their thread begins with the first. */
  player(level: number, work: Work = "play"): Thinker {
    this.workers ??= new Thinkers(this.source);
    const name = nameOf(level, work),
      found = this.players.get(name) ?? this.workers.player({ level, seed: seed(), megabytes: MEGABYTES[work] });
    this.players.set(name, found);
    return found;
  }

  /** A thought has failed. Where the thread has ended with it, the next one begins another; else it goes on, and only that thought is lost. */
  lost(): void {
    if (!this.workers?.ended) return;
    this.workers.close();
    this.workers = null;
    this.players.clear();
  }

  /** Let a player go, and all it has learnt. */
  dismiss(level: number, work: Work = "play"): void {
    this.players.get(nameOf(level, work))?.close();
    this.players.delete(nameOf(level, work));
  }
}

const known = new Map<string, Promise<Engine>>();

async function fetched({ engine, facts, views }: Parts): Promise<Engine> {
  const [found, module, seen] = await Promise.all([get<Facts>(facts), compiled(engine), import(views) as Promise<{ default: Views }>]);
  return new Engine({ facts: found, module, views: new URL(views, location.href).href }, await Code.load(module), seen.default);
}

async function compiled(address: string): Promise<WebAssembly.Module> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** A game's engine, fetched by the first who wants it. */
export function engineOf(parts: Parts): Promise<Engine> {
  let made = known.get(parts.engine);
  if (!made) {
    made = fetched(parts);
    known.set(parts.engine, made);
    made.catch(() => known.delete(parts.engine)); // the next one who wants it tries again
  }
  return made;
}

async function opened(name: string, parts: Parts, options: Readonly<Record<string, Value>>): Promise<{ game: LocalGame; engine: Engine }> {
  const engine = await engineOf(parts);
  return { game: new LocalGame(name, new ModuleRules(engine.code, engine.source.facts), engine.views, options), engine };
}

/** The rules alone, for a game that is played elsewhere. */
export async function follower(name: string, parts: Parts, options: Readonly<Record<string, Value>>): Promise<Follower> {
  const { game, engine } = await opened(name, parts, options);
  return new Follower(game, engine.source.facts.hides);
}

export async function open(name: string, parts: Parts, options: Readonly<Record<string, Value>>): Promise<Table> {
  const { game, engine } = await opened(name, parts, options),
    { facts } = engine.source;
  engine.player(1); // their thread begins while the first position is looked at
  const busy = new Set<() => void>(); // ends of what is being thought about
  const choose = async (seen: Position, level: number): Promise<string> => {
    const player = engine.player(level);
    const stop = (): void => player.stop();
    busy.add(stop);
    try {
      return await player.choose(seen, THINKING);
    } catch (wrong) {
      engine.lost();
      throw wrong;
    } finally {
      busy.delete(stop);
      if (facts.hides) engine.dismiss(level); // what one seat has thought of must not help another to know
    }
  };
  const think = (work: Work, ...[seen, seconds, heard]: Parameters<Analyse>): ReturnType<Analyse> => {
    const player = engine.player(STRONGEST, work);
    let enough = false;
    const thinking = async (): Promise<void> => {
      try {
        for await (const told of player.analyse(seen, seconds, 0, seen.viewer === OPEN)) {
          if (enough) return;
          heard(told);
        }
      } catch (wrong) {
        engine.lost();
        throw wrong;
      }
    };
    const stop = (): void => {
      enough = true;
      player.stop();
    };
    return { done: thinking(), stop };
  };
  const stop = (): void => {
    for (const end of busy) end();
  };
  const decisions = Object.values(game.made.text.SHORTHANDS as Record<string, string>);
  const analysis: Pick<Table, "analyse" | "glance" | "analysed"> = {
    analyse: (...asked) => think("analyse", ...asked),
    glance: (...asked) => think("glance", ...asked),
    analysed: () => {
      for (const work of ["analyse", "glance"] as const) engine.dismiss(STRONGEST, work);
    },
  };
  return { game, decisions, secrets: facts.hides, sides: facts.sides, scale: facts.scale / 100, choose, ...analysis, stop };
}
