// An address that leads nowhere.

import { t } from "../net/i18n";
import { useTitle } from "./title";

export function NotFound() {
  useTitle(t("lost.title"));
  return (
    <main id="main" class="page narrow">
      <div class="card stack lost">
        <h1>{t("lost.title")}</h1>
        <p>{t("lost.text")}</p>
        <div class="row wrap">
          <a class="button main" href="/">
            {t("lost.home")}
          </a>
          <a class="button quiet" href="/lobby">
            {t("door.lobby")}
          </a>
        </div>
      </div>
    </main>
  );
}
