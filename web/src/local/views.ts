// What a room in this browser says: pure functions of its game and of who sits there, made only from what this screen may see (server/rooms/views.py).

import { SPECTATOR } from "../engine/contract";
import type { BoardInfo, Decision, GameOver, HistoryInfo, PersonInfo, PlayerInfo, PrivateBoardInfo, RoomInfo, RoomSettings, SeatInfo } from "../net/types";
import { type KeptGame, ownSeats, type Result } from "./kept";
import type { LocalMatch } from "./match";

const SETTINGS: RoomSettings = {
  time: { kind: "none" },
  rated: false,
  lowest: null,
  highest: null,
  spectators: false,
  bots: true,
  on_timeout: "rules",
  pause: 0,
  listed: false,
  substitute: false,
};

/** How it stands in a room. */
export interface Seen {
  kept: KeptGame;
  match: LocalMatch;
  /** Who sits before this screen, and whether they are ready for the next part of the game, which waits for it. */
  me: PersonInfo;
  ready: boolean;
}

/** Whose eyes this screen sees the game with. */
export const eyes = (kept: KeptGame): number => ownSeats(kept)[0] ?? SPECTATOR;

/** Each game of a room has a name of its own: one that was begun anew is another. */
export const gameId = ({ id, started }: KeptGame): string => `${id}.${started}`;

export function info({ kept, match, me }: Seen): RoomInfo {
  const about = { id: kept.id, link: `/local/${kept.id}`, game: kept.game, options: { ...match.game.options }, settings: SETTINGS, locked: false };
  return { ...about, master: me.id, people: [me], playing: match.result === null, game_id: gameId(kept), rated: false };
}

export function players({ kept, match, me, ready }: Seen): PlayerInfo {
  const seats = kept.chairs.map(
    ({ bot, auto }, seat): SeatInfo => ({
      seat,
      person: bot === undefined ? me : null,
      ready: bot !== undefined || ready,
      connected: true,
      ...(bot === undefined ? { first: me.id } : { bot }),
      ...(bot === undefined && auto !== undefined ? { auto } : {}),
      ...(match.resigned.has(seat) ? { resigned: true } : {}),
    }),
  );
  return { seats };
}

/** As much of a game as is told of it. */
export type Shown = Pick<LocalMatch, "ply" | "seat" | "secret" | "result" | "view" | "scene" | "acting" | "told">;

/** What everyone may see; with a ply, also the actions since then. `own`: someone here sits at the game; where there are secrets, their own picture follows. */
export function board(match: Shown, game_id: string, own: boolean, since?: number): BoardInfo {
  const seen = match.view(SPECTATOR);
  const recent = since === undefined ? undefined : match.told(SPECTATOR, since);
  const last = (recent ?? match.told(SPECTATOR, Math.max(0, match.ply - 1))).slice(-1)[0]?.action ?? null;
  return {
    game_id,
    ply: match.ply,
    position: seen.text,
    seat: match.seat,
    scores: seen.scores,
    over: match.result !== null,
    winner: match.result?.winner ?? null,
    last,
    ...(recent ? { recent } : {}),
    ...(match.secret && own ? {} : { scene: match.scene(SPECTATOR) }),
  };
}

/** What only that seat may see, and what it may do. */
export function privately(match: Shown, seat: number): PrivateBoardInfo {
  const seen = match.acting(seat),
    legal = match.result === null ? [...seen.actions.keys()] : [];
  const clicks = Object.fromEntries(legal.map((action) => [action, seen.clicks(action)]));
  return { seat, ply: match.ply, position: seen.text, legal, info: {}, clicks, ...(match.secret ? { scene: match.scene(seat) } : {}) };
}

export function history({ kept, match }: Seen): HistoryInfo {
  const rounds = match.rounds(eyes(kept));
  return { game_id: gameId(kept), start: kept.started, actions: match.told(eyes(kept)), ...(rounds.length ? { rounds } : {}) };
}

/** What the seat to act has to decide before the game goes on; null where it has to act. `decisions`: all that can be decided in this game. */
export function decision(match: LocalMatch, decisions: readonly string[]): Decision | null {
  const { seat, ply } = match;
  if (seat === null || !decisions.length) return null;
  const choices = [...match.view(seat).actions.keys()];
  return choices.length && choices.every((choice) => decisions.includes(choice)) ? { seat, ply, choices } : null;
}

export function over(seen: Seen, { winner, reason }: Result): GameOver {
  return { game_id: gameId(seen.kept), seats: players(seen).seats, winner, scores: seen.match.position.scores, reason, ratings: {} };
}
