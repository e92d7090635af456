// How much time each player has.

import { t } from "../net/i18n";
import type { Time } from "../net/types";

const MAIN = [0, 60_000, 120_000, 180_000, 300_000, 600_000],
  EXTRA = [0, 5000, 10_000, 20_000, 30_000],
  TURN = [15_000, 30_000, 60_000, 90_000],
  PLUS = [1000, 2000, 3000, 5000, 10_000];
const KINDS: Record<Time["kind"], Time> = {
  none: { kind: "none" },
  byoyomi: { kind: "byoyomi", main_ms: 300_000, byoyomi_ms: 20_000 },
  fischer: { kind: "fischer", main_ms: 300_000, increment_ms: 3000 },
  turn: { kind: "turn", turn_ms: 60_000 },
};

/** A time control in a few words. */
export function timeText(time: Time): string {
  const minutes = (ms: number): string => t("time.minutes", { n: ms / 60_000 });
  if (time.kind === "byoyomi")
    return time.byoyomi_ms
      ? time.main_ms
        ? t("time.main_byoyomi", { main: minutes(time.main_ms), s: time.byoyomi_ms / 1000 })
        : t("time.only_byoyomi", { s: time.byoyomi_ms / 1000 })
      : minutes(time.main_ms);
  if (time.kind === "fischer") return t("time.main_plus", { main: minutes(time.main_ms), s: time.increment_ms / 1000 });
  if (time.kind === "turn") return t("time.per_turn", { s: time.turn_ms / 1000 });
  return t("time.none");
}

export function TimeChoice({ time, change }: { time: Time; change: (time: Time) => void }) {
  const pick = (label: string, value: number, values: number[], text: (ms: number) => string, set: (ms: number) => void) => (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => set(Number(event.currentTarget.value))}>
        {[...new Set([...values, value])]
          .sort((one, other) => one - other)
          .map((ms) => (
            <option key={ms} value={ms}>
              {text(ms)}
            </option>
          ))}
      </select>
    </label>
  );
  const minutes = (ms: number): string => (ms ? t("time.minutes", { n: ms / 60_000 }) : t("time.no_main"));
  const seconds = (ms: number): string => (ms ? t("time.seconds", { n: ms / 1000 }) : t("time.no_byoyomi"));
  return (
    <fieldset class="times">
      <legend>{t("time.label")}</legend>
      <label class="field">
        {t("time.kind")}
        <select value={time.kind} onChange={(event) => change(KINDS[event.currentTarget.value as Time["kind"]])}>
          {(Object.keys(KINDS) as Time["kind"][]).map((kind) => (
            <option key={kind} value={kind}>
              {t(`time.kinds.${kind}`)}
            </option>
          ))}
        </select>
        <small>{t(`time.helps.${time.kind}`)}</small>
      </label>
      {time.kind === "byoyomi" &&
        pick(t("time.main"), time.main_ms, MAIN, minutes, (main_ms) =>
          change({ ...time, main_ms, byoyomi_ms: main_ms || time.byoyomi_ms ? time.byoyomi_ms : 20_000 }),
        )}
      {time.kind === "byoyomi" &&
        pick(t("time.byoyomi"), time.byoyomi_ms, time.main_ms ? EXTRA : EXTRA.slice(1), seconds, (byoyomi_ms) => change({ ...time, byoyomi_ms }))}
      {time.kind === "fischer" && pick(t("time.main"), time.main_ms, MAIN.slice(1), minutes, (main_ms) => change({ ...time, main_ms }))}
      {time.kind === "fischer" && pick(t("time.increment"), time.increment_ms, PLUS, seconds, (increment_ms) => change({ ...time, increment_ms }))}
      {time.kind === "turn" && pick(t("time.turn"), time.turn_ms, TURN, seconds, (turn_ms) => change({ ...time, turn_ms }))}
    </fieldset>
  );
}
