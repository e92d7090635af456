// What the server answers over HTTP.

import type { PersonInfo, Phrase, SentScene, Time, Value } from "./types";

export interface Option {
  name: string;
  default: Value;
  low?: number;
  high?: number;
  choices?: string[];
  free?: boolean;
  laid?: string;
  /** By choice: the values that it gives other options. */
  fixes?: Record<string, Record<string, Value>>;
}
/** What a table of a game is like: its usual clock, and whether a new table has it; whether leaving a game is resigning. */
export interface GameTable {
  seats: number;
  clock: Time;
  timed: boolean;
  leaving: string;
}
export interface GameInfo extends GameTable {
  options: Option[];
  sides: number[];
  rounds: boolean;
  /** Whether some know what others do not. */
  secrets: boolean;
}
export interface GameWords {
  name: string;
  tagline: string;
  seats: string[];
  options: Record<string, { name: string; help: string; values?: Record<string, string> }>;
  /** What is said at positions of the demo; `{1}` is the first seat's name. */
  demo?: Record<string, string>;
  [section: string]: unknown;
}
export interface Words {
  house: Record<string, unknown>;
  games: Record<string, GameWords>;
}
export interface GameLine {
  id: string;
  game: string;
  options: Record<string, Value>;
  people: { person?: string | null; first?: string | null; bot?: number | null }[];
  names: (string | null)[];
  rated: boolean;
  counted: number | null;
  started_at: number;
  ended_at: number | null;
  result: { winner: number[]; reason: string; scores: number[] } | null;
}
/** A whole game, position by position. */
export interface RecordScenes {
  game: string;
  options: Record<string, Value>;
  /** The text of the first position, if it is not the game's own. */
  start?: string;
  actions: { action: string; seat: number | null; forced?: boolean; say?: Phrase; heard?: Phrase }[];
  people: Record<string, string>;
  scenes: (SentScene & { scores: number[]; over: boolean })[];
  winner?: number[] | null;
  reason?: string | null;
}
export interface RatingStep {
  game_id: string | null;
  before: number;
  after: number;
  at: number;
}
export interface Best {
  id: string;
  name: string;
  bot: boolean;
  rating: number;
  games: number;
  rank: string;
  colour: string;
}
export interface Offered {
  email: boolean;
  elsewhere: Record<string, string>;
  custom: boolean;
  custom_site: string | null;
  mail: boolean;
  contact: string | null;
}
export interface Mine {
  person: PersonInfo;
  kind: string;
  role: string | null;
  muted_until: number | null;
  logins: { id: string; provider: string; email: string | null; since: number }[];
  sessions: Session[];
  second: SecondFactors;
  blocked: { id: string; name: string }[];
  bots: { id: string; name: string; scopes: string[] }[];
}
export interface SecondFactors {
  on: boolean;
  needed: boolean;
  totp: { since: number; used: number | null } | null;
  passkeys: { id: string; name: string; since: number; used: number | null }[];
  recovery: number;
}
/** An authenticator app that is being set up. */
export interface NewTotp {
  ticket: string;
  secret: string;
  address: string;
}
/** Somewhere where one is logged in. */
export interface Session {
  id: string;
  here: boolean;
  browser: string;
  place: string;
  since: number;
  seen: number;
  ends: number;
}
/** How one can prove who one is. */
export interface Proofs {
  fresh: boolean;
  ways: string[];
  elsewhere: Record<string, string>;
  site: string | null;
}
export interface Known {
  id: string;
  name: string;
  kind: string;
  role: string | null;
  muted_until: number | null;
  banned_until: number | null;
  places?: { address: string; browser: string; seen_at: number }[];
}
/** From there nobody may come in. */
export interface Ban {
  id: string;
  kind: "address" | "browser";
  value: string;
  until: number | null;
  reason: string;
  at: number;
  by: string | null;
  person_id: string | null;
  about: string | null;
  lifted_at: number | null;
}
export interface Report {
  id: string;
  person_id: string;
  by: string;
  about_id: string;
  about: string;
  text: string;
  message: string | null;
  message_id: string | null;
  room_id: string | null;
  at: number;
  closed_at: number | null;
}
/** What waits for a second operator. */
export interface Proposal {
  id: string;
  at: number;
  operator_id: string;
  by: string | null;
  verb: string;
  target: string;
  about: string | null;
  reason: string;
  document: Record<string, Value | null>;
}
export interface Act {
  id: string;
  at: number;
  by: string | null;
  verb: string;
  target: string;
  about: string | null;
  reason: string;
  document: Record<string, Value | null>;
  places?: { kind: string; value: string }[];
}
/** Where others find the server, if that is known; `alone`: nobody else can open it. */
export interface Around {
  address: string | null;
  alone: boolean;
}
