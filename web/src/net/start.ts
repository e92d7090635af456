// Ways to a game: against the computer, with a friend, at one screen, with whoever wants the same.

import { effect } from "@preact/signals";
import { go } from "../lib/route";
import { lostAt, notYet, Refused } from "./connection";
import { refusalText, t } from "./i18n";
import { lobby, searching, tell } from "./lobby";
import { request } from "./requests";
import { engaged, info, seats } from "./room";
import type { RoomSettings, Time, Value } from "./types";

type Options = Record<string, Value>;
export interface NewRoom {
  game: string;
  options?: Options;
  settings?: Partial<RoomSettings>;
  password?: string;
}

/** Do it, and tell the visitor why not if it is refused. */
export async function attempt<T>(game: string, doing: () => Promise<T>): Promise<T | null> {
  try {
    return await doing();
  } catch (wrong) {
    tell(wrong instanceof Refused ? refusalText(game, wrong.refusal) : t("notice.unanswered"), true);
    return null;
  }
}

let opening = false;

/** Open a room and go there; true when one has arrived. Whoever has gone elsewhere meanwhile stays there, and whoever presses twice has opened one room. */
export async function newRoom(wanted: NewRoom): Promise<boolean> {
  if (opening) return false;
  if (lostAt.value !== null) {
    tell(notYet.value ? refusalText("", notYet.value) : t("notice.needs_server"), true);
    return false;
  }
  const from = location.pathname;
  opening = true;
  const made = await attempt(wanted.game, () => lobby.call<{ id: string }>("new room", wanted));
  opening = false;
  if (!made || location.pathname !== from) return false;
  go(`/r/${made.id}`);
  return arrived(made.id);
}

/** Wait until the room has been opened and has said who sits there. */
function arrived(id: string): Promise<boolean> {
  return new Promise((done) => {
    const give = (there: boolean): void => {
      stop();
      clearTimeout(patience);
      done(there);
    };
    const patience = setTimeout(() => give(false), 15000);
    let stop = (): void => undefined;
    stop = seats.subscribe((known) => {
      if (known.length && info.value?.id === id) queueMicrotask(() => give(true));
    });
  });
}

/** Against the computer; seat null: by lot. */
export async function againstComputer(wanted: NewRoom, level: number, seat: number | null): Promise<void> {
  if (!(await newRoom({ ...wanted, settings: { ...wanted.settings, rated: false } }))) return;
  const own = seat ?? Math.floor(Math.random() * seats.value.length);
  await request("sit on", { seat: own });
  for (const chair of seats.value.map((each) => each.seat)) if (chair !== own) await request("seat bot", { seat: chair, level });
  await request("set ready");
}

/** With friends, by link: one sits down and is ready; whoever comes takes the other seats. */
export async function withFriend(wanted: NewRoom): Promise<boolean> {
  if (!(await newRoom(wanted))) return false;
  await request("sit on", { seat: 0 });
  return request("set ready");
}

/** Two at one screen. */
export async function atOneScreen(wanted: NewRoom): Promise<boolean> {
  if (!(await newRoom({ ...wanted, settings: { ...wanted.settings, rated: false } }))) return false;
  await request("sit on", { seat: 0 });
  await request("sit on", { seat: 1, local: true });
  return request("set ready");
}

/** Computer against computer. Where one may hold all seats oneself, they act for one, and one can take over at any moment; else one looks on. */
export async function computersOnly(wanted: NewRoom, level: number, count: number): Promise<void> {
  if (count === 2) {
    if (await atOneScreen(wanted)) for (const seat of [0, 1]) await request("auto move", { seat, level });
  } else if (await newRoom({ ...wanted, settings: { ...wanted.settings, rated: false } })) {
    for (let seat = 0; seat < count; seat++) await request("seat bot", { seat, level });
  }
}

export async function quickMatch(game: string, options: Options, time: Time): Promise<void> {
  const search = { game, since: Date.now() };
  searching.value = search;
  if ((await attempt(game, () => lobby.call("quick match", { game, options, time }))) === null && searching.value === search) searching.value = null;
}

export async function cancelMatch(): Promise<void> {
  await attempt("", () => lobby.call("cancel match")); // until then somebody may still be found
  searching.value = null;
}

// Whoever plays with others by now looks for nobody else: a match would lead them away from the table.
effect(() => {
  if (engaged.value && searching.value) void cancelMatch();
});
