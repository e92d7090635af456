// One room: what the server has said about it. What one can request there is in requests.ts.

import { batch, computed, effect, type Signal, signal } from "@preact/signals";
import { deferred } from "../lib/afterpaint";
import { get, me, Namespace } from "./connection";
import { refusalText } from "./i18n";
import { renamed, uninvite } from "./lobby";
import { refuse } from "./prompt";
import { complete, kept, type Scene } from "./scenes";
import type {
  BoardInfo,
  BoardPlan,
  ClockInfo,
  Counter,
  Decision,
  DraftInfo,
  GameOver,
  HistoryInfo,
  Message,
  Offer,
  PersonInfo,
  Ply,
  PrivateBoardInfo,
  Refusal,
  RoomInfo,
  RoundInfo,
  SeatInfo,
  SentScene,
  Told,
} from "./types";

/** The way to a room: the server's, or one in this browser (local/room.ts). What the room says comes to `hear`. */
export interface Line {
  /** Request something; Refused says why not. */
  call<T>(event: string, payload?: object): Promise<T & { ok: boolean }>;
  /** Say something that need not arrive. */
  hint(event: string, payload: object): void;
  /** The positions of a game from one on, as one saw them then. */
  scenes(game: string, since: number): Promise<SentScene[]>;
  close(): void;
}

class ServerLine extends Namespace implements Line {
  async scenes(game: string, since: number): Promise<SentScene[]> {
    return (await get<{ scenes: SentScene[] }>(`/api/records/${encodeURIComponent(game)}/scenes?since=${since}`)).scenes;
  }
}

const server = new ServerLine("/room", (why) => {
  entryRefusal.value = why;
  id = "";
});
export const line = signal<Line>(server);
/** Whether the room is in this browser: nobody else can come, and no server is asked. */
export const local = computed(() => line.value !== server);
/** Since when the room is not to be reached; null while it is. */
export const lostSince = computed(() => (local.value ? null : server.lostAt.value));

const heardBy = new Map<string, (told: never) => void>();

/** What is done when the room says something. */
function on<T>(event: string, heard: (told: T) => void): void {
  heardBy.set(event, heard);
  server.on(event, heard);
}

/** A room in this browser says something. */
export function hear(event: string, told: object): void {
  heardBy.get(event)?.(told as never);
}

/** What the page has been told of the game. */
export interface Known {
  board: BoardInfo;
  /** When it began. */
  start: number;
  actions: Told[];
  /** One's own seats, and what they may know. */
  mine: number[];
  privates: Record<number, PrivateBoardInfo>;
  clock: ClockInfo | null;
}

/** Whoever has the rules of the game that is played: then the server tells it briefly (local/follow.ts). */
export interface Teller {
  /** What would have been told in full; null: what is known does not lead there. */
  follow(told: Ply, known: Known): [event: string, told: object][] | null;
  /** How the board will lie after an action of one's own; null where only the server knows, or must say so. */
  ahead(action: string, known: Known): BoardInfo | null;
}

let teller: Teller | null = null;

/** From now on the server tells the room's games briefly, to someone who makes the rest of it; null: in full again. */
export function tellBy(made: Teller | null): void {
  if (made === teller) return;
  teller = made;
  server.also({ brief: made !== null }); // whenever one comes back
  server.hint("brief", { yes: made !== null });
}

const MOST_MESSAGES = 300;
const NO_COUNTERS: Counter[] = [];

const resets: (() => void)[] = [];

/** A signal for something that the room has said: it is forgotten with the room. */
function ofRoom<T>(first: T): Signal<T> {
  const made = signal(first);
  resets.push(() => {
    made.value = first;
  });
  return made;
}

