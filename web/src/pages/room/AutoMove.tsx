// A computer player acts for a seat of one's own: switched on and off at any moment, and how strong. Everyone sees that it does.

import { level as usual } from "../../lib/settings";
import { seatName, t } from "../../net/i18n";
import { request } from "../../net/requests";
import { activeSeats, game, mySeats, playing, rated, seats } from "../../net/room";
import { Icon } from "../../ui/Icon";

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];

const set = (seat: number, level: number | null): Promise<boolean> => request("auto move", { seat, level });
const named = (seat: number): string => (mySeats.value.length === 1 ? t("actions.auto") : t("actions.auto_seat", { seat: seatName(game.value, seat) }));

/** The switch at a seat of one's own. */
export function AutoMove({ seat }: { seat: number }) {
  if (!playing.value || rated.value || !activeSeats.value.includes(seat)) return null;
  const on = seats.value[seat]?.auto !== undefined;
  return (
    <button
      type="button"
      class="quiet auto"
      aria-pressed={on}
      aria-label={named(seat)}
      title={t("actions.auto_help")}
      onClick={() => void set(seat, on ? null : usual.value)}
    >
      <Icon name="bot" />
      <span class="auto-text">{t("actions.auto")}</span>
    </button>
  );
}

/** How strong the computer player is that acts for a seat; its person may change that. */
export function AutoMark({ seat }: { seat: number }) {
  const { auto: level, resigned } = seats.value[seat] ?? {};
  if (level === undefined || resigned) return null;
  if (!mySeats.value.includes(seat))
    return (
      <span class="auto-mark" title={t("seat.auto_help", { level })}>
        <Icon name="bot" />
        {t("seat.auto", { level })}
      </span>
    );
  return (
    <select
      class="auto-mark"
      value={level}
      aria-label={t("actions.auto_level", { name: named(seat) })}
      onChange={(event) => {
        usual.value = Number(event.currentTarget.value);
        void set(seat, usual.value);
      }}
    >
      {LEVELS.map((each) => (
        <option key={each} value={each}>
          {t("seat.auto", { level: each })}
        </option>
      ))}
    </select>
  );
}
