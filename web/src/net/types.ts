// Made by tools/types_of_messages.py from src/hanpan/server/protocol/messages.py and src/hanpan/core/scene.py: change those, then run it.

/**
 * Who you are. `kind`: guest, account or bot. `token` is told once, to a guest whom this connection has made: it brings you back as the same person.
 * `silent`: only operators may say anything here.
 */
export interface LoginInfo {
  person: PersonInfo;
  token?: string;
  kind: string;
  role?: string;
  silent?: boolean;
}

/** Someone, as others see them: in a room with the rating in its game, in the lobby with the best of their `ratings`. `gone`: whose account is deleted. */
export interface PersonInfo {
  id: string;
  name: string;
  rating?: number;
  rank?: string;
  colour?: string;
  ratings?: Record<string, number>;
  bot?: boolean;
  gone?: boolean;
}

/** Why something was not done. `code` is stable; `text` is a sentence. */
export interface Refusal {
  code: string;
  text: string;
  event?: string;
  phrase?: Phrase;
}

/** Something to say in the reader's language: a key of the words, and the values that it speaks of. */
export interface Phrase {
  key: string;
  values?: Record<string, Phrase | string | number>;
}

/** The server is about to stop, and will be back soon: connect again after so many milliseconds. */
export interface ComeBack {
  after_ms: number;
}

/** Play pauses (`yes`), because a part of the server is away, and clocks stand still; or it goes on. */
export interface Interrupted {
  yes: boolean;
}

/** The lobby: who is here and which rooms there are. */
export interface LobbyInfo {
  people: PersonInfo[];
  rooms: RoomLine[];
}

/** A room in the lobby's list; `link` opens straight into it. `seats` and `ids`: names and ids of those who sit there. */
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
  watchers: number;
  rating: number | null;
  since: number | null;
}

export type Value = boolean | number | string;

/** How a room plays, beside the game's own options. */
export interface RoomSettings {
  time: Time;
  rated: boolean;
  lowest: number | null;
  highest: number | null;
  spectators: boolean;
  bots: boolean;
  on_timeout: "rules" | "random";
  pause: number;
  listed: boolean;
  substitute: boolean;
}

export type Time = NoClock | Byoyomi | TurnClock | Fischer;

/** Time does not matter. */
export interface NoClock {
  kind: "none";
}

/** A main time; when it is over, so much for each action. */
export interface Byoyomi {
  kind: "byoyomi";
  main_ms: number;
  byoyomi_ms: number;
}

/** So much for each action. */
export interface TurnClock {
  kind: "turn";
  turn_ms: number;
}

/** A main time, and something more with each action. */
export interface Fischer {
  kind: "fischer";
  main_ms: number;
  increment_ms: number;
}

/** Something that was said; `id`: in a room, where it is kept. */
export interface Message {
  id?: string;
  who: PersonInfo;
  msg: string;
  at: number;
  spectator?: boolean;
}

/** A room that is no more, or that you shall go to now. */
export interface OneRoom {
  id: string;
}

/** Someone invites you. */
export interface Invitation {
  who: PersonInfo;
  room: RoomLine;
}

/** The room without its table; `link` opens straight into it. */
export interface RoomInfo {
  id: string;
  link: string;
  game: string;
  options: Record<string, Value>;
  settings: RoomSettings;
  locked: boolean;
  master: string;
  people: PersonInfo[];
  playing: boolean;
  game_id?: string;
  rated?: boolean;
}

/** What was said in the room before, oldest first: the last 100 messages, as far as this person may read them. */
export interface ChatHistory {
  messages: Message[];
}

/** All seats. */
export interface PlayerInfo {
  seats: SeatInfo[];
}

/**
 * One seat of a table. `bot`: the level of the computer player that sits here; `auto`: of the one that acts for the person. `first`: who sat there when
 * the game began, and may come back; `away`: what comes of it that they are not here.
 */
export interface SeatInfo {
  seat: number;
  person: PersonInfo | null;
  ready: boolean;
  connected: boolean;
  bot?: number;
  auto?: number;
  first?: string;
  free_for_spectators?: boolean;
  away?: Away;
  resigned?: boolean;
}

/** What comes of someone's absence, and in how many milliseconds: their seat resigns, or the others may claim. */
export interface Away {
  then: "resign" | "claim";
  in_ms: number;
}

/**
 * The actions so far, each as this viewer may know it; `rounds`: the parts of the game that have ended; `closing`: how the last of them lay, until a
 * seat acts again (its `position` as text, and `info` for programs).
 */
