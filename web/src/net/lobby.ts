// What the server has said, as far as it concerns more than one room: games, the lobby, chats.

import { effect, signal } from "@preact/signals";
import { own } from "../lib/own";
import { go } from "../lib/route";
import { get, me, Namespace, standing } from "./connection";
import type { GameInfo } from "./http";
import { refusalText } from "./i18n";
import type { Invitation, LoginInfo, Message, PersonInfo, Refusal, RoomLine } from "./types";

export const games = signal<Record<string, GameInfo> | null>(null);
/** A game by its name, whoever says the name; undefined where there is none, or nothing is known yet. */
export const gameInfo = (name: string): GameInfo | undefined => own(games.value, name);
export const people = signal<PersonInfo[]>([]);
export const rooms = signal<RoomLine[] | null>(null);
/** Whether only operators may say anything here, and one is none. */
export const silent = signal(false);
export const chat = signal<Message[]>([]);
/** Direct messages by the other person's id. */
export const directMessages = signal<Record<string, { person: PersonInfo; messages: Message[]; unread: number }>>({});
export const invitations = signal<Invitation[]>([]);
/** The game that a quick match is looked for, and since when. */
export const searching = signal<{ game: string; since: number } | null>(null);
/** A short sentence for everyone to see for a while. */
export const notice = signal<{ text: string; bad: boolean } | null>(null);

export const lobby = new Namespace("/lobby");
const MOST_MESSAGES = 300;

let fading: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, bad = false): void {
  notice.value = { text, bad };
  clearTimeout(fading);
  fading = setTimeout(() => {
    notice.value = null;
  }, 6000);
}

function put<T extends { id: string }>(list: T[], item: T): T[] {
  return list.some((other) => other.id === item.id) ? list.map((other) => (other.id === item.id ? item : other)) : [...list, item];
}

/** What was said, by someone who is called otherwise now. */
export const renamed = (said: Message[], who: PersonInfo): Message[] => said.map((message) => (message.who.id === who.id ? { ...message, who } : message));

const without = <T extends { id: string }>(list: T[], id: string): T[] => list.filter((other) => other.id !== id);

/** An invitation to a room is answered, or there is nothing to answer any more. */
export function uninvite(room: string): void {
  invitations.value = invitations.value.filter((invitation) => invitation.room.id !== room);
}

export function addDirectMessage(person: PersonInfo, message: Message, unread: boolean): void {
  const known = directMessages.value[person.id] ?? { person, messages: [], unread: 0 };
  directMessages.value = {
    ...directMessages.value,
    [person.id]: { person, messages: [...known.messages, message].slice(-MOST_MESSAGES), unread: unread ? known.unread + 1 : 0 },
  };
}

// What was written to one person is not for the next who sits here.
let who = me.value?.id;
effect(() => {
  const now = me.value?.id;
  if (who && who !== now) {
    directMessages.value = {};
    invitations.value = [];
  }
  who = now;
});

lobby.on("account", (told: LoginInfo) => {
  me.value = told.person;
  silent.value = told.silent ?? false;
  if (told.kind !== standing.value?.kind) standing.value = { kind: told.kind };
});
lobby.on("info", (told: { people: PersonInfo[]; rooms: RoomLine[] }) => {
  people.value = told.people;
  rooms.value = told.rooms;
  searching.value = null; // a lost connection ends the search, too
});
lobby.on("user joined", (who: PersonInfo) => {
  people.value = put(people.value, who);
});
lobby.on("user updated", (who: PersonInfo) => {
  people.value = put(people.value, who);
  if (chat.value.some((message) => message.who.id === who.id)) chat.value = renamed(chat.value, who);
  if (who.id === me.value?.id) me.value = { ...me.value, ...who };
});
lobby.on("user left", (who: PersonInfo) => {
  people.value = without(people.value, who.id);
});
lobby.on("room created", (room: RoomLine) => {
  rooms.value = put(rooms.value ?? [], room);
});
lobby.on("room updated", (room: RoomLine) => {
  rooms.value = put(rooms.value ?? [], room);
});
lobby.on("room removed", (room: { id: string }) => {
  rooms.value = without(rooms.value ?? [], room.id);
  uninvite(room.id);
});
lobby.on("recieve msg", (message: Message) => {
  chat.value = [...chat.value, message].slice(-MOST_MESSAGES);
});
lobby.on("recieve dm", (message: Message) => addDirectMessage(message.who, message, true));
lobby.on("recieved invitation", (invitation: Invitation) => {
  invitations.value = [...invitations.value.filter((other) => other.room.id !== invitation.room.id), invitation];
});
lobby.on("move to room", (room: { id: string }) => {
  if (!searching.value) return; // one's own new room is opened by whoever asked for it
  searching.value = null;
  go(`/r/${room.id}`);
});

lobby.on("invalid action", (told: Refusal) => {
  if (!searching.value || told.event !== "quick match") return; // whatever else is refused is told to whoever asked for it
  searching.value = null;
  tell(refusalText(undefined, told), true);
});

export async function loadGames(): Promise<void> {
  games.value ??= await get<Record<string, GameInfo>>("/api/games");
}
