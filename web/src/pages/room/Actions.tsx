// What can be done in a running game beside playing: hint, takeback, draw, beginning anew, resigning.

import { useState } from "preact/hooks";
import { useEscape } from "../../lib/escape";
import { t } from "../../net/i18n";
import { askHint, type Hint, request } from "../../net/requests";
import { activeSeats, moves, mySeats, offers, playing, rated, seats, secrets, sittingIn, yours } from "../../net/room";
import { Icon } from "../../ui/Icon";

export function Actions({ suggest }: { suggest: (hint: Hint | null) => void }) {
  const [sure, setSure] = useState<"resign" | "restart" | null>(null); // what is asked back about
  const [thinking, setThinking] = useState(false);
  useEscape(sure !== null, () => setSure(null));
  const mine = mySeats.value;
  if (!playing.value || !mine.length) return null;
  const two = seats.value.length === 2;
  const alone = seats.value.every((seat) => !seat.person || mine.includes(seat.seat));
  const active = activeSeats.value; // whoever has resigned has no more to ask
  const acted = moves.value.some((each) => each.seat !== null && mine.includes(each.seat));
  const undone = lastActed(active);
  const stands = (kind: string): boolean => offers.value.some((offer) => offer.kind === kind); // whoever asked: one answers it, and does not ask it, too
  async function ask(): Promise<void> {
    setThinking(true);
    suggest(await askHint());
    setThinking(false);
  }
  if (sure) {
    return (
      <>
        <span>{t(sure === "resign" ? "actions.sure" : "actions.restart_sure")}</span>
        <button
          type="button"
          class="bad"
          onClick={() => {
            setSure(null);
            void request(sure);
          }}
        >
          {t(`actions.${sure}_yes`)}
        </button>
        <button type="button" class="quiet" onClick={() => setSure(null)}>
          {t("actions.play_on")}
        </button>
      </>
    );
  }
  return (
    <>
      {active.length > 0 && !rated.value && (
        <button type="button" class="quiet" disabled={!yours.value || thinking} onClick={() => void ask()}>
          <Icon name="bulb" />
          {t("actions.hint")}
        </button>
      )}
      {active.length > 0 && !secrets.value && !rated.value && !sittingIn.value && (
        <button
          type="button"
          class="quiet"
          disabled={undone === undefined || stands("takeback")}
          onClick={() => void request("ask takeback", alone ? { seat: undone } : {})}
        >
          <Icon name="undo" />
          {alone ? t("actions.undo") : t("actions.takeback")}
        </button>
      )}
      {two && !alone && !sittingIn.value && (
        <button type="button" class="quiet" disabled={stands("draw")} onClick={() => void request("offer draw")}>
          <Icon name="handshake" />
          {t("actions.draw")}
        </button>
      )}
      {alone && (
        <button type="button" class="quiet" disabled={!acted} onClick={() => setSure("restart")}>
          <Icon name="again" />
          {t("actions.restart")}
        </button>
      )}
      {active.length > 0 && !sittingIn.value && (
        <button type="button" class="quiet" onClick={() => setSure("resign")}>
          <Icon name="flag" />
          {t("actions.resign")}
        </button>
      )}
    </>
  );
}

/** Which of the seats acted last. */
function lastActed(of: number[]): number | undefined {
  return [...moves.value].reverse().find((each) => each.seat !== null && of.includes(each.seat))?.seat ?? undefined;
}
