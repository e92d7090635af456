// The server's games, told briefly: as soon as the rules of the game in the open room are there, the page makes texts, lists and pictures itself.

import { computed, effect } from "@preact/signals";
import { info, local, tellBy } from "../net/room";
import type { RoomInfo } from "../net/types";
import { openFollower, playable } from "./tables";

/** The game that can be followed, as text: it stays the same while people come and go. */
const followed = computed(() => {
  const room = local.value ? null : info.value;
  return room && playable(room.game) ? JSON.stringify({ id: room.id, game: room.game, options: room.options }) : "";
});

/** Follow the game of whichever room is open, from when its rules are there. */
export function followGames(): void {
  effect(() => {
    const wanted = followed.value;
    tellBy(null);
    if (!wanted) return;
    const { game, options } = JSON.parse(wanted) as RoomInfo;
    openFollower(game, options).then(
      (follower) => {
        if (followed.peek() === wanted) tellBy(follower);
      },
      () => undefined, // not to be had: then all is told in full
    );
  });
}
