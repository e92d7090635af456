// Language, light and dark, what boards are made of, how loud it is, being told of one's turn, and whether only moves are played by themselves.

import { auto, chooseLanguage, LANGUAGES, type Language, language, MATERIALS, material, notify, type Theme, theme, volume } from "../lib/settings";
import { playSound } from "../lib/sounds";
import { t } from "../net/i18n";
import { Icon } from "./Icon";
import { Menu } from "./Menu";
import { mayNotify, wantNotices } from "./notify";

export function Preferences() {
  return (
    <Menu label={t("prefs.label")} face={<Icon name="gear" />} kind="right">
      <label class="field">
        {t("prefs.language")}
        <select value={language.value} onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="choice">
        <legend>{t("prefs.theme")}</legend>
        {(["auto", "light", "dark"] as Theme[]).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="theme"
              checked={theme.value === each}
              onChange={() => {
                theme.value = each;
              }}
            />
            <span>{t(`prefs.${each}` as "prefs.auto")}</span>
          </label>
        ))}
      </fieldset>
      <fieldset class="choice">
        <legend>{t("prefs.board")}</legend>
        {MATERIALS.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="board"
              checked={material.value === each}
              onChange={() => {
                material.value = each;
              }}
            />
            <span>{t(`prefs.${each}` as "prefs.wood")}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        {t("prefs.volume")}
        <input
          type="range"
          min={0}
          max={100}
          step={10}
          value={volume.value}
          aria-valuetext={volume.value ? `${volume.value} %` : t("prefs.silent")}
          onInput={(event) => {
            volume.value = Number(event.currentTarget.value);
          }}
          onChange={() => playSound("place")}
        />
      </label>
      {mayNotify() && (
        <label class="switch">
          <input type="checkbox" checked={notify.value === "on"} onChange={(event) => void wantNotices(event.currentTarget.checked)} />
          <span>{t("prefs.notify")}</span>
        </label>
      )}
      <label class="switch">
        <input
          type="checkbox"
          checked={auto.value === "on"}
          onChange={(event) => {
            auto.value = event.currentTarget.checked ? "on" : "off";
          }}
        />
        <span>{t("prefs.auto_move")}</span>
      </label>
    </Menu>
  );
}
