// Following a game that is played elsewhere and told briefly: what happened is played here, and told in full as the server would have told it.

import { type Position, SPECTATOR } from "../engine/contract";
import type { LocalGame } from "../engine/position";
import { crc32 } from "../engine/random";
import type { Known, Teller } from "../net/room";
import type { Scene } from "../net/scenes";
import type { BoardInfo, ClockInfo, Ply, Told } from "../net/types";
import type { Played } from "./kept";
import { LocalMatch, sidesOf } from "./match";
import * as views from "./views";

/** A record after what was told of its changes: pieces, each a byte with its distance from the last one and its length, and the new bytes. */
function changed(record: Uint8Array, told: string): Uint8Array {
  const pieces = Uint8Array.from(atob(told), (letter) => letter.charCodeAt(0)),
    made = record.slice();
  for (let at = 0, to = 0; at < pieces.length; ) {
    const head = pieces[at++] ?? 0,
      length = head & 7;
    to += head >> 3;
    made.set(pieces.subarray(at, at + length), to);
    at += length;
    to += length;
  }
  return made;
}

/** A game with secrets, as one viewer knows it: how it stands, and the action that led there. */
class OneView implements views.Shown {
  readonly secret = true;
  readonly result = null;

  constructor(
    readonly ply: number,
    readonly position: Position,
    private readonly others: (viewer: number) => Position,
    private readonly lines: (viewer: number) => Told[],
  ) {}

  get seat(): number | null {
    return this.position.seat;
  }

  view(viewer: number): Position {
    return viewer === this.position.viewer ? this.position : this.others(viewer);
  }

  scene(viewer: number): Scene {
    return this.view(viewer).scene();
  }

  acting(seat: number): Position {
    return this.view(seat);
  }

  told(viewer: number): Told[] {
    return this.lines(viewer);
  }
}

/** All clocks: those of whom nothing is told have what they had. */
function clockOf(told: Ply, start: number, before: ClockInfo, seat: number | null): ClockInfo {
  const remaining = [...before.remaining],
    now = start + (told.at.at(-1) ?? 0) + (told.now ?? 0);
  for (const [of = 0, main = 0, byoyomi = 0, turn = 0] of told.clock ?? []) remaining[of] = { main, byoyomi, turn };
  const { main = 0, byoyomi = 0, turn = 0 } = remaining[seat ?? -1] ?? {},
    left = told.deadline === undefined ? main + byoyomi + turn : told.deadline;
  return { now, seat, deadline: left === null ? null : now + left, remaining };
}

export class Follower implements Teller {
  private match: LocalMatch | null = null; // without secrets: all that was played
  private view: { ply: number; position: Position } | null = null; // with secrets: how one knew it last
  private id = "";

  constructor(
    private readonly game: LocalGame,
    private readonly secret: boolean,
  ) {}

  /** The messages that tell in full what was told briefly; null where what is known does not lead there. */
  follow(told: Ply, known: Known): [event: string, told: object][] | null {
    if (told.clock && !known.clock) return null;
    this.of(known.board.game_id);
    const shown = this.played(told, known) ?? this.played(told, known); // once more, from what was told in full
    if (!shown) return null;
    const board = views.board(shown, this.id, known.mine.length > 0, told.ply - told.actions.length);
    const clock = known.clock && (told.clock ? clockOf(told, known.start, known.clock, shown.seat) : { ...known.clock, seat: shown.seat });
    const own = known.mine.filter((seat) => this.secret || seat === shown.seat);
    return [["board info", clock ? { ...board, clock } : board], ...own.map((seat): [string, object] => ["private board info", views.privately(shown, seat)])];
  }

  /** How the board lies after an action of one's own; null where that is hidden, chance follows, or the game ends. */
  ahead(action: string, known: Known): BoardInfo | null {
    const { game_id, ply } = known.board;
    if (this.secret) return null;
    this.of(game_id);
    try {
      const match = this.caughtUp(ply, known);
      if (match.seat === null || !known.mine.includes(match.seat)) return null;
      const after = match.position.play(action);
      if (after.seat === null) return null;
      match.put({ action, seat: match.seat, at: known.actions[ply - 1]?.at ?? 0 }, after);
      const board = views.board(match, game_id, true, ply);
      match.takeBack(ply);
      return board;
    } catch {
      return null; // the server says why not
    }
  }

  /** What is told is of this game. */
  private of(id: string): void {
    if (id !== this.id) this.forget();
    this.id = id;
  }

  private forget(): void {
    this.match = this.view = null;
  }

  /** The game with what was told; null if that is not what the server has. */
  private played(told: Ply, known: Known): views.Shown | null {
    try {
      const shown = this.secret ? this.seen(told, known) : this.openly(told, known);
      if (shown) return shown;
    } catch {
      // not to be played here
    }
    this.forget();
    return null;
  }

  /** The game as it was after so many actions. */
  private caughtUp(ply: number, { actions, board }: Known): LocalMatch {
    if (this.match?.ply === ply && (board.ply !== ply || this.match.position.text === board.position)) return this.match;
    if (actions.length < ply) throw new Error("what happened before is not known");
    this.match = new LocalMatch(this.game, false, sidesOf(this.game, undefined), actions.slice(0, ply) as Played[]);
    return this.match;
  }

  private openly(told: Ply, known: Known): LocalMatch | null {
    const match = this.caughtUp(told.ply - told.actions.length, known);
    for (const [number, action] of told.actions.entries()) {
      const { seat } = match.position,
        forced = told.forced?.includes(number);
      match.put({ action, seat, at: told.at[number] ?? 0, ...(forced ? { forced: true } : {}) }, match.position.play(action));
    }
    return crc32(match.position.record) === told.sum ? match : null;
  }

  /** What one knew before, by its text where it was told in full. */
  private before(ply: number, viewer: number, { board, privates }: Known): Position {
    if (this.view?.ply === ply && this.view.position.viewer === viewer) return this.view.position;
    const known = viewer === SPECTATOR ? board : privates[viewer];
    if (known?.ply !== ply) throw new Error("what was seen before is not known");
    return this.game.parse(known.position, viewer);
  }

  private seen(told: Ply, known: Known): OneView | null {
    const [action, more] = told.actions;
    if (action === undefined || more !== undefined || told.seen === undefined) return null;
    const viewer = known.mine[0] ?? SPECTATOR,
      before = this.before(told.ply - 1, viewer, known),
      record = changed(before.record, told.seen);
    if (crc32(record) !== told.sum) return null;
    const places = told.trail ? this.game.places(record, viewer) : [],
      trail = (told.trail ?? []).map((number) => places[number] ?? "");
    const look = (eyes: number): Position => this.game.seen(record, eyes, trail, told.motions ?? []);
    const line = (eyes: number): Told[] => {
      const text = before.seat === viewer && eyes !== viewer ? before.told(action, eyes) : action;
      return [{ action: text, seat: before.seat, at: told.at[0] ?? 0, ...before.inWords(text), ...(told.forced ? { forced: true } : {}) }];
    };
    this.view = { ply: told.ply, position: look(viewer) };
    return new OneView(told.ply, this.view.position, look, line);
  }
}
