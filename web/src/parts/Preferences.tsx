// Language, light and dark, sounds, and whether only moves are played by themselves.

import { t } from "../i18n";
import { LANGUAGES, type Language, auto, language, sound, speak, theme, type Theme } from "../settings";
import { play } from "../sounds";
import { Icon } from "./Icon";
import { Menu } from "./Menu";

export function Preferences() {
  return (
    <Menu label={t("prefs.label")} face={<Icon name="gear" />} kind="right">
      <label class="field">{t("prefs.language")}
        <select value={language.value} onChange={(event) => speak(event.currentTarget.value as Language)}>
          {Object.entries(LANGUAGES).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
        </select>
      </label>
      <fieldset class="choice">
        <legend>{t("prefs.theme")}</legend>
        {(["auto", "light", "dark"] as Theme[]).map((each) => (
          <label key={each}><input type="radio" name="theme" checked={theme.value === each} onChange={() => { theme.value = each; }} /><span>{t(`prefs.${each}` as "prefs.auto")}</span></label>
        ))}
      </fieldset>
      <label class="switch"><input type="checkbox" checked={sound.value === "on"} onChange={(event) => { sound.value = event.currentTarget.checked ? "on" : "off"; play("place"); }} /><span>{t("prefs.sound")}</span></label>
      <label class="switch"><input type="checkbox" checked={auto.value === "on"} onChange={(event) => { auto.value = event.currentTarget.checked ? "on" : "off"; }} /><span>{t("prefs.auto_move")}</span></label>
    </Menu>
  );
}
