// Someone is banned: until when, said kindly.

import { refusalText, t } from "../../net/i18n";
import type { Refusal } from "../../net/types";
import { useTitle } from "../../ui/title";

export function Banned({ refusal }: { refusal: Refusal }) {
  useTitle(t("shut.title"));
  return (
    <main id="main" class="page narrow">
      <div class="card stack">
        <h1>{t("shut.title")}</h1>
        <p role="alert">{refusalText(undefined, refusal)}</p>
        {refusal.phrase?.values?.until && <p class="hint">{t("shut.text")}</p>}
        <div class="row">
          <button type="button" class="quiet" onClick={() => location.reload()}>
            {t("lost.again")}
          </button>
        </div>
      </div>
    </main>
  );
}
