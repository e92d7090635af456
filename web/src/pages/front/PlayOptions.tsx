// Four ways to a game that has been chosen: quick match, computer, friend, one screen.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { level } from "../../lib/settings";
import { againstComputerHere, atOneScreenHere, computersOnlyHere } from "../../local/start";
import { playable } from "../../local/tables";
import { me } from "../../net/connection";
import type { GameTable } from "../../net/http";
import { gameName, seatName, t } from "../../net/i18n";
import { gameInfo, people, rooms, searching } from "../../net/lobby";
import { quickMatch, withFriend } from "../../net/start";
import type { Time, Value } from "../../net/types";
import { Chips } from "../../ui/Chips";
import { ComputerFace } from "../../ui/Face";
import { GameOptions } from "../../ui/GameOptions";
import { Icon, type IconName } from "../../ui/Icon";
import { Matchmaking } from "../../ui/Matchmaking";
import { temper } from "../../ui/Name";
import { timeText } from "../../ui/TimeChoice";
import { NO_CLOCK, sameTime, useTable, usualClock } from "../../ui/table";

export type Options = Record<string, Value>;
const byoyomi = (minutes: number, seconds: number): Time => ({ kind: "byoyomi", main_ms: minutes * 60_000, byoyomi_ms: seconds * 1000 });
const CLOCKS: Time[] = [byoyomi(3, 10), byoyomi(5, 20), byoyomi(10, 30)];
const PLAIN_TABLE: GameTable = { seats: 2, clock: NO_CLOCK, timed: false, leaving: "waits" };

/** The usual clock first, then none, then others. */
function clocksFor(usual: Time): Time[] {
  return [usual, NO_CLOCK, ...CLOCKS].filter((time, index, all) => all.findIndex((other) => sameTime(other, time)) === index);
}

export function PlayOptions({ game, options, change }: { game: string; options: Options; change: (options: Options) => void }) {
  const [busy, setBusy] = useState(false);
  const table = useTable(game, options) ?? gameInfo(game) ?? PLAIN_TABLE,
    seats = table.seats;
  const id = useId();
  const begin = (doing: Promise<unknown>): void => {
    setBusy(true);
    void doing.finally(() => setBusy(false));
  };
  const shared = { game, options, table, seats, busy, begin };
  return (
    <section class="ways" aria-labelledby={id}>
      <h2 id={id}>{t("front.ways", { game: gameName(game) })}</h2>
      <div class="ways-grid">
        {seats === 2 && <Quick {...shared} />}
        <AgainstComputer {...shared} />
        <Friend {...shared} />
        {(seats === 2 || allAtOneScreen(game)) && <OneScreen {...shared} />}
      </div>
      {(gameInfo(game)?.options.length ?? 0) > 0 && (
        <details class="card options">
          <summary>{t("front.options")}</summary>
          <p class="hint">{t(seats === 2 ? "front.options_help_quick" : "front.options_help")}</p>
          <div class="options-grid">
            <GameOptions game={game} values={options} change={change} />
          </div>
        </details>
      )}
    </section>
  );
}

/** Whether more than two can play at one screen: here in the browser, and where nobody has anything to hide. */
const allAtOneScreen = (game: string): boolean => playable(game) && gameInfo(game)?.secrets === false;

interface OptionProps {
  game: string;
  options: Options;
  table: GameTable;
  seats: number;
  busy: boolean;
  begin: (doing: Promise<unknown>) => void;
}

function Card({ icon, title, help, children }: { icon: IconName; title: string; help: string; children: ComponentChildren }) {
  return (
    <div class="card way">
      <h3>
        <Icon name={icon} />
        {title}
      </h3>
      <p class="hint">{help}</p>
      {children}
    </div>
  );
}

function ClockChoice({ clocks, at, choose }: { clocks: Time[]; at: number; choose: (at: number) => void }) {
  return (
    <Chips
      label={t(clocks.some((time) => time.kind === "byoyomi") ? "front.clocks" : "time.kind")}
      value={at}
      choose={choose}
      chips={clocks.map((time, value) => ({
        value,
        label: time.kind === "byoyomi" ? t("front.clock", { m: time.main_ms / 60_000, s: time.byoyomi_ms / 1000 }) : timeText(time),
      }))}
    />
  );
}

