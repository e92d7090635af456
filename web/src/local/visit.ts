// The game of this browser that is open in the page.

import { effect, signal, untracked } from "@preact/signals";
import { later as wait } from "../lib/later";
import { go } from "../lib/route";
import { me } from "../net/connection";
import { t } from "../net/i18n";
import { tell } from "../net/lobby";
import { refuse } from "../net/prompt";
import { enterLocal, hear, leave } from "../net/room";
import { windowsOf } from "./alone";
import { type KeptGame, keyOf, shelf } from "./kept";
import { LocalRoom, type Table } from "./room";

const PACE = 450; // milliseconds: one's own move is seen before it is answered

/** What is open, as it is kept; null while nothing is. */
export const opened = signal<{ kept: KeptGame; table: Table } | null>(null);

export const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36).padStart(2, "0")).join("");

/** A key that nobody can guess, as `rng` in core/rule.py makes it: two halves, and how often it has been used. */
export function dice(): BigInt64Array {
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
  return BigInt64Array.of(BigInt(low), BigInt(high), 0n);
}

function later(ms: number, doing: () => void): () => void {
  const timer = setTimeout(doing, ms);
  return () => clearTimeout(timer);
}

/** Keep a game; where there is no room for it, or others had to make some, say so. */
export function keep(kept: KeptGame): void {
  const gone = shelf.keep(kept);
  if (gone === null) tell(t("local.full"), true);
  else if (gone) tell(t("local.made_room", { n: gone }));
}

/** Delete a game, also one that is open. */
export function deleteGame(id: string): void {
  if (opened.peek()?.kept.id === id) opened.value = null;
  shelf.remove(id);
}

/** Open a kept game in the page's room; what is given back closes it. */
export function visit(kept: KeptGame, table: Table): () => void {
  const windows = windowsOf(keyOf(kept.id), globalThis.navigator.locks, wait);
  const room = new LocalRoom(kept, table, {
    me: () => ({ id: me.peek()?.id ?? "me", name: me.peek()?.name || t("lobby.you") }), // ratings are not at stake
    now: Date.now,
    dice,
    later,
    pace: PACE,
    tell: hear,
    stored: () => shelf.find(kept.id),
    alone: windows.alone,
    keep: (game) => {
      if (!opened.peek()) return; // it has just been deleted
      opened.value = { kept: game, table };
      keep(game);
    },
    another: (game) => {
      keep(game);
      go(`/local/${game.id}`);
    },
    newId,
    fault: () => refuse(t("local.stuck")),
  });
  opened.value = { kept, table };
  enterLocal(room);
  let who: string | undefined;
  const follow = effect(() => {
    const now = `${me.value?.id} ${me.value?.name}`;
    untracked(() => {
      if (who === undefined) room.enter();
      else if (who !== now) room.reload(); // the page has forgotten what was told to someone else
    });
    who = now;
  });
  const elsewhere = (event: StorageEvent): void => {
    if (event.key === keyOf(kept.id)) room.catchUp();
  };
  const back = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return;
    windows.enter(); // a browser that puts a page aside takes its locks away
    room.catchUp();
  };
  globalThis.addEventListener("storage", elsewhere);
  globalThis.addEventListener("pageshow", back);
  return () => {
    globalThis.removeEventListener("storage", elsewhere);
    globalThis.removeEventListener("pageshow", back);
    follow();
    windows.leave();
    opened.value = null;
    leave();
    table.stop();
  };
}