export interface HistoryInfo {
  game_id: string;
  start: number;
  actions: Told[];
  rounds?: RoundInfo[];
  closing?: Record<string, unknown>;
}

/** An action, as the reader may know it; null: chance acted. `forced`: played for a seat whose time was up, or that had resigned. */
export interface Told {
  say?: Phrase;
  heard?: Phrase;
  action: string;
  seat: number | null;
  at: number;
  forced?: boolean;
}

/**
 * A part of the game that has ended, after so many actions (`ply`): who dealt, who ended it (null: nobody), the points that brought, why (phrases in the
 * game's words), and the scores by seat before and after.
 */
export interface RoundInfo {
  ply: number;
  dealer: number;
  out: number | null;
  points: number;
  why: Phrase[];
  before: number[];
  scores: number[];
}

/**
 * What everyone may see of the game. `recent`: the actions since the last time, as everyone may know them; `last`: the last one; `clock`: the times;
 * `scene`: the picture, for those who asked for pictures and have none of their own (see `private board info`); `paused`: a part of the game has ended,
 * and the next one begins when everyone at the table has said `set ready`, or when the `ready timer` ends.
 */
export interface BoardInfo {
  game_id: string;
  ply: number;
  position: string;
  seat: number | null;
  scores: number[];
  over: boolean;
  winner: number[] | null;
  last: string | null;
  recent?: Told[];
  draft?: string[];
  scene?: SentScene;
  clock?: ClockInfo;
  paused?: boolean;
}

/** One position as one viewer sees it. */
export interface SentScene {
  board?: BoardPlan;
  look: Look;
  colours: string[];
  turn?: number;
  motions?: Motion[];
  reason?: Phrase;
  prompt?: Phrase;
}

/** What does not change while the game is played. */
export interface BoardPlan {
  width: number;
  height: number;
  grounds: Ground[];
  places: Place[];
  captions?: Caption[];
}

/**
 * An inert surface. Kinds: `table` (the whole background of a scene), `cloth` (what lies on a table), `board` (a board's body), `tile` (a wooden block),
 * `field` (a mat where one seat's things lie), `goal` (what a seat is to reach: a page shows a board with the goal of whoever sits before it at the far
 * side).
 */
export interface Ground {
  kind: string;
  x: number;
  y: number;
  w: number;
  h: number;
  seat?: number;
  tone?: number;
}

/**
 * Something that can be pointed at. Kinds: `cell` (square), `hole` (round), `slot` (where a wall may come: a bar, unseen until pointed at), `handle` (a
 * small round grip at a corner), `spot` (where a koma lies), `hand` (where one stands in a hand: nothing is drawn there), `button` (a choice with words,
 * drawn below the board where it lies outside).
 */
export interface Place {
  id: string;
  kind: string;
  x: number;
  y: number;
  w: number;
  h: number;
  say: Phrase;
}

/** A few letters on the board: coordinates along the rim, a name beside a field. */
export interface Caption {
  text: string;
  x: number;
  y: number;
  size?: number;
  seat?: number;
}

/**
 * What changes: everything that stands on the board now. `alike`: places that mean the same in an action; pointing at any of them is pointing at the
 * first of them that has not been pointed at yet.
 */
export interface Look {
  pieces?: Piece[];
  tints?: Tint[];
  marks?: Mark[];
  counters?: Counter[];
  labels?: Label[];
  alike?: string[][];
  strokes?: Stroke[];
}

/** A thing on the board. Kinds: `pawn`, `stone`, `marble`, `disc`, `koma`, `wall` (a whole bar), `half` (a cut bar, broken at its ends). */
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

/**
 * Places that belong together: washed in the owner's colour, or hatched when contested (seat None). `closed`: only their outline is drawn, since nothing
 * may be put there now.
 */
export interface Tint {
  places: string[];
  seat?: number;
  closed?: boolean;
}

/** A sign on a place. Kinds: `last` (soft halo), `ring` (a white border around the piece there), `partner`, `attack`. */
export interface Mark {
  place: string;
  kind: string;
  seat?: number;
}

/** A number that people watch: `Counter(0, Phrase("counters.walls"), "7")`. seat None: it belongs to the whole table. */
export interface Counter {
  seat?: number;
  say: Phrase;
  value: string;
}

/** Words on the board that change: phrases, one after the other, no wider than `w`. A page calls `seats.N` by who sits there. With a seat, in its colour. */
export interface Label {
  say: Phrase[];
  x: number;
  y: number;
  size: number;
  w: number;
  seat?: number;
}

