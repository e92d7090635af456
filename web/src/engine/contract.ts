// What playing a game here, in the browser, stands on: rules on records, and positions as Python's hanpan.game has them.

import type { Scene } from "../net/scenes";
import type { Phrase, Value } from "../net/types";

/** Who acts, as rules count them, beside the seats. */
export const CHANCE = -1;
export const OVER = -2;
/** Who looks, as rules count them, beside the seats. */
export const SPECTATOR = -1;
export const OPEN = -3;

/** A game's rules, on records: a position is so many bytes, which are never changed in place. */
export interface Rules {
  start(codes: readonly number[]): Uint8Array;
  seats(record: Uint8Array): number;
  /** A seat, CHANCE or OVER. */
  mover(record: Uint8Array): number;
  legal(record: Uint8Array): number[];
  apply(record: Uint8Array, action: number): Uint8Array;
  /** Everyone's points, and the winners, a bit a seat. */
  outcome(record: Uint8Array): { scores: number[]; winners: number };
  /** The winners where no others than these seats (a bit each) can win. */
  outcomeAmong(record: Uint8Array, seats: number): number;
  /** What chance decides, by the next random numbers (see random.ts), which are used up. */
  chance(record: Uint8Array, dice: BigInt64Array): Uint8Array;
  /** What is played for a seat whose time is up, by such random numbers. */
  forced(record: Uint8Array, dice: BigInt64Array): number;
  hide(record: Uint8Array, viewer: number): Uint8Array;
}

/** A game with its options: makes positions. */
export interface Game {
  readonly name: string;
  readonly options: Readonly<Record<string, Value>>;
  readonly seats: number;
  /** The very first position; with a seed, what chance decides first is drawn from it until a seat can act. */
  start(seed?: bigint): Position;
  /** The position that a text describes, seen by a viewer (a seat, SPECTATOR, OPEN). */
  parse(text: string, viewer?: number): Position;
}

/** A position, or what one viewer may know of it: hanpan.game.State, member for member. It never changes. */
export interface Position {
  readonly game: Game;
  readonly record: Uint8Array;
  /** Whose view this is, as the rules count viewers. */
  readonly viewer: number;
  readonly seat: number | null;
  readonly chance: boolean;
  readonly over: boolean;
  readonly scores: number[];
  readonly winner: number[] | null;
  /** The winning seats of a finished position where no others than these can win. */
  winnerAmong(seats: readonly number[]): number[];
  /** Its text. */
  readonly text: string;
  /** The legal actions by their texts, sorted, each with its number. */
  readonly actions: ReadonlyMap<string, number>;
  /** How the part of the game lay that the last action ended. */
  readonly closing: Position | null;
  /** The position after an action, or after what chance decided; throws a Refused. */
  play(text: string): Position;
  /** What chance decides by the next numbers of a generator, and the position after it. */
  draw(dice: BigInt64Array): [string, Position];
  forced(seed: bigint, draft?: readonly string[]): string;
  view(viewer: number): Position;
  told(text: string, viewer: number): string;
  toldChance(text: string): string;
  /** An action as it was told, in the game's words: as it is read and as it is heard, where these are not its text. */
  inWords(text: string): { say?: Phrase; heard?: Phrase };
  clicks(text: string): string[];
  whyNot(places: readonly string[]): Refused | null;
  /** What is seen: what `State.scene(targets).json()` is in Python. */
  scene(targets?: boolean): Scene;
  /** What the part of the game brought that the last action ended. */
  account(): RoundAccount | null;
}

/** See Round in core/scene.py. */
export interface RoundAccount {
  dealer: number;
  out: number | null;
  points: number;
  why: Phrase[];
}

/** Why something is not allowed, or can't be read: a code and a phrase of the game's words (`refusals.…`, `unfit.…`). */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly phrase: Phrase,
  ) {
    super(code);
  }
}