export const info = ofRoom<RoomInfo | null>(null);
export const seats = ofRoom<SeatInfo[]>([]);
/** When that was said: what counts down is counted from there. */
export const seatsHeardAt = ofRoom(0);
export const board = ofRoom<BoardInfo | null>(null);
/** What each seat of one's own may see and do. */
export const privates = ofRoom<Record<number, PrivateBoardInfo>>({});
/** What is shown: the own seat's view where there are secrets, else what everyone sees. */
export const scene = ofRoom<Scene | null>(null);
/** The seats' colours; the same array while the scene changes. */
export const colours = computed(() => colourNames.value.split(" ").filter(Boolean));
const colourNames = computed(() => scene.value?.colours.join(" ") ?? "");
/** The actions so far. */
export const recorded = ofRoom<Told[]>([]);
const start = ofRoom(0); // of the game, as the server counts time
/** Counts how often the past was told anew: after a takeback, and at the end, which opens what was hidden. */
export const retold = signal(0);
export const moves = deferred("moves", () => recorded.value);
const heard = ofRoom<(ClockInfo & { heardAt: number }) | null>(null);
export const clock = deferred("clock", () => heard.value);
export const messages = ofRoom<Message[]>([]);
/** How many messages had been said before one came: they are not news. */
export const before = ofRoom(0);
/** What someone has asked the others; once one has answered, one is not asked again. */
export interface OpenOffer extends Offer {
  answered?: boolean;
}
export const offers = ofRoom<OpenOffer[]>([]);
const asked = ofRoom<Record<string, number | undefined>>({}); // a kind and a seat → how many actions there were when that seat asked for it
/** Whether a seat of one's own has asked for that and not acted since: it can't ask again yet. */
export const askedAlready = (kind: string): boolean =>
  mySeats.value.some((seat) => {
    const at = asked.value[`${kind} ${seat}`];
    return at !== undefined && !recorded.value.slice(at).some((each) => each.seat === seat);
  });
/** What was just declined. */
export const declined = ofRoom<Offer | null>(null);
export const over = ofRoom<GameOver | null>(null);
/** The seats as they were when the game ended: whoever has left since is still named in its result. */
export const endSeats = computed(() => over.value?.seats ?? []);
/** One's own of them. */
export const myEndSeats = computed(() => endSeats.value.filter((chair) => chair.person?.id === me.value?.id).map((chair) => chair.seat));
export const startsAt = ofRoom<number | null>(null);
export const draft = ofRoom<DraftInfo | null>(null);
/** The parts of the game that have ended. */
export const rounds = ofRoom<RoundInfo[]>([]);
/** What one seat has to decide before the game goes on, and what was decided last. */
export const decision = ofRoom<Decision | null>(null);
export const decided = ofRoom<Decision | null>(null);
/** Whether what is shown is from before the connection was lost: until the room has told how it stands now. */
export const behind = ofRoom(false);
/** Why one is not let in. */
export const entryRefusal = ofRoom<Refusal | null>(null);

export const game = computed(() => info.value?.game ?? "");
/** Which of the room's games it is. */
export const gameId = computed(() => board.value?.game_id);
export const playing = computed(() => board.value !== null && !board.value.over);
/** Whether a part of the game has ended, and the next one waits for everyone. */
export const paused = computed(() => playing.value && board.value?.paused === true);
const mine = computed(() => seats.value.filter((chair) => chair.person !== null && chair.person.id === me.value?.id));
export const mySeats = computed(() => mine.value.map((chair) => chair.seat));
/** Those of them that still play: whoever has resigned sits there, and acts no more. */
export const activeSeats = computed(() => mine.value.filter((chair) => !chair.resigned).map((chair) => chair.seat));
/** Whether ratings are at stake: all seats are held by different people. */
export const rated = computed(() => Boolean(info.value?.rated));
/** The seat of one's own that is to act; null while it is not one's turn, a computer player acts for one, or one has resigned. */
export const actingSeat = computed(() => {
  const seat = board.value?.seat;
  return seat !== null && seat !== undefined && playing.value && activeSeats.value.includes(seat) && seats.value[seat]?.auto === undefined ? seat : null;
});
/** Whether one plays with other people at this moment: they wait for whoever is led away. */
export const engaged = computed(
  () => !local.value && playing.value && activeSeats.value.length > 0 && seats.value.some((chair) => chair.person && !mine.value.includes(chair)),
);
/** Whether one sits in for someone else: then one acts on the board only. */
export const sittingIn = computed(() => playing.value && mine.value.some((chair) => chair.first !== undefined && chair.first !== me.value?.id));
/** What is beside the board follows it: whose turn it is, whether it is one's own, and what is counted. */
export const turn = deferred("turn", () => (playing.value ? (board.value?.seat ?? null) : null));
export const yours = deferred("yours", () => actingSeat.value !== null);
export const counters = deferred("counters", () => scene.value?.look.counters ?? NO_COUNTERS);
/** Whether some know what others do not. */
export const secrets = computed(() => Object.values(privates.value).some((own) => own.scene));
/** The legal actions and the places to point at for each; null while it is not one's turn. */
export const clicks = computed(() => {
  const own = actingSeat.value === null ? undefined : privates.value[actingSeat.value];
  return own && own.ply === board.value?.ply ? (own.clicks ?? null) : null;
});
export const master = computed(() => info.value !== null && info.value.master === me.value?.id);

let id = "",
  password: string | undefined;
let plans: BoardPlan | undefined, ownPlans: BoardPlan | undefined;

