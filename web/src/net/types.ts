// What the server says: the payloads of src/hanpan/server/protocol/messages.py and the scenes of src/hanpan/core/scene.py.

export interface Phrase {
  key: string;
  values?: Record<string, Phrase | string | number>;
}

// --- scenes ---

export interface Ground {
  kind: string;
  x: number;
  y: number;
  w: number;
  h: number;
  seat?: number;
  tone?: number;
}
export interface Place {
  id: string;
  kind: string;
  x: number;
  y: number;
  w: number;
  h: number;
  say: Phrase;
}
export interface Caption {
  text: string;
  x: number;
  y: number;
  size?: number;
  seat?: number;
}
export interface BoardPlan {
  width: number;
  height: number;
  grounds: Ground[];
  places: Place[];
  captions?: Caption[];
}
export interface Piece {
  id: string;
  kind: string;
  x: number;
  y: number;
  w: number;
  h: number;
  seat?: number;
  text?: string;
  sign?: string;
  turned?: number;
  face_down?: boolean;
  say?: Phrase;
}
export interface Tint {
  places: string[];
  seat?: number;
  closed?: boolean;
}
export interface Mark {
  place: string;
  kind: string;
  seat?: number;
}
export interface Stroke {
  kind: string;
  start: string;
  to: string;
  seat: number;
}
export interface Counter {
  seat?: number;
  say: Phrase;
  value: string;
}
/** Words on the board that change. */
export interface Label {
  say: Phrase[];
  x: number;
  y: number;
  size: number;
  w: number;
  seat?: number;
}
export interface Look {
  pieces?: Piece[];
  tints?: Tint[];
  marks?: Mark[];
  counters?: Counter[];
  labels?: Label[];
  alike?: string[][];
  strokes?: Stroke[];
}
export interface Motion {
  kind: string;
  start?: string;
  to?: string;
  x?: number;
  y?: number;
  w?: number;
  h?: number;
  degrees?: number;
  faces?: number[];
}
/** As sent: without the board where it is still the one before. */
export interface SentScene {
  board?: BoardPlan;
  look: Look;
  colours: string[];
  turn?: number;
  motions?: Motion[];
  reason?: Phrase;
  prompt?: Phrase;
}

// --- people and rooms ---

export interface Person {
  id: string;
  name: string;
  bot?: boolean;
  rating?: number | null;
  rank?: string | null;
  colour?: string | null;
  ratings?: Record<string, number> | null;
}
export type Value = boolean | number | string;
export type Time =
  | { kind: "none" }
  | { kind: "byoyomi"; main_ms: number; byoyomi_ms: number }
  | { kind: "turn"; turn_ms: number }
  | { kind: "fischer"; main_ms: number; increment_ms: number };
export interface RoomSettings {
  time: Time;
  rated: boolean;
  lowest: number | null;
  highest: number | null;
  spectators: boolean;
  bots: boolean;
  on_timeout: "rules" | "random";
  substitute: boolean;
  pause: number;
  listed: boolean;
}
export interface RoomLine {
  id: string;
  link: string;
  game: string;
  options: Record<string, Value>;
  settings: RoomSettings;
  locked: boolean;
  master: string;
  seats: (string | null)[];
  ids: (string | null)[];
  people: number;
  playing: boolean;
  watchers?: number;
  rating?: number | null;
  since?: number | null;
}
export interface RoomInfo {
  id: string;
  link: string;
  game: string;
  options: Record<string, Value>;
  settings: RoomSettings;
  locked: boolean;
  master: string;
  people: Person[];
  playing: boolean;
  game_id?: string;
  rated?: boolean;
}
export interface Message {
  id?: string | null;
  who: Person;
  msg: string;
  at: number;
  spectator?: boolean;
}
export interface Invitation {
  who: Person;
  room: RoomLine;
}
export interface Seat {
  seat: number;
  person: Person | null;
  ready: boolean;
  connected: boolean;
  bot?: number;
  auto?: number;
  first?: string;
  free_for_spectators?: boolean;
  resigned?: boolean;
  away?: { then: "resign" | "claim"; in_ms: number };
}
export interface Told {
  action: string;
  seat: number | null;
  at: number;
  say?: Phrase;
  forced?: boolean;
}
export interface BoardInfo {
  game_id: string;
  ply: number;
  position: string;
  seat: number | null;
  scores: number[];
  over: boolean;
  winner: number[] | null;
  last?: string | null;
  recent?: Told[];
  draft?: string[];
  scene?: SentScene;
  clock?: ClockInfo;
  paused?: boolean;
}
export interface PrivateInfo {
  seat: number;
  ply: number;
  position: string;
  legal: string[];
  info: unknown;
  scene?: SentScene;
  clicks?: Record<string, string[]>;
}
export interface HistoryInfo {
  game_id: string;
  start: number;
  actions: Told[];
  rounds?: Round[];
  closing?: unknown;
}
/** A part of the game that has ended, after so many actions. */
export interface Round {
  ply: number;
  dealer: number;
  out: number | null;
  points: number;
  why: Phrase[];
  before: number[];
  scores: number[];
}
/** Something that one seat must decide before the game goes on. */
export interface Decision {
  seat: number;
  ply: number;
  choices: string[];
}
export interface ClockInfo {
  now: number;
  seat: number | null;
  deadline: number | null;
  remaining: { main: number | null; byoyomi: number | null; turn: number | null }[];
}
export interface Offer {
  kind: "draw" | "takeback" | "resign" | "rematch" | "seat";
  seat: number;
  state: "asked" | "accepted" | "declined" | "withdrawn";
  who?: Person;
}
export interface Draft {
  seat: number;
  ply: number;
  clicks: string[];
}
export interface GameOver {
  game_id: string;
  winner: number[];
  scores: number[];
  reason: string;
  ratings: Record<string, { before: number; after: number }>;
  counted?: Counted | null;
}
/** How much of the usual points a rated game moved, and why not all of them. */
export interface Counted {
  weight: number;
  why?: "short" | "abandoned" | "again" | "program" | null;
}
/** Who one is. */
export interface Standing {
  person: Person;
  kind: string;
}
export interface Refusal {
  code: string;
  text: string;
  event?: string;
  phrase?: Phrase;
}

// --- over HTTP ---

export interface Option {
  name: string;
  default: Value;
  low?: number;
  high?: number;
  choices?: string[];
  free?: boolean;
  laid?: string;
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
  actions: { action: string; seat: number | null; forced?: boolean; say?: Phrase }[];
  people: Record<string, string>;
  scenes: (SentScene & { scores: number[]; over: boolean })[];
  winner?: number[] | null;
  reason?: string | null;
}
export interface LedgerLine {
  ply: number;
  seat: number | null;
  at: number;
  charged: number;
  forgiven: number;
  forced: boolean;
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
  person: Person;
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
