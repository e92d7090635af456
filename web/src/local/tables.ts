// Tables in this browser: which games can be played here, and what they are played with, fetched when one of them is opened.

import { signal } from "@preact/signals";
import { own } from "../lib/own";
import { get } from "../net/connection";
import type { Value } from "../net/types";
import type { Parts } from "./engines";
import type { Follower } from "./follow";
import type { Table } from "./room";

const engines = signal<Record<string, Partial<Parts> | null>>({});

const whole = (parts: Partial<Parts> | null | undefined): parts is Parts => Boolean(parts?.engine && parts.facts && parts.views);

let looking: Promise<void> | null = null;

/** Look what there is: a server that has just been set up makes it after a while. */
export function lookForEngines(): Promise<void> {
  const look = async (): Promise<void> => {
    engines.value = await get<Record<string, Partial<Parts> | null>>("/api/engines");
  };
  looking ??= look().finally(() => {
    looking = null;
  });
  return looking;
}

/** Whether a game can be played in this browser. */
export const playable = (game: string): boolean => typeof WebAssembly === "object" && typeof Worker === "function" && whole(own(engines.value, game));

/** The addresses of what a game is played with here. */
export const addressesOf = (game: string): string[] => (playable(game) ? Object.values(own(engines.value, game) ?? {}) : []);

/** A game that can't be played in this browser: it can't run what there is, or the server has not made it yet. */
export class Unplayable extends Error {}

/** What a game is played with, or Unplayable. */
async function partsOf(name: string): Promise<Parts> {
  if (!playable(name)) await lookForEngines();
  const parts = own(engines.value, name);
  if (!playable(name) || !whole(parts)) throw new Unplayable(`${name} can't be played here`);
  return parts;
}

const addresses = (): string[] => Object.keys(engines.value).flatMap(addressesOf);

/** What a game is played with did not come: whether the server has something else by now. Then it is another version, and has another page, too. */
export async function outdated(): Promise<boolean> {
  const known = addresses();
  await lookForEngines().catch(() => undefined);
  const now = addresses();
  return now.length > 0 && known.some((path) => !now.includes(path));
}

/** Fetch what a game is played with while the page is still asking for other things: it will be opened at once. */
export async function fetchAhead(name: string): Promise<void> {
  const [{ engineOf }, parts] = await Promise.all([import("./engines"), partsOf(name)]);
  await engineOf(parts);
}

/** A table of a game with these options. */
export async function openTable(name: string, options: Readonly<Record<string, Value>>): Promise<Table> {
  const parts = await partsOf(name);
  return (await import("./engines")).open(name, parts, options);
}

/** Whoever can follow a game with these options that is played elsewhere. */
export async function openFollower(name: string, options: Readonly<Record<string, Value>>): Promise<Follower> {
  const parts = await partsOf(name);
  return (await import("./engines")).follower(name, parts, options);
}
