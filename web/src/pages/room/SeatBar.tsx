// One seat: who sits there, how they stand, their time; between games also sitting down and standing up.

import { me } from "../../net/connection";
import { say, seatName, t } from "../../net/i18n";
import { request } from "../../net/requests";
import { colours, counters, game, local, master, mySeats, over, playing, seats, turn } from "../../net/room";
import type { SeatInfo } from "../../net/types";
import { Icon } from "../../ui/Icon";
import { Menu } from "../../ui/Menu";
import { Computer, Name, temper } from "../../ui/Name";
import { SeatSign } from "../../ui/SeatSign";
import { AutoMark, AutoMove, LEVELS } from "./AutoMove";
import { Clock } from "./Clock";

const SEAT_COLOURS = ["vermilion", "indigo", "jade", "ochre"];

export function SeatBar({ seat }: { seat: number }) {
  const chair = seats.value[seat];
  if (!chair) return null;
  const colour = colours.value[seat] ?? SEAT_COLOURS[seat % 4] ?? "ink-2";
  const acting = turn.value === seat;
  const counted = counters.value.filter((counter) => counter.seat === seat);
  const mine = chair.person?.id === me.value?.id;
  const before = over.value?.seats[seat]; // whoever sits here since has not won
  const won =
    over.value?.winner.includes(seat) && over.value.winner.length < seats.value.length && before?.person?.id === chair.person?.id && before?.bot === chair.bot;
  return (
    <section
      data-seat={seat}
      class={`seat${acting ? " acting" : ""}${mine ? " mine" : ""}`}
      aria-label={t("seat.label", { n: seat + 1, name: seatName(game.value, seat) })}
    >
      <span class="seat-sign">
        <SeatSign seat={seat} colour={colour} />
        {chair.person && !local.value && (
          <span
            class={`dot ${chair.connected ? "here" : "away"}`}
            role="img"
            aria-label={chair.connected ? t("seat.here") : t("seat.away")}
            title={chair.connected ? t("seat.here") : t("seat.away")}
          />
        )}
      </span>
      <div class="seat-text">
        <span class="seat-name">
          {chair.person ? (
            <Name person={chair.person} rating />
          ) : chair.bot ? (
            <Computer chair={chair} level={chair.bot} />
          ) : (
            <span class="who">{t("seat.empty")}</span>
          )}
          {won && <span class="won">{t("seat.won")}</span>}
          <AutoMark seat={seat} />
          {chair.resigned && <span class="hint">{t("seat.resigned")}</span>}
        </span>
        <span class="seat-more">
          {counted.length > 0 ? (
            counted.map((counter) => (
              <span class="counter" key={counter.say.key}>
                {say(game.value, counter.say)} <b>{counter.value}</b>
              </span>
            ))
          ) : (
            <span>{seatName(game.value, seat)}</span>
          )}
        </span>
      </div>
      {!playing.value && chair.ready && chair.person && <span class="ready">{t("seat.ready")}</span>}
      {acting && !chair.resigned && <span class="turn-mark">{mine && chair.auto === undefined ? t("seat.your_turn") : t("seat.thinking")}</span>}
      <Clock seat={seat} />
      <AutoMove seat={seat} />
      {!playing.value && !local.value && <Chair chair={chair} />}
    </section>
  );
}

/** What can be done with a chair between games. */
function Chair({ chair }: { chair: SeatInfo }) {
  const { seat } = chair;
  const mine = mySeats.value.includes(seat);
  const empty = chair.person === null && !chair.bot;
  const others = mySeats.value.filter((each) => each !== seat);
  const choices = [
    empty && !others.length && { label: t("seat.sit"), act: () => request("sit on", { seat }) },
    empty && others.length > 0 && { label: t("seat.move"), act: () => request("sit on", { seat }) },
    empty && others.length === 1 && seats.value.length === 2 && { label: t("seat.local"), act: () => request("sit on", { seat, local: true }) },
    mine && { label: t("seat.stand"), act: () => request("stand up", { seat }) },
    mine && chair.ready && { label: t("seat.not_ready"), act: () => request("cancel ready", { seat }) },
    chair.bot && master.value && { label: t("seat.remove_bot"), act: () => request("seat bot", { seat, level: null }) },
    chair.person && !mine && master.value && { label: t("seat.clear"), act: () => request("stand up", { seat }) },
    master.value && { label: t("seat.swap"), act: () => request("swap seats", { one: seat, other: (seat + 1) % seats.value.length }) },
  ].filter((each): each is { label: string; act: () => Promise<boolean> } => Boolean(each));
  if (!choices.length && !(empty && master.value)) return null;
  return (
    <Menu label={t("seat.choices", { n: seat + 1 })} face={<Icon name="more" />} kind="right">
      {choices.map(({ label, act }) => (
        <button type="button" class="item" key={label} onClick={() => void act()}>
          {label}
        </button>
      ))}
      {empty && master.value && (
        <label class="field">
          {t("seat.add_bot")}
          <select value="" onChange={(event) => void request("seat bot", { seat, level: Number(event.currentTarget.value) })}>
            <option value="" disabled>
              {t("seat.level")}
            </option>
            {LEVELS.map((level) => (
              <option key={level} value={level}>
                {temper(level)}
              </option>
            ))}
          </select>
        </label>
      )}
    </Menu>
  );
}
