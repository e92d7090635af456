// The games that are played in this browser alone, kept in it: what happened in each, so that it goes on where it was.

import { signal } from "@preact/signals";
import type { Scene } from "../net/scenes";
import type { Value } from "../net/types";

/** An action, by a seat or (null) by chance, so many milliseconds after the game began. `forced`: played for a seat that had given up. */
export interface Played {
  action: string;
  seat: number | null;
  at: number;
  forced?: true;
}

/** How a game ended. `last`: seats that gave up on the way and finish last, whatever the position says. */
export interface Result {
  winner: number[];
  reason: string;
  last?: number[];
}

/** Who sits there: a computer player of a level (`bot`), or a person before this screen, for whom one may act (`auto`). */
export interface Chair {
  bot?: number;
  auto?: number;
}

export interface KeptGame {
  id: string;
  game: string;
  options: Record<string, Value>;
  chairs: Chair[];
  /** When the game began, and when something last happened. */
  started: number;
  changed: number;
  actions: Played[];
  resigned: number[];
  result: Result | null;
  /** The ply at which one went on to the next part of the game. */
  wentOn?: number;
  /** How it lies now, with the eyes of whoever plays here. */
  picture?: Scene;
}

/** A game in which nothing has happened yet. */
export function newGame(id: string, game: string, options: KeptGame["options"], chairs: readonly KeptGame["chairs"][0][], now: number): KeptGame {
  return { id, game, options, chairs: chairs.map((chair) => ({ ...chair })), started: now, changed: now, actions: [], resigned: [], result: null };
}

/** The seats of those before this screen. */
export const ownSeats = ({ chairs }: Pick<KeptGame, "chairs">): number[] => chairs.flatMap((chair, seat) => (chair.bot === undefined ? seat : []));

const PREFIX = "hanpan.local.";

/** What a game lies under. */
export const keyOf = (id: string): string => PREFIX + id;

/** As much of a browser's storage as is needed. */
export type Drawer = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** A browser that keeps nothing: then for this visit only. */
export class Pocket implements Drawer {
  private readonly held = new Map<string, string>();
  get length(): number {
    return this.held.size;
  }
  key = (index: number): string | null => [...this.held.keys()][index] ?? null;
  getItem = (key: string): string | null => this.held.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.held.set(key, value);
  removeItem = (key: string): void => void this.held.delete(key);
}

const isObject = (found: unknown): found is Record<string, unknown> => typeof found === "object" && found !== null && !Array.isArray(found);
const isText = (found: unknown): found is string => typeof found === "string";
const isTime = (found: unknown): boolean => isNumber(found) && Number.isFinite(new Date(found).getTime());
const isNumber = (found: unknown): found is number => typeof found === "number";
const isSeat = (found: unknown): boolean => Number.isInteger(found) && (found as number) >= 0;
const isLevel = (found: unknown): boolean => found === undefined || Number.isInteger(found);
const isChair = (found: unknown): boolean => isObject(found) && isLevel(found.bot) && isLevel(found.auto);
const isPlayed = (found: unknown): boolean => isObject(found) && isText(found.action) && (found.seat === null || isSeat(found.seat)) && isNumber(found.at);
const areAll = (found: unknown, each: (found: unknown) => boolean): boolean => Array.isArray(found) && found.every(each);
const isResult = (found: unknown): boolean => isObject(found) && areAll(found.winner, isSeat) && isText(found.reason) && areAll(found.last ?? [], isSeat);

/** A kept game as it was written; null where another version, or another program, wrote something else: whatever shows games can rely on what it shows. */
function read(text: string | null): KeptGame | null {
  try {
    const found: unknown = JSON.parse(text ?? "");
    const whole =
      isObject(found) &&
      [found.id, found.game].every(isText) &&
      isObject(found.options) &&
      areAll(found.chairs, isChair) &&
      areAll(found.actions, isPlayed) &&
      areAll(found.resigned, isSeat) &&
      [found.started, found.changed].every(isTime) &&
      (found.result === null || isResult(found.result));
    return whole ? (found as unknown as KeptGame) : null;
  } catch {
    return null;
  }
}

const lastFirst = (one: KeptGame, other: KeptGame): number => other.changed - one.changed;

/** Where the games lie. What there is no room for lies in a pocket, for this visit. */
export class Shelf {
  /** All of them, the one played last first. */
  readonly games = signal<KeptGame[]>([]);
  private readonly pocket = new Pocket();

  constructor(private readonly drawer: Drawer) {
    this.look();
  }

  /** Look what is there: another window may have changed it. */
  look(): void {
    const keys = [this.drawer, this.pocket].flatMap((place) => Array.from({ length: place.length }, (_, index) => place.key(index) ?? ""));
    const found = [...new Set(keys)].flatMap((key) => (key.startsWith(PREFIX) ? (this.find(key.slice(PREFIX.length)) ?? []) : []));
    this.games.value = found.sort(lastFirst);
  }

  /** Another window has changed what lies here. `key`: what it changed, as browsers tell it; null: everything. */
  hear(key: string | null): void {
    if (key === null) this.look();
    if (!key?.startsWith(PREFIX)) return;
    const id = key.slice(PREFIX.length),
      found = this.find(id);
    this.games.value = [...this.games.value.filter((other) => other.id !== id), ...(found ? [found] : [])].sort(lastFirst);
  }

  find(id: string): KeptGame | null {
    return read(this.pocket.getItem(PREFIX + id) ?? this.drawer.getItem(PREFIX + id));
  }

  /** Keep a game as it stands now. How many games that had ended made room for it; null where there is none: then it is kept for this visit only. */
  keep(game: KeptGame): number | null {
    const gone = this.fits(PREFIX + game.id, JSON.stringify(game));
    if (gone === null) this.pocket.setItem(PREFIX + game.id, JSON.stringify(game));
    else this.pocket.removeItem(PREFIX + game.id);
    this.games.value = [game, ...this.games.value.filter((other) => other.id !== game.id)];
    return gone;
  }

  /** Put something into the drawer. A game that goes on is worth more than one that ended long ago: these make room, unless even that is of no use. */
  private fits(key: string, text: string): number | null {
    const ended = this.games.value.flatMap(({ id, result }) => (result !== null && PREFIX + id !== key ? PREFIX + id : []));
    const gone: [string, string][] = [];
    while (!this.put(key, text)) {
      const oldest = ended.pop();
      if (oldest === undefined) {
        for (const [name, was] of gone) this.put(name, was);
        return null;
      }
      const was = this.drawer.getItem(oldest);
      if (was !== null) gone.push([oldest, was]);
      this.drawer.removeItem(oldest);
    }
    this.games.value = this.games.value.filter(({ id }) => !gone.some(([name]) => name === PREFIX + id));
    return gone.length;
  }

  private put(key: string, text: string): boolean {
    try {
      this.drawer.setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }

  remove(id: string): void {
    this.drawer.removeItem(PREFIX + id);
    this.pocket.removeItem(PREFIX + id);
    this.games.value = this.games.value.filter((other) => other.id !== id);
  }
}

function drawer(): Drawer {
  try {
    const found = globalThis.localStorage;
    found.getItem(PREFIX);
    return found;
  } catch {
    return new Pocket();
  }
}

export const shelf = new Shelf(drawer());
