// A game of this browser is deleted, after one was asked back: it is kept nowhere else.

import { go } from "../../lib/route";
import { deleteGame } from "../../local/visit";
import { t } from "../../net/i18n";
import { Icon } from "../../ui/Icon";
import { AskBack, useAskBack } from "./AskBack";

export function DeleteGame({ id }: { id: string }) {
  const { asked, asks, no } = useAskBack<"delete">();
  if (!asked)
    return (
      <div class="row">
        <button type="button" class="quiet" {...asks("delete")}>
          <Icon name="close" />
          {t("local.delete_game")}
        </button>
      </div>
    );
  const act = (): void => {
    deleteGame(id);
    go("/");
  };
  return <AskBack question={t("local.delete_sure")} yes={t("local.delete_yes")} no={t("local.delete_no")} act={act} leave={no} />;
}