function Quick({ game, options, table, busy, begin }: OptionProps) {
  const [chosen, choose] = useState<number | null>(null);
  const clocks = table.timed ? [table.clock, ...CLOCKS.slice(0, 2)] : CLOCKS,
    at = chosen ?? (table.timed ? 0 : 1),
    time = clocks[at] ?? table.clock;
  const there = rooms.value !== null; // a request made before the lobby has answered would be forgotten when it does
  const others = people.value.filter((person) => person.id !== me.value?.id).length;
  return (
    <Card icon="bolt" title={t("front.quick")} help={others ? t("front.quick_help", { n: others }) : t("front.quick_alone")}>
      {searching.value?.game === game ? (
        <Matchmaking />
      ) : (
        <>
          <ClockChoice clocks={clocks} at={at} choose={choose} />
          <button type="button" class="quiet" aria-disabled={busy || !there} onClick={() => begin(quickMatch(game, options, time))}>
            {t("front.quick_go")}
          </button>
        </>
      )}
    </Card>
  );
}

/** Where a game has a clock of its own, one may play without it; here in the browser that comes first, since clocks are the server's. */
function useOwnClock(game: string, table: GameTable): { time: Time; choice: ComponentChildren } {
  const [at, setAt] = useState(0);
  const usual = usualClock(table);
  if (!table.timed) return { time: usual, choice: false };
  const clocks = playable(game) ? [NO_CLOCK, usual] : [usual, NO_CLOCK];
  return { time: clocks[at] ?? usual, choice: <ClockChoice clocks={clocks} at={at} choose={setAt} /> };
}

function AgainstComputer({ game, options, table, seats, busy, begin }: OptionProps) {
  const [side, setSide] = useState(0);
  const { time, choice } = useOwnClock(game, table);
  const words = temper(level.value);
  return (
    <Card icon="bot" title={t("front.computer")} help={t(gameInfo(game)?.secrets ? "front.computer_help_secrets" : "front.computer_help")}>
      <label class="field">
        <span class="level">
          {t("front.level")}{" "}
          <span>
            <ComputerFace level={level.value} />
            {words}
          </span>
        </span>
        <input
          type="range"
          min={1}
          max={8}
          value={level.value}
          aria-label={t("front.level")}
          aria-valuetext={words}
          onInput={(event) => {
            level.value = Number(event.currentTarget.value);
          }}
        />
      </label>
      {seats === 2 && (
        <Chips
          label={t("front.side")}
          value={side}
          choose={setSide}
          chips={[
            { value: 0, label: seatName(game, 0) },
            { value: 1, label: seatName(game, 1) },
            { value: -1, label: t("front.lot") },
          ]}
        />
      )}
      {choice}
      <button
        type="button"
        class="quiet"
        aria-disabled={busy}
        onClick={() => begin(againstComputerHere({ game, options, settings: { time } }, level.value, side < 0 ? null : side))}
      >
        {t("front.computer_go")}
      </button>
      <button
        type="button"
        class="quiet"
        aria-disabled={busy}
        onClick={() => begin(computersOnlyHere({ game, options, settings: { time: NO_CLOCK } }, level.value, seats))}
      >
        {t("front.computers_go")}
      </button>
    </Card>
  );
}

function Friend({ game, options, table, busy, begin }: OptionProps) {
  const [clock, setClock] = useState(0);
  const [rated, setRated] = useState(true);
  const clocks = clocksFor(table.clock);
  const unrated = gameInfo(game)?.secrets ? "front.unrated_help_secrets" : "front.unrated_help";
  return (
    <Card icon="friend" title={t("front.friend")} help={t("front.friend_help")}>
      <ClockChoice clocks={clocks} at={clock} choose={setClock} />
      <label class="switch">
        <input type="checkbox" checked={rated} onChange={(event) => setRated(event.currentTarget.checked)} />
        <span>
          {t("form.rated")}
          <small>{t(rated ? "front.rated_help" : unrated)}</small>
        </span>
      </label>
      <button
        type="button"
        class="quiet"
        aria-disabled={busy}
        onClick={() => begin(withFriend({ game, options, settings: { time: clocks[clock] ?? clocks[0], rated } }))}
      >
        {t("front.friend_go")}
      </button>
    </Card>
  );
}

function OneScreen({ game, options, table, seats, busy, begin }: OptionProps) {
  const { time, choice } = useOwnClock(game, table);
  return (
    <Card icon="screen" title={t(seats === 2 ? "front.screen" : "front.screen_all")} help={t("front.screen_help")}>
      {choice}
      <button type="button" class="quiet" aria-disabled={busy} onClick={() => begin(atOneScreenHere({ game, options, settings: { time } }))}>
        {t("front.screen_go")}
      </button>
    </Card>
  );
}
