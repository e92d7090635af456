// What can be done in a running game beside playing: hint, takeback, draw, beginning anew, resigning.

import { useState } from "preact/hooks";
import { t } from "../../net/i18n";
import { askHint, type Hint, request } from "../../net/requests";
import { activeSeats, askedAlready, moves, mySeats, offers, playing, rated, seats, secrets, sittingIn, yours } from "../../net/room";
import { Icon } from "../../ui/Icon";
import { AskBack, useAskBack } from "./AskBack";

export function Actions({ suggest }: { suggest: (hint: Hint | null) => void }) {
  const { asked, asks, yes, no } = useAskBack<"resign" | "restart">();
  const [thinking, setThinking] = useState(false);
  const mine = mySeats.value;
  if (!playing.value || !mine.length) return null;
  const two = seats.value.length === 2;
  const alone = seats.value.every((seat) => !seat.person || mine.includes(seat.seat));
  const active = activeSeats.value; // whoever has resigned has no more to ask
  const acted = moves.value.some((each) => each.seat !== null && mine.includes(each.seat));
  const undone = lastActed(active);
  /** Whoever asked: one answers it, and does not ask it, too; and nobody asks twice before the next action. */
  const stands = (kind: string): boolean => offers.value.some((offer) => offer.kind === kind) || askedAlready(kind);
  async function ask(): Promise<void> {
    setThinking(true);
    suggest(await askHint());
    setThinking(false);
  }
  if (asked) {
    const act = (): void => {
      yes();
      void request(asked);
    };
    const question = t(asked === "resign" ? "actions.sure" : "actions.restart_sure");
    return <AskBack question={question} yes={t(`actions.${asked}_yes`)} no={t("actions.play_on")} act={act} leave={no} />;
  }
  return (
    <>
      {active.length > 0 && !rated.value && (
        <button type="button" class="quiet" aria-disabled={!yours.value || thinking} onClick={() => void ask()}>
          <Icon name="bulb" />
          {t("actions.hint")}
        </button>
      )}
      {active.length > 0 && !secrets.value && !rated.value && !sittingIn.value && (
        <button
          type="button"
          class="quiet"
          aria-disabled={undone === undefined || stands("takeback")}
          onClick={() => void request("ask takeback", alone ? { seat: undone } : {})}
        >
          <Icon name="undo" />
          {alone ? t("actions.undo") : t("actions.takeback")}
        </button>
      )}
      {two && !alone && !sittingIn.value && (
        <button type="button" class="quiet" aria-disabled={stands("draw")} onClick={() => void request("offer draw")}>
          <Icon name="handshake" />
          {t("actions.draw")}
        </button>
      )}
      {alone && (
        <button type="button" class="quiet" aria-disabled={!acted} {...asks("restart")}>
          <Icon name="again" />
          {t("actions.restart")}
        </button>
      )}
      {active.length > 0 && !sittingIn.value && (
        <button type="button" class="quiet" aria-disabled={stands("resign")} {...asks("resign")}>
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
