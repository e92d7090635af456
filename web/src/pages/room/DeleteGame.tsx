// A game of this browser is deleted, after one was asked back: it is kept nowhere else.

import { useState } from "preact/hooks";
import { useEscape } from "../../lib/escape";
import { go } from "../../lib/route";
import { deleteOpened, opened } from "../../local/visit";
import { t } from "../../net/i18n";
import { Icon } from "../../ui/Icon";

export function DeleteGame() {
  const [sure, setSure] = useState(false);
  useEscape(sure, () => setSure(false));
  if (!opened.value) return null;
  if (!sure)
    return (
      <div class="row">
        <button type="button" class="quiet" onClick={() => setSure(true)}>
          <Icon name="close" />
          {t("local.delete_game")}
        </button>
      </div>
    );
  return (
    <div class="row wrap">
      <span>{t("local.delete_sure")}</span>
      <button
        type="button"
        class="bad"
        onClick={() => {
          deleteOpened();
          go("/");
        }}
      >
        {t("local.delete_yes")}
      </button>
      <button type="button" class="quiet" onClick={() => setSure(false)}>
        {t("local.delete_no")}
      </button>
    </div>
  );
}
