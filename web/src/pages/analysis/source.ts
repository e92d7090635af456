// What is to be analysed, and how its address tells it.

import { Refused } from "../../engine/contract";
import { shelf } from "../../local/kept";
import { get } from "../../net/connection";
import { gameWords, say, t } from "../../net/i18n";
import type { Value } from "../../net/types";

export interface Source {
  game: string;
  options: Record<string, Value>;
  actions: string[];
  people?: Record<string, string>;
  /** The text of the first position, if it is not the game's own. */
  position?: string;
  /** The plies that were played for a seat that had no say in it. */
  forced?: number[];
  /** Who has won the game. */
  winner?: number[] | null;
}

const isObject = (data: unknown): data is Record<string, Value> => typeof data === "object" && data !== null && !Array.isArray(data);
const isTexts = (data: unknown): data is string[] => Array.isArray(data) && data.every((each) => typeof each === "string");

/** What one part of the address says, as JSON of some shape; what it is where the address leaves it out. */
function part<T>(told: URLSearchParams, name: string, fits: (data: unknown) => data is T, otherwise: T): T {
  const text = told.get(name);
  if (text === null) return otherwise;
  try {
    const data: unknown = JSON.parse(text);
    if (fits(data)) return data;
  } catch {
    // said below
  }
  throw new SyntaxError(`${name}=${text.slice(0, 80)}`);
}

/** What the address tells: `/analysis/GAME?position=TEXT&options=JSON&moves=JSON`, from the beginning where it names no position. */
const addressed = (game: string, told: URLSearchParams): Source => ({
  game,
  options: part(told, "options", isObject, {}),
  actions: part(told, "moves", isTexts, []),
  position: told.get("position")?.trim(),
});

export const wrongText = (game: string, wrong: unknown): string =>
  t("analysis.unreadable", { why: (wrong instanceof Refused && say(game, wrong.phrase)) || (wrong instanceof Error ? wrong.message : "") });

/** What is to be analysed: a game's name with what the address tells, or a finished game, one of this browser's or of the server's. */
export async function found(id: string, search: string): Promise<Source | "running"> {
  if (gameWords(id)) return addressed(id, new URLSearchParams(search));
  const kept = shelf.find(id);
  if (kept) {
    const people = Object.fromEntries(kept.chairs.flatMap(({ bot }, seat) => (bot === undefined ? [] : [[String(seat + 1), `bot ${bot}`]])));
    const { actions, result } = kept,
      forced = actions.flatMap((each, ply) => (each.forced ? ply : []));
    return result ? { ...kept, actions: actions.map((each) => each.action), people, forced, winner: result.winner } : "running";
  }
  const record = await get<Source & { running?: boolean }>(`/api/records/${encodeURIComponent(id)}.json`);
  return record.running ? "running" : record;
}
