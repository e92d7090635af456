// What can be done in a running game beside playing: hint, takeback, draw, resigning.

import { useState } from "preact/hooks";
import { useEscape } from "../escape";
import { t } from "../i18n";
import { hint, moves, mySeats, offers, over, playing, rated, seats, wish, yours } from "../roomstore";
import { Icon } from "./Icon";
import { aside } from "./Stage";

export function Actions({ suggest }: { suggest: (action: string | null) => void }) {
  const [sure, setSure] = useState(false);
  const [thinking, setThinking] = useState(false);
  useEscape(sure, () => setSure(false));
  const mine = mySeats.value;
  if (over.value && aside.value === over.value.game_id) return <button type="button" class="main" onClick={() => { aside.value = ""; }}>{t("stage.result")}</button>;
  if (!playing.value || !mine.length) return null;
  const two = seats.value.length === 2;
  const alone = seats.value.every((seat) => !seat.person || mine.includes(seat.seat));
  const acted = moves.value.some((each) => each.seat !== null && mine.includes(each.seat));
  const asked = (kind: string): boolean => offers.value.some((offer) => offer.kind === kind && mine.includes(offer.seat));
  async function ask(): Promise<void> {
    setThinking(true);
    suggest(await hint());
    setThinking(false);
  }
  if (sure) {
    return (
      <>
        <span>{t("actions.sure")}</span>
        <button type="button" class="bad" onClick={() => { setSure(false); void wish("resign"); }}>{t("actions.resign_yes")}</button>
        <button type="button" class="quiet" onClick={() => setSure(false)}>{t("actions.play_on")}</button>
      </>
    );
  }
  return (
    <>
      {!rated.value && <button type="button" class="quiet" disabled={!yours.value || thinking} onClick={() => void ask()}><Icon name="bulb" />{t("actions.hint")}</button>}
      {two && !rated.value && <button type="button" class="quiet" disabled={!acted || asked("takeback")} onClick={() => void wish("ask takeback", alone ? { seat: undo() } : {})}><Icon name="undo" />{alone ? t("actions.undo") : t("actions.takeback")}</button>}
      {two && !alone && <button type="button" class="quiet" disabled={asked("draw")} onClick={() => void wish("offer draw")}><Icon name="handshake" />{t("actions.draw")}</button>}
      <button type="button" class="quiet" onClick={() => setSure(true)}><Icon name="flag" />{t("actions.resign")}</button>
    </>
  );
}

/** The seat of one's own that acted last. */
function undo(): number {
  return [...moves.value].reverse().find((each) => each.seat !== null && mySeats.value.includes(each.seat))!.seat!;
}
