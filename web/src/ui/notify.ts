// Being told of one's turn while the page is hidden: asked for once, in a game against people after one's first move.

import { computed, effect } from "@preact/signals";
import { notify } from "../lib/settings";
import { gameName, t } from "../net/i18n";
import { activeSeats, board, game, info, moves, mySeats, offers, playing, seats, yours } from "../net/room";
import { chairName } from "./Name";

/** Whether this browser can do it, and has not been told never to. */
export const mayNotify = (): boolean => "Notification" in globalThis && Notification.permission !== "denied";

/** The visitor has decided; the browser may still say no. */
export async function wantNotices(wanted: boolean): Promise<void> {
  notify.value = wanted && (await Notification.requestPermission()) === "granted" ? "on" : "off";
}

const others = computed(() => seats.value.filter((chair) => !mySeats.value.includes(chair.seat)));

/** The right moment to ask: people play, one has made a move oneself, and nothing else is asked. */
export const timeToAsk = computed(
  () =>
    notify.value === "ask" &&
    playing.value &&
    !offers.value.length &&
    mayNotify() &&
    others.value.some((chair) => chair.person && !chair.person.bot) &&
    moves.value.some((told) => told.seat !== null && activeSeats.value.includes(told.seat)),
);

/** Tell of one's turn while nobody looks. */
export function followTurns(): void {
  let shown: Notification | null = null;
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) shown?.close();
  });
  effect(() => {
    if (!yours.value || !board.value || notify.peek() !== "on" || !document.hidden || !mayNotify() || Notification.permission !== "granted") return;
    shown = new Notification(t("seat.your_turn"), {
      body: [gameName(game.peek()), ...others.peek().map((chair) => chairName(game.peek(), chair))].join(" · "),
      tag: info.peek()?.id,
    });
    shown.onclick = () => {
      globalThis.focus();
      shown?.close();
    };
  });
}
