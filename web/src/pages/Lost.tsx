// An address that leads nowhere.

import { t } from "../i18n";

export function Lost() {
  return <main id="main" class="page narrow"><div class="card stack"><h1>{t("lost.title")}</h1><p>{t("lost.text")}</p><a class="button main" href="/">{t("lost.home")}</a></div></main>;
}
