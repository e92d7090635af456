// A game of this browser as a file, or among one's own games on the server.

import { saveText } from "../../lib/save";
import { type KeptGame, ownSeats } from "../../local/kept";
import { asJson, asText } from "../../local/record";
import { opened } from "../../local/visit";
import { ask, me, standing } from "../../net/connection";
import { t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { attempt } from "../../net/start";
import { Icon } from "../../ui/Icon";
import { Menu } from "../../ui/Menu";

/** Among one's own games on the server, too. */
async function upload(kept: KeptGame, record: string): Promise<void> {
  const own = ownSeats(kept).map((seat) => `seat=${seat}`);
  if (await attempt(kept.game, () => ask("POST", `/api/records/mine?${own.join("&")}`, record))) tell(t("local.uploaded"));
}

export function SaveGame() {
  const game = opened.value;
  if (!game) return null;
  const { kept, table } = game,
    name = `${kept.game}-${kept.id}`,
    who = me.value?.name ?? "";
  return (
    <Menu
      label={t("local.save")}
      face={
        <>
          <Icon name="download" />
          <span>{t("local.save")}</span>
        </>
      }
      kind="right up share-game"
    >
      <button type="button" class="item" onClick={() => saveText(asJson(kept, table, who), `${name}.json`, "application/json")}>
        {t("replay.json")}
      </button>
      <button type="button" class="item" onClick={() => saveText(asText(kept, table, who), `${name}.txt`, "text/plain")}>
        {t("replay.text")}
      </button>
      {kept.result && ownSeats(kept).length > 0 && standing.value?.kind === "account" && (
        <button type="button" class="item" onClick={() => void upload(kept, asJson(kept, table, who))}>
          {t("local.upload")}
        </button>
      )}
    </Menu>
  );
}