/**
 * A line from the middle of one place to that of another. Kinds: `tie` (below the pieces, between neighbours that count together), `row` (over the
 * pieces that stand in one line).
 */
export interface Stroke {
  kind: string;
  start: string;
  to: string;
  seat: number;
}

/**
 * How the last action moved things, for a page that shows it. Kinds: `slide` (what comes to the place `to` comes from the place `start`), `turn`
 * (everything inside the rectangle turns about its middle by `degrees`, clockwise), `dice` (each seat rolls a die; `faces` are what they show).
 */
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

/** Remaining times by seat; `now` is the server's clock, `deadline` when the seat to act runs out. */
export interface ClockInfo {
  now: number;
  seat: number | null;
  deadline: number | null;
  remaining: Remaining[];
  ledger?: LedgerLine[];
}

/** Milliseconds that a seat has left; 0 also where the clock knows no such time. */
export interface Remaining {
  main: number;
  byoyomi: number;
  turn: number;
}

/** What the clock took for an action. */
export interface LedgerLine {
  ply: number;
  seat: number | null;
  at: number;
  charged: number;
  forgiven: number;
  forced: boolean;
}

/** What only that seat may see, and what it may do. `scene`: the picture with that seat's eyes, where others do not see the same. */
export interface PrivateBoardInfo {
  seat: number;
  ply: number;
  position: string;
  legal: string[];
  info: Record<string, unknown>;
  scene?: SentScene;
  clicks?: Record<string, string[]>;
}

/** A decision that one seat has to make before the game goes on. */
export interface Decision {
  seat: number;
  ply: number;
  choices: string[];
}

/** When the game, or its next part, starts by itself; null: not any more. */
export interface ReadyTimer {
  at: number | null;
}

/** The places pointed at so far in an unfinished action. */
export interface DraftInfo {
  seat: number;
  ply: number;
  clicks: string[];
}

/**
 * What has happened in the game that was told last, for those who asked to be told briefly: they play it themselves. `actions` as the reader may know
 * them, each with its milliseconds since the game began (`at`); `forced`: which of them were played for someone. `sum`: the CRC-32 of the record that
 * the reader should have then; whoever has another one asks for everything. `clock`: of each seat that has acted or is to act, the seat, and what is
 * left of its main time, byo-yomi and turn, without zeros at the end (the others have what they had), `now` milliseconds after the last action;
 * `deadline`: when time runs out, in milliseconds from then, where that is not all that the seat to act has left. Where some know more than others,
 * actions do not tell all: then `seen` has what changes in the reader's own record (base64 of pieces: a byte, the new bytes; the lower three bits of the
 * first say how many, the others how far behind the last piece), `trail` the numbers of the places on the reader's own board where the last action is
 * seen, `motions` how it moves things.
 */
export interface Ply {
  ply: number;
  actions: string[];
  at: number[];
  forced?: number[];
  sum: number;
  now?: number;
  clock?: number[][];
  deadline?: number | null;
  seen?: string;
  trail?: number[];
  motions?: SentScene[];
}

/** What stands at the table: a draw, a takeback, a resignation that needs a partner, a rematch; or `who` would sit in on a seat, if its partner agrees. */
export interface Offer {
  kind: "draw" | "takeback" | "resign" | "rematch" | "seat";
  seat: number;
  state: "asked" | "accepted" | "declined" | "withdrawn";
  who?: PersonInfo;
}

/** The end: who won and why, who sat where then (some may have left since), and how ratings moved; `counted`: in a rated game, how much. */
export interface GameOver {
  game_id: string;
  seats: EndSeat[];
  winner: number[];
  scores: number[];
  reason: string;
  ratings: Record<string, Moved>;
  counted?: Counted;
}

/** Who held a seat when the game ended; nobody, once a person has been forgotten. `resigned`: they had given up before that. */
export interface EndSeat {
  seat: number;
  person: PersonInfo | null;
  bot?: number;
  resigned?: boolean;
}

/** A rating before and after a game. */
export interface Moved {
  before: number;
  after: number;
}

/**
 * How much of the usual points a rated game moved, and why not all of them: it was too `short`, everyone left it (`abandoned`), it went on for too long
 * (`length`), the same people have played often today (`again`), or a `program` played, whose rating alone moves.
 */
export interface Counted {
  weight: number;
  why?: "short" | "abandoned" | "length" | "again" | "program";
}
