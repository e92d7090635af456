// Once, in a game against people: whether one would like to be told of one's turn.

import { t } from "../../net/i18n";
import { timeToAsk, wantNotices } from "../../ui/notify";

export function TurnAsk() {
  if (!timeToAsk.value) return null;
  return (
    <p class="offer card" role="group" aria-label={t("notify.ask")}>
      <span class="air">{t("notify.ask")}</span>
      <button type="button" class="quiet" onClick={() => void wantNotices(true)}>
        {t("notify.yes")}
      </button>
      <button type="button" class="quiet" onClick={() => void wantNotices(false)}>
        {t("notify.no")}
      </button>
    </p>
  );
}
