// A game that is played here: its positions, its actions, its end. The server's own (server/rooms/match.py), without people and clocks.

import type { Game, Position } from "../engine/contract";
import type { Scene } from "../net/scenes";
import type { RoundInfo, SentScene, Told } from "../net/types";
import type { Played, Result } from "./kept";

/** Actions after which a game that its rules have not ended ends, chance included; the same number as in hanpan/result.py. */
export const MOST_ACTIONS = 2000;

/** The side that each seat plays for, as the list of games tells it; where it says nothing, everyone plays for themselves. */
export const sidesOf = (game: Game, told: readonly number[] | undefined): number[] => Array.from({ length: game.seats }, (_, seat) => told?.[seat] ?? seat);

function remembered<T>(known: Map<number, T>, key: number, find: () => T): T {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

export class LocalMatch {
  readonly positions: Position[];
  readonly played: Played[] = [];
  result: Result | null = null;
  readonly resigned = new Set<number>();
  private readonly views = new Map<number, Position>();
  private readonly pictures = new Map<number, Scene>();

  constructor(
    readonly game: Game,
    readonly secret: boolean,
    readonly sides: readonly number[],
    played: readonly Played[] = [],
  ) {
    this.positions = [game.start()];
    for (const each of played) this.put(each, this.position.play(each.action));
  }

  /** The open position: nothing of it is shown where there are secrets, see `view`. */
  get position(): Position {
    return this.positions[this.positions.length - 1] as Position;
  }

  get ply(): number {
    return this.played.length;
  }

  /** The seat to act; null once the game has ended, and while chance is to act. */
  get seat(): number | null {
    return this.result === null ? this.position.seat : null;
  }

  /** What a viewer may know; found out once a ply. */
  view(viewer: number): Position {
    return remembered(this.views, viewer, () => this.position.view(viewer));
  }

  /** What a viewer sees; likewise. */
  scene(viewer: number): Scene {
    return remembered(this.pictures, viewer, () => this.view(viewer).scene());
  }

  /** What a seat acts by: without secrets the position itself, which has found out already what can be done. */
  acting(seat: number): Position {
    return this.secret ? this.view(seat) : this.position;
  }

  put(played: Played, following: Position): void {
    this.played.push(played);
    this.positions.push(following);
    this.forget();
  }

  takeBack(ply: number): void {
    this.played.length = ply;
    this.positions.length = ply + 1;
    this.forget();
  }

  private forget(): void {
    this.views.clear();
    this.pictures.clear();
  }

  // --- the end ---

  /** The result, if the game has ended: by its rules, or because it has gone on for long enough. */
  ending(): Result | null {
    if (this.position.over) return this.judged();
    return this.ply >= MOST_ACTIONS ? { winner: [], reason: "length" } : null;
  }

  /** The result of a finished position: who gave up on the way finishes last, so the best of the others wins. */
  private judged(): Result {
    if (!this.resigned.size) return { winner: this.position.winner ?? [], reason: "rules" };
    return { winner: this.position.winnerAmong(this.stayed()), reason: "rules", last: this.gaveUp() };
  }

  /** A seat gives up: of two sides its own loses; of more, the seat finishes last, and the game ends when only one is left. */
  giveUp(seat: number): void {
    if (new Set(this.sides).size === 2) {
      const lost = this.sides[seat];
      this.result = { winner: this.sides.flatMap((side, other) => (side === lost ? [] : other)), reason: "resigned" };
      return;
    }
    this.resigned.add(seat);
    const stayed = this.stayed();
    if (stayed.length === 1) this.result = { winner: stayed, reason: "resigned", last: this.gaveUp() };
  }

  gaveUp(): number[] {
    return [...this.resigned].sort((one, other) => one - other);
  }

  private stayed(): number[] {
    return this.sides.map((_, seat) => seat).filter((seat) => !this.resigned.has(seat));
  }

  // --- what is told ---

  /** The actions as a viewer may know them; everything is open once the game has ended. */
  told(viewer: number, since = 0): Told[] {
    return this.played.slice(since).map(({ action, seat, at, forced }, index) => {
      const before = this.positions[since + index] as Position;
      let text = action;
      if (this.result === null && seat === null) text = before.toldChance(action);
      else if (this.result === null && this.secret && seat !== viewer) text = before.told(action, viewer);
      return { action: text, seat, at, ...before.inWords(text), ...(forced ? { forced: true } : {}) };
    });
  }

  /** The parts of the game that have ended. */
  rounds(viewer: number): RoundInfo[] {
    return this.positions.flatMap((after, ply) => {
      if (!after.closing) return [];
      const ended = after.view(viewer).account();
      return ended ? { ply, ...ended, before: (this.positions[ply - 1] as Position).scores, scores: after.scores } : [];
    });
  }

  /** The positions from one on, as a viewer saw them then; after the end, all of them open. */
  scenes(viewer: number, since: number): SentScene[] {
    return this.positions.slice(since).map((position) => (this.secret && this.result === null ? position.view(viewer) : position).scene());
  }
}
