// The foot of the front page: languages, and where else one can go.

import { chooseLanguage, LANGUAGES, type Language, language } from "../../lib/settings";
import { t } from "../../net/i18n";

export function Foot() {
  return (
    <footer class="foot">
      <div class="row wrap" role="group" aria-label={t("prefs.language")}>
        {(Object.entries(LANGUAGES) as [Language, string][]).map(([code, name]) => (
          <button type="button" key={code} lang={code} class="tongue" aria-pressed={language.value === code} onClick={() => chooseLanguage(code)}>
            {name}
          </button>
        ))}
      </div>
      <nav class="row wrap" aria-label={t("front.more")}>
        <a href="/learn">{t("front.all_rules")}</a>
        <a href="/best">{t("best.title")}</a>
        <a href="/archive">{t("archive.title")}</a>
        <a href="/replay">{t("replay.upload_title")}</a>
        <a href="/docs">{t("front.programs")}</a>
      </nav>
    </footer>
  );
}
