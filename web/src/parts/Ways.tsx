// Four ways to a game that has been chosen: quick match, computer, friend, one screen.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { gameName, seatName, t } from "../i18n";
import { get, lostAt, me } from "../net";
import { level } from "../settings";
import { againstComputer, atOneScreen, computersOnly, quickMatch, withFriend } from "../start";
import { games, people, rooms, waiting } from "../store";
import type { Scene, Time, Value } from "../types";
import { Chips } from "./Chips";
import { ComputerFace } from "./Face";
import { GameOptions } from "./GameOptions";
import { Icon, type IconName } from "./Icon";
import { temper } from "./Name";
import { timeText } from "./TimeChoice";
import { Waiting } from "./Waiting";

type Options = Record<string, Value>;
const byoyomi = (minutes: number, seconds: number): Time => ({ kind: "byoyomi", main_ms: minutes * 60_000, byoyomi_ms: seconds * 1000 });
const CLOCKS: Time[] = [byoyomi(3, 10), byoyomi(5, 20), byoyomi(10, 30)];
const UNHURRIED: Time[] = [{ kind: "none" }, ...CLOCKS.slice(1)];

/** How many seats a game has with these options: its first picture tells. */
function useSeats(game: string, options: Options): number {
  const plain = games.value?.[game]?.seats ?? 2, asked = JSON.stringify(options);
  const [seats, setSeats] = useState(plain);
  useEffect(() => {
    let here = true;
    setSeats(plain);
    if (asked !== "{}") get<Scene>(`/api/games/${encodeURIComponent(game)}/scene?options=${encodeURIComponent(asked)}`).then((scene) => here && setSeats(scene.colours.length), () => undefined);
    return () => { here = false; };
  }, [game, asked, plain]);
  return seats;
}

export function Ways({ game }: { game: string }) {
  const [options, setOptions] = useState<Options>({});
  const [busy, setBusy] = useState(false);
  const seats = useSeats(game, options);
  const id = useId();
  const begin = (doing: Promise<unknown>): void => {
    setBusy(true);
    void doing.finally(() => setBusy(false));
  };
  const ways = { game, options, seats, busy, begin };
  return (
    <section class="ways" aria-labelledby={id}>
      <h2 id={id}>{t("front.ways", { game: gameName(game) })}</h2>
      <div class="ways-grid">
        {seats === 2 && <Quick {...ways} />}
        <Computer {...ways} />
        <Friend {...ways} />
        {seats === 2 && <OneScreen {...ways} />}
      </div>
      {(games.value?.[game]?.options.length ?? 0) > 0 && (
        <details class="card options">
          <summary>{t("front.options")}</summary>
          <p class="hint">{t("front.options_help")}</p>
          <div class="options-grid"><GameOptions game={game} values={options} change={setOptions} /></div>
        </details>
      )}
    </section>
  );
}

interface Way { game: string; options: Options; seats: number; busy: boolean; begin: (doing: Promise<unknown>) => void }

function Card({ icon, title, help, children }: { icon: IconName; title: string; help: string; children: ComponentChildren }) {
  return <div class="card way"><h3><Icon name={icon} />{title}</h3><p class="hint">{help}</p>{children}</div>;
}

function Clock({ clocks, at, choose }: { clocks: Time[]; at: number; choose: (at: number) => void }) {
  return <Chips label={t("front.clocks")} value={at} choose={choose} chips={clocks.map((time, value) => ({ value, label: time.kind === "byoyomi" ? t("front.clock", { m: time.main_ms / 60_000, s: time.byoyomi_ms / 1000 }) : timeText(time) }))} />;
}

function Quick({ game, options, busy, begin }: Way) {
  const [clock, setClock] = useState(1);
  const there = rooms.value !== null && lostAt.value === null; // a wish made before the lobby has answered would be forgotten when it does
  const others = people.value.filter((person) => person.id !== me.value?.id).length;
  return (
    <Card icon="bolt" title={t("front.quick")} help={others ? t("front.quick_help", { n: others }) : t("front.quick_alone")}>
      {waiting.value?.game === game ? <Waiting /> : (
        <>
          <Clock clocks={CLOCKS} at={clock} choose={setClock} />
          <button type="button" class="quiet" disabled={busy || !there} onClick={() => begin(quickMatch(game, options, CLOCKS[clock]))}>{t("front.quick_go")}</button>
        </>
      )}
    </Card>
  );
}

function Computer({ game, options, seats, busy, begin }: Way) {
  const [side, setSide] = useState(0);
  const words = temper(level.value);
  return (
    <Card icon="bot" title={t("front.computer")} help={t("front.computer_help")}>
      <label class="field"><span class="level">{t("front.level")} <output><ComputerFace level={level.value} />{words}</output></span>
        <input type="range" min={1} max={8} value={level.value} aria-valuetext={words} onInput={(event) => { level.value = Number(event.currentTarget.value); }} />
      </label>
      {seats === 2 && <Chips label={t("front.side")} value={side} choose={setSide} chips={[{ value: 0, label: seatName(game, 0) }, { value: 1, label: seatName(game, 1) }, { value: -1, label: t("front.lot") }]} />}
      <button type="button" class="quiet" disabled={busy} onClick={() => begin(againstComputer({ game, options }, level.value, side < 0 ? null : side))}>{t("front.computer_go")}</button>
      <button type="button" class="quiet" disabled={busy} onClick={() => begin(computersOnly({ game, options }, level.value, seats))}>{t("front.computers_go")}</button>
    </Card>
  );
}

function Friend({ game, options, busy, begin }: Way) {
  const [clock, setClock] = useState(0);
  return (
    <Card icon="friend" title={t("front.friend")} help={t("front.friend_help")}>
      <Clock clocks={UNHURRIED} at={clock} choose={setClock} />
      <button type="button" class="quiet" disabled={busy} onClick={() => begin(withFriend({ game, options, settings: { time: UNHURRIED[clock] } }))}>{t("front.friend_go")}</button>
    </Card>
  );
}

function OneScreen({ game, options, busy, begin }: Way) {
  return (
    <Card icon="screen" title={t("front.screen")} help={t("front.screen_help")}>
      <button type="button" class="quiet" disabled={busy} onClick={() => begin(atOneScreen({ game, options }))}>{t("front.screen_go")}</button>
    </Card>
  );
}
