// Looking back while a game goes on: the positions so far as one saw them then. The room tells them, each through one's own eyes.

import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { pastScenes } from "../../net/requests";
import { board, retold, scene } from "../../net/room";
import { type Scene, whole } from "../../net/scenes";

const positions = signal<Scene[]>([]);
/** The newest ply when one began to look back; what is beyond is news. */
const known = signal(0);
const chosen = signal<number | null>(null);

/** The position that is looked at, as the number of actions before it; null: how it stands now. */
export const at: ReadonlySignal<number | null> = chosen;
/** How it stands now; once the game is over nothing is closed any more, however it ended. */
const present = computed(() => {
  const now = scene.value,
    tints = now?.look.tints;
  if (!now || !board.value?.over || !tints?.some((tint) => tint.closed)) return now;
  return { ...now, look: { ...now.look, tints: tints.filter((tint) => !tint.closed) } };
});
/** What is shown on the board. */
export const shown = computed(() => (chosen.value === null ? present.value : positions.value[chosen.value]));
/** Whether something has happened since one began to look back. */
export const news = computed(() => chosen.value !== null && (board.value?.ply ?? 0) > known.value);

// Another game, or another past (a takeback; the end, which opens what was hidden): nothing of what was fetched holds.
let game: string | undefined,
  told = retold.peek();
effect(() => {
  const now = board.value?.game_id,
    again = retold.value;
  if (now === game && again === told) return;
  const looked = now === game ? chosen.peek() : null;
  game = now;
  told = again;
  back();
  positions.value = [];
  if (looked !== null) void look(looked);
});

let asked = 0; // of several requests the last one counts

/** Look at the position after so many actions; at the newest one is back to now. */
export async function look(ply: number): Promise<void> {
  const now = board.peek(),
    mine = ++asked,
    to = Math.max(0, ply);
  if (!now) return;
  if (to >= now.ply) return back();
  const have = positions.peek().length;
  if (to >= have) {
    const sent = await pastScenes(have).catch(() => null);
    if (!sent || mine !== asked || board.peek()?.game_id !== now.game_id || positions.peek().length !== have) return;
    positions.value = [...positions.peek(), ...whole(sent)];
  }
  batch(() => {
    if (chosen.peek() === null) known.value = board.peek()?.ply ?? now.ply;
    chosen.value = to;
  });
}

export function back(): void {
  asked++;
  chosen.value = null;
}
