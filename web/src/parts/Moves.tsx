// The actions so far in the game's own notation, and a line to type the next one.

import { useEffect, useRef, useState } from "preact/hooks";
import { seatName, t } from "../i18n";
import { whenPainted } from "../later";
import { colours, game, moves, play, yours } from "../roomstore";
import type { Told } from "../types";
import { RoundTable } from "./Rounds";
import { SeatSign } from "./SeatSign";

export function Moves() {
  const list = useRef<HTMLOListElement>(null);
  const told = moves.value;
  useEffect(() => whenPainted("scroll", () => list.current?.scrollTo(0, list.current.scrollHeight)), [told.length]);
  return (
    <div class="moves">
      <RoundTable />
      {told.length === 0 && <p class="empty">{t("moves.empty")}</p>}
      <ol ref={list} tabIndex={0} aria-label={t("moves.label")}>
        {told.map((each, index) => <Line key={index} told={each} number={index + 1} latest={index === told.length - 1} />)}
      </ol>
      <TypedAction />
    </div>
  );
}

function Line({ told, number, latest }: { told: Told; number: number; latest: boolean }) {
  return (
    <li class={latest ? "latest" : ""}>
      <span class="number" aria-hidden="true">{number}</span>
      {told.seat === null ? <span class="chance" /> : <SeatSign seat={told.seat} colour={colours.value[told.seat] ?? "ink-2"} />}
      <span class="unseen">{told.seat === null ? t("moves.chance") : seatName(game.value, told.seat)}</span>
      <span class="action">{told.action}</span>
      {told.forced && <small class="hint">{t("moves.forced")}</small>}
    </li>
  );
}

function TypedAction() {
  const [text, setText] = useState("");
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (text.trim() && (await play(text.trim()))) setText("");
  }
  const mine = yours.value;
  return (
    <form onSubmit={submit} class="row typed">
      <input value={text} maxLength={100} disabled={!mine} autocapitalize="off" autocomplete="off" spellcheck={false} placeholder={t("moves.type")} aria-label={t("moves.type")}
        onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit" class="quiet" disabled={!mine || !text.trim()}>{t("moves.play")}</button>
    </form>
  );
}