function whole(sent: SentScene, known: BoardPlan | undefined): Scene | null {
  const made = complete(sent, known);
  if (!made) void line.value.call("req info");
  return made;
}

const forget = (): void =>
  batch(() => {
    for (const reset of resets) reset();
    clearTimeout(held?.timer);
    held = null;
    plans = ownPlans = undefined;
  });

/** Open a room; what another room said is forgotten. */
export function enter(wanted: string, key?: string): void {
  if (wanted === id && !entryRefusal.value && key === undefined) return;
  const refused = entryRefusal.value;
  forget();
  if (key !== undefined) entryRefusal.value = refused; // it stays to be seen until one is let in
  id = wanted;
  password = key;
  teller = null;
  server.open({ room: id, scenes: true, ...(password ? { password } : {}) });
}

/** Open a room in this browser, which then says how it stands. */
export function enterLocal(room: Line): void {
  leave();
  line.value = room;
}

export function leave(): void {
  line.value.close();
  line.value = server;
  id = "";
  teller = null;
  forget();
}

/** There is no game any more: the table has been set for another one. */
const clearTable = (): void => {
  board.value = scene.value = over.value = heard.value = null;
  privates.value = {};
  recorded.value = [];
  rounds.value = [];
  behind.value = false;
};

on("info", (told: RoomInfo) =>
  batch(() => {
    info.value = told;
    uninvite(told.id); // whichever way one has come
    entryRefusal.value = null;
    // What stood at the table may have been answered while one was away: what still stands is told again.
    offers.value = [];
    asked.value = {}; // a server that was started anew knows of none; one that knows says so to whoever asks again
    declined.value = decision.value = startsAt.value = null;
    if (told.game_id === undefined) clearTable(); // while one was away; where there is a game, its board follows
  }),
);
on("room updated", (told: RoomInfo) => {
  info.value = told;
});
on("config updated", (told: RoomInfo) =>
  batch(() => {
    info.value = told;
    clearTable();
  }),
);
on("player info", (told: { seats: SeatInfo[] }) =>
  batch(() => {
    seatsHeardAt.value = Date.now();
    seats.value = told.seats;
  }),
);
on("user joined", (who: PersonInfo) => {
  if (info.value) info.value = { ...info.value, people: [...info.value.people.filter((other) => other.id !== who.id), who] };
});
on("user updated", (who: PersonInfo) => {
  const named = <Chair extends { person: PersonInfo | null }>(chairs: Chair[]): Chair[] =>
    chairs.map((chair) => (chair.person?.id === who.id ? { ...chair, person: who } : chair));
  if (info.value) info.value = { ...info.value, people: info.value.people.map((other) => (other.id === who.id ? who : other)) };
  seats.value = named(seats.value);
  if (over.value) over.value = { ...over.value, seats: named(over.value.seats) };
  if (messages.value.some((message) => message.who.id === who.id)) messages.value = renamed(messages.value, who);
});
on("user left", (who: PersonInfo) => {
  if (info.value) info.value = { ...info.value, people: info.value.people.filter((other) => other.id !== who.id) };
});
on("recieve msg", (message: Message) => {
  messages.value = [...messages.value, message].slice(-MOST_MESSAGES);
});
on("chat history", (told: { messages: Message[] }) => {
  const known = messages.value,
    first = told.messages[0];
  if (!first) return;
  if (!known.length) before.value = told.messages.length;
  messages.value = [...known.filter((message) => message.at < first.at), ...told.messages].slice(-MOST_MESSAGES);
});
on("invalid action", (told: Refusal) => {
  if (told.event === "stand up" && told.code === "made-to-stand") refuse(refusalText(game.value, told)); // nobody here has requested that
});
on("ready timer", (told: { at: number | null }) => {
  startsAt.value = told.at;
});

function hearClock(told: ClockInfo): void {
  heard.value = { ...told, heardAt: Date.now() };
}

// Where there are secrets, what everyone may see comes without a picture to those who play, and their own picture follows: both are shown together.
let held: { told: BoardInfo; timer: ReturnType<typeof setTimeout> } | null = null;
const OWN_FOLLOWS = 150; // milliseconds; the server sends it in the same breath

function release(): void {
  if (!held) return;
  clearTimeout(held.timer);
  const { told } = held;
  held = null;
  hearBoard(told);
}

on("board info", (told: BoardInfo) => {
  release();
  if (told.scene) hearBoard(told);
  else held = { told, timer: setTimeout(release, OWN_FOLLOWS) };
});

