// All settings of a room, each explained where it stands: for a new room, and for the master of one.

import { useEffect, useRef, useState } from "preact/hooks";
import { gameName, gameWords, t } from "../net/i18n";
import { gameInfo, games } from "../net/lobby";
import type { RoomSettings, Time, Value } from "../net/types";
import { GameOptions } from "./GameOptions";
import { Icon } from "./Icon";
import { TimeChoice } from "./TimeChoice";
import { sameTime, useTable, usualClock } from "./table";

export interface RoomChoices {
  game: string;
  options: Record<string, Value>;
  settings: RoomSettings;
  password?: string;
}
export const PLAIN: RoomSettings = {
  time: { kind: "none" },
  rated: true,
  lowest: null,
  highest: null,
  spectators: true,
  on_timeout: "rules",
  substitute: false,
  bots: true,
  pause: 20,
  listed: false,
};

export function RoomForm({
  first,
  fresh = false,
  unlock,
  submit,
  label,
}: {
  first: RoomChoices;
  fresh?: boolean;
  unlock?: () => void;
  submit: (chosen: RoomChoices) => void;
  label: string;
}) {
  const [chosen, setChosen] = useState(first);
  const [password, setPassword] = useState<string | undefined>(undefined);
  const settings = chosen.settings;
  const set = (some: Partial<RoomSettings>): void => setChosen({ ...chosen, settings: { ...settings, ...some } });
  // The clock follows the game and its options, until someone chooses another one.
  const table = useTable(chosen.game, chosen.options),
    usual = table && usualClock(table);
  const before = useRef<Time | null>(fresh ? first.settings.time : null);
  useEffect(() => {
    if (!usual) return;
    if (before.current && sameTime(settings.time, before.current)) set({ time: usual });
    before.current = usual;
  }, [usual && JSON.stringify(usual)]);
  const rating = (text: string): number | null => (text === "" ? null : Math.min(5000, Math.max(0, Number(text))));
  return (
    <form
      class="room-form stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit({ ...chosen, ...(password === undefined ? {} : { password }) });
      }}
    >
      <label class="field">
        {t("form.game")}
        <select value={chosen.game} onChange={(event) => setChosen({ ...chosen, game: event.currentTarget.value, options: {} })}>
          {Object.keys(games.value ?? {}).map((name) => (
            <option key={name} value={name}>
              {gameName(name)}
            </option>
          ))}
        </select>
        <small>{gameWords(chosen.game)?.tagline}</small>
      </label>
      <GameOptions game={chosen.game} values={chosen.options} change={(options) => setChosen({ ...chosen, options })} />
      <TimeChoice time={settings.time} change={(time) => set({ time })} />
      <label class="switch">
        <input type="checkbox" checked={settings.rated} onChange={(event) => set({ rated: event.currentTarget.checked })} />
        <span>
          {t("form.rated")}
          <small>{t("form.rated_help")}</small>
        </span>
      </label>
      <label class="switch">
        <input type="checkbox" checked={settings.spectators} onChange={(event) => set({ spectators: event.currentTarget.checked })} />
        <span>
          {t("form.spectators")}
          <small>{t("form.spectators_help")}</small>
        </span>
      </label>
      <label class="switch">
        <input type="checkbox" checked={settings.bots} onChange={(event) => set({ bots: event.currentTarget.checked })} />
        <span>
          {t("form.bots")}
          <small>{t("form.bots_help")}</small>
        </span>
      </label>
      <label class="switch">
        <input type="checkbox" checked={settings.substitute} onChange={(event) => set({ substitute: event.currentTarget.checked })} />
        <span>
          {t("form.substitute")}
          <small>{t("form.substitute_help")}</small>
        </span>
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={settings.on_timeout === "random"}
          onChange={(event) => set({ on_timeout: event.currentTarget.checked ? "random" : "rules" })}
        />
        <span>
          {t("form.random")}
          <small>{t("form.random_help")}</small>
        </span>
      </label>
      {gameInfo(chosen.game)?.rounds && (
        <label class="field">
          {t("form.pause")}
          <input
            type="number"
            min={0}
            max={300}
            value={settings.pause}
            onInput={(event) => set({ pause: Math.min(300, Math.max(0, Math.round(Number(event.currentTarget.value)))) })}
          />
          <small>{t("form.pause_help")}</small>
        </label>
      )}
      <fieldset class="pair">
        <legend>{t("form.ratings")}</legend>
        <label class="field">
          {t("form.lowest")}
          <input
            type="number"
            min={0}
            max={5000}
            value={settings.lowest ?? ""}
            placeholder={t("form.any")}
            onInput={(event) => set({ lowest: rating(event.currentTarget.value) })}
          />
        </label>
        <label class="field">
          {t("form.highest")}
          <input
            type="number"
            min={0}
            max={5000}
            value={settings.highest ?? ""}
            placeholder={t("form.any")}
            onInput={(event) => set({ highest: rating(event.currentTarget.value) })}
          />
        </label>
        <small>{t("form.ratings_help")}</small>
      </fieldset>
      <label class="field">
        {t("form.password")}
        <input
          type="text"
          maxLength={64}
          autocomplete="off"
          value={password ?? ""}
          placeholder={unlock ? t("form.password_kept") : t("form.password_none")}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <small>{unlock ? t("form.password_change") : t("form.password_help")}</small>
      </label>
      {(unlock || password) && (
        <label class="switch">
          <input type="checkbox" checked={settings.listed} onChange={(event) => set({ listed: event.currentTarget.checked })} />
          <span>
            {t("form.listed")}
            <small>{t("form.listed_help")}</small>
          </span>
        </label>
      )}
      {unlock && (
        <button type="button" class="quiet" onClick={unlock}>
          <Icon name="lock" />
          {t("form.password_remove")}
        </button>
      )}
      <button type="submit" class="main">
        {label}
      </button>
    </form>
  );
}
