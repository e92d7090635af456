// Series of pictures: the demos of the games, and whole records.

import { get } from "./connection";
import type { BoardPlan, SentScene } from "./types";

/** A scene that is complete: as it is sent, the board is left out where it is still the one before. */
export interface Scene extends SentScene {
  board: BoardPlan;
}

/** What is told again as it was stays the same object: whoever looks whether it is another one sees nothing new. */
export const kept = <T>(known: T | undefined, told: T): T => (known !== undefined && JSON.stringify(known) === JSON.stringify(told) ? known : told);

/** A scene with its board, as it is sent or known; null where neither is. A board that is sent again is not laid anew: pieces move on it. */
export function complete(sent: SentScene, known: BoardPlan | undefined): Scene | null {
  const board = sent.board ? kept(known, sent.board) : known;
  return board ? { ...sent, board } : null;
}

/** Every scene with its board. */
export function whole(scenes: SentScene[]): Scene[] {
  let board: BoardPlan | undefined;
  return scenes.flatMap((sent) => {
    const scene = complete(sent, board);
    board = scene?.board;
    return scene ?? [];
  });
}

let known: Promise<Record<string, Scene>> | null = null;

/** One position of every game; asked for once. */
export function stills(): Promise<Record<string, Scene>> {
  if (!known) {
    known = get<Record<string, Scene>>("/api/stills");
    known.catch(() => {
      known = null;
    }); // the next one who looks asks again
  }
  return known;
}

const demos = new Map<string, Promise<Scene[]>>();

/** A game's demo; asked for once. */
export function demo(game: string): Promise<Scene[]> {
  let found = demos.get(game);
  if (!found) {
    found = get<SentScene[]>(`/api/games/${encodeURIComponent(game)}/demo`).then(whole);
    found.catch(() => demos.delete(game)); // the next one who looks asks again
    demos.set(game, found);
  }
  return found;
}