const hearBoard = (told: BoardInfo): void =>
  batch(() => {
    const another = board.value?.game_id !== told.game_id;
    if (another) {
      over.value = null;
      offers.value = [];
      asked.value = {};
      plans = ownPlans = undefined;
      privates.value = {};
      rounds.value = [];
    }
    if (decision.value && decision.value.ply !== told.ply) decision.value = null;
    const known = another ? [] : recorded.value;
    const recent = told.recent ?? [];
    const since = told.ply - recent.length;
    if (since <= known.length) {
      recorded.value = [...known.slice(0, since), ...recent];
      if (known.slice(since).some(({ action }, at) => action !== recent[at]?.action)) retold.value++;
    }
    draft.value = told.draft?.length && told.seat !== null ? { seat: told.seat, ply: told.ply, clicks: told.draft } : null;
    startsAt.value = null;
    declined.value = null;
    behind.value = false;
    board.value = told;
    if (told.clock) hearClock(told.clock);
    if (told.scene) {
      const made = whole(told.scene, plans);
      plans = made?.board ?? plans;
      if (made) scene.value = kept(scene.value ?? undefined, made); // one's own move was shown already: it does not move twice
    }
  });
on("private board info", (told: PrivateBoardInfo) =>
  batch(() => {
    release();
    const known = privates.value[told.seat];
    const again = known?.clicks && known.ply === told.ply; // told again to whoever comes back: an action that is begun there goes on
    privates.value = { ...privates.value, [told.seat]: again ? { ...told, clicks: kept(known.clicks, told.clicks) } : told };
    if (told.scene) {
      const made = whole(told.scene, ownPlans);
      ownPlans = made?.board ?? ownPlans;
      if (made) scene.value = made;
    }
  }),
);

const known = (now: BoardInfo): Known => ({
  board: now,
  start: start.value,
  actions: recorded.value,
  mine: mySeats.value,
  privates: privates.value,
  clock: heard.value,
});

/** Show an action of one's own before the server has said so; what takes it back, or null where only the server knows how the board will lie. */
export function showAhead(action: string): (() => void) | null {
  const now = board.value;
  const shown = now && !behind.value ? (teller?.ahead(action, known(now)) ?? null) : null;
  if (!now || !shown) return null;
  const before: BoardInfo = { ...now, recent: [], scene: scene.value ?? undefined, clock: undefined, draft: undefined };
  hearBoard(shown);
  return () => {
    if (board.value === shown) hearBoard(before);
  };
}

let lostTrack = 0; // how often in a row what was told briefly could not be followed
on("ply", (told: Ply) => {
  release();
  const made = board.value && teller?.follow(told, known(board.value));
  lostTrack = made ? 0 : lostTrack + 1;
  batch(() => {
    for (const [event, payload] of made ?? []) hear(event, payload);
  });
  if (made) return;
  if (lostTrack > 1) tellBy(null); // other rules than the server's
  server.hint("req info", {});
});

on("game history info", (told: HistoryInfo) =>
  batch(() => {
    recorded.value = told.actions;
    start.value = told.start;
    rounds.value = told.rounds ?? [];
    retold.value++;
  }),
);
for (const event of ["goshi decision", "goshi wait"])
  on(event, (told: Decision) => {
    decision.value = told;
  });
on("goshi solve", (told: Decision) => {
  decided.value = told;
});
on("clock info", hearClock);
on("draft", (told: DraftInfo) => {
  if (told.ply === board.value?.ply) draft.value = told;
});
on("game over", (told: GameOver) =>
  batch(() => {
    over.value = told;
    offers.value = [];
  }),
);
for (const event of ["offer draw", "answer draw", "ask takeback", "answer takeback", "resign", "answer resign", "rematch", "ask seat", "answer seat"]) {
  on(event, (told: Offer) => {
    const rest = offers.value.filter(
      (other) => other.kind !== told.kind || (other.seat !== told.seat && (told.kind === "seat" || (told.kind === "rematch" && told.state === "asked"))),
    );
    offers.value = told.state === "asked" ? [...rest, told] : rest;
    declined.value = told.state === "declined" ? told : null;
    if (told.state === "asked") asked.value = { ...asked.value, [`${told.kind} ${told.seat}`]: recorded.value.length };
    if (told.state === "accepted") asked.value = {}; // the board is another, or the game is over
    if (told.state === "withdrawn") asked.value = { ...asked.value, [`${told.kind} ${told.seat}`]: undefined }; // nobody has declined it
  });
}

effect(() => {
  if (lostSince.value !== null) behind.value = true;
});

// What one person was told is not for the next who sits here; the room tells it anew.
let who = me.value?.id;
effect(() => {
  const now = me.value?.id;
  if (who && who !== now) forget();
  who = now;
});
