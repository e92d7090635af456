// Actions in the game's own notation, every seat in a column of its own; a click goes to the position after one.

import { useEffect, useRef } from "preact/hooks";
import { afterPaint } from "../lib/afterpaint";
import { say, seatName, t } from "../net/i18n";
import type { Phrase } from "../net/types";
import { SeatSign } from "./SeatSign";

export interface Action {
  action: string;
  seat: number | null;
  forced?: boolean;
  say?: Phrase;
  heard?: Phrase;
}

/** An action in the game's words, where it has some for it; else its text. */
export const readable = (game: string | undefined, { action, say: words }: Pick<Action, "action" | "say">, called?: (seat: number) => string): string =>
  (words && say(game, words, called)) || action;

/** An action in words for those who listen, where the game has some for it; else as it is read. */
export const audible = (game: string | undefined, told: Pick<Action, "action" | "say" | "heard">, called?: (seat: number) => string): string =>
  (told.heard && say(game, told.heard, called)) || readable(game, told, called);

/** The number of each action: what chance does is not a move, and has that of the move before it. */
export function numbers(actions: readonly Action[]): number[] {
  let n = 0;
  return actions.map(({ seat }) => (seat === null ? n : ++n));
}

interface Props {
  game: string;
  colours: readonly string[];
  actions: readonly Action[];
  at: number;
  to: (ply: number) => void;
  called?: (seat: number) => string;
}

/** `at` is the position that is shown, as the number of actions before it. */
export function MoveList({ game, colours, actions, at, to, called = (seat) => seatName(game, seat) }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      afterPaint("scroll", () => {
        // keep the present move in sight without moving the page
        const box = list.current,
          here = box?.querySelector<HTMLElement>("[aria-current]");
        const heads = box?.querySelector<HTMLElement>(".move-heads")?.offsetHeight ?? 0; // they lie over the top of the list
        if (box) box.scrollTop = here ? Math.max(0, here.offsetTop + here.offsetHeight / 2 - (box.clientHeight + heads) / 2) : 0;
      }),
    [at, actions.length],
  );
  if (!actions.length) return <p class="empty">{t("moves.empty")}</p>;
  const number = numbers(actions);
  const pressed = (event: MouseEvent): void => {
    const ply = (event.target as Element).closest<HTMLElement>("[data-ply]")?.dataset.ply;
    if (ply) to(Number(ply));
  };
  const columns = { "--columns": Math.max(1, colours.length) };
  return (
    <div class="move-list" ref={list} style={columns}>
      <div class="move-heads" aria-hidden="true">
        {colours.map((colour, seat) => (
          <span key={seat}>
            <SeatSign seat={seat} colour={colour} />
            <span class="who">{called(seat)}</span>
          </span>
        ))}
      </div>
      <ol class="told" aria-label={t("moves.label")} onClick={pressed}>
        {actions.map(({ action, seat, forced, say: words }, index) => (
          <li key={index} class={seat === null ? "by-chance" : ""} style={seat === null ? undefined : { gridColumn: seat + 1 }}>
            <button
              type="button"
              data-ply={index + 1}
              aria-current={at === index + 1 ? "step" : undefined}
              tabIndex={at === index + 1 || (at === 0 && index === 0) ? 0 : -1}
              title={action}
            >
              {seat === null ? <span class="chance" /> : <span class="number">{number[index]}</span>}
              <span class="unseen">{seat === null ? t("moves.chance") : called(seat)}</span>
              <span class="action">{readable(game, { action, say: words }, called)}</span>
              {forced && (
                <small class="hint" title={t("moves.forced")}>
                  <span aria-hidden="true">*</span>
                  <span class="unseen">{t("moves.forced")}</span>
                </small>
              )}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
