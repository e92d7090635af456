// The archive: all games that have ended here, or one's own, to look through and to take along as records.

import { useState } from "preact/hooks";
import { me } from "../../net/connection";
import { gameName, t } from "../../net/i18n";
import { gameInfo } from "../../net/lobby";
import { Chips } from "../../ui/Chips";
import { GameTabs } from "../../ui/GameTabs";
import { Icon } from "../../ui/Icon";
import { NotFound } from "../../ui/NotFound";
import { PastGames } from "../../ui/PastGames";
import { useTitle } from "../../ui/title";

export function Archive({ game }: { game: string }) {
  useTitle(t("archive.title"), game && gameName(game));
  return !game || gameInfo(game) ? <Games game={game} /> : <NotFound />;
}

function Games({ game }: { game: string }) {
  const [whose, setWhose] = useState("all");
  const own = whose === "mine" ? me.value?.id : undefined;
  const asked = new URLSearchParams({ ...(game ? { game } : {}), ...(own ? { person: own } : {}) }).toString();
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{t("archive.title")}</h1>
        <p>{t("archive.help")}</p>
      </div>
      <GameTabs at={game} path="archive" all={t("lobby.any_game")} />
      <div class="row wrap">
        <Chips
          label={t("archive.whose")}
          value={whose}
          choose={setWhose}
          chips={[
            { value: "all", label: t("archive.all") },
            { value: "mine", label: t("archive.mine") },
          ]}
        />
        <a class="button quiet" href={`/api/archive.jsonl?${asked}`} download>
          <Icon name="download" />
          {t("archive.download")}
        </a>
      </div>
      <p class="hint">{t("archive.download_help")}</p>
      <PastGames key={asked} path={`/api/records?${asked}`} id={own} />
    </main>
  );
}
