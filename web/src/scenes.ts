// Series of pictures: the demos of the games, and whole records.

import { get } from "./net";
import type { Scene, SentScene } from "./types";

/** Every scene with its board. */
export function whole(scenes: SentScene[]): Scene[] {
  let board = scenes[0]?.board;
  return scenes.map((scene) => ({ ...scene, board: (board = scene.board ?? board)! }));
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
