// Looking for an opponent: since when, and a way to stop.

import { gameName, t } from "../net/i18n";
import { searching } from "../net/lobby";
import { cancelMatch } from "../net/start";
import { useSecond } from "./second";

export function Matchmaking() {
  const now = useSecond(searching.value !== null);
  if (!searching.value) return null;
  const seconds = Math.max(0, Math.floor((now - searching.value.since) / 1000));
  return (
    <div class="waiting" role="group" aria-label={t("front.waiting", { game: gameName(searching.value.game) })}>
      <span class="pulse" aria-hidden="true" />
      <p class="air">
        <b role="status">{t("front.waiting", { game: gameName(searching.value.game) })}</b>
        <small>{t("front.waited", { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` })}</small>
      </p>
      <button type="button" class="quiet" onClick={() => void cancelMatch()}>
        {t("front.cancel")}
      </button>
    </div>
  );
}
