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

/** Show a notice, by the service worker where there is one: on phones no page may do it by itself. What is given back takes it away. */
async function show(title: string, options: NotificationOptions): Promise<() => void> {
  const registered = await globalThis.navigator.serviceWorker?.getRegistration();
  if (registered?.active) {
    await registered.showNotification(title, { ...options, data: location.href }); // what a click on it leads to: see offline/service.ts
    return () => void registered.getNotifications({ tag: options.tag ?? "" }).then((all) => all.forEach((notice) => void notice.close()));
  }
  const notice = new Notification(title, options);
  notice.onclick = () => {
    globalThis.focus();
    notice.close();
  };
  return () => notice.close();
}

/** Tell of one's turn while nobody looks. */
export function followTurns(): void {
  let takeAway = (): void => undefined;
  const look = (): void => {
    if (!document.hidden) takeAway();
  };
  document.addEventListener("visibilitychange", look);
  effect(() => {
    if (!yours.value || !board.value || notify.peek() !== "on" || !document.hidden || !mayNotify() || Notification.permission !== "granted") return;
    const body = [gameName(game.peek()), ...others.peek().map((chair) => chairName(game.peek(), chair))].join(" · ");
    show(t("seat.your_turn"), { body, tag: info.peek()?.id }).then(
      (close) => {
        takeAway = close;
        look();
      },
      () => undefined, // a browser that can't
    );
  });
}
