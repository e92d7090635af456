// Games in progress that can be watched.

import { useState } from "preact/hooks";
import { gameName, t } from "../../net/i18n";
import { rooms } from "../../net/lobby";
import { Chips } from "../../ui/Chips";
import { useTitle } from "../../ui/title";
import { WatchList, watchable, worth } from "../../ui/WatchList";

export function Watch() {
  useTitle(t("watch.title"));
  const [wanted, setWanted] = useState("");
  const running = rooms.value?.filter(watchable).sort(worth) ?? null;
  const played = [...new Set(running?.map((room) => room.game))];
  const shown = played.includes(wanted) ? wanted : "";
  return (
    <main id="main" class="page">
      <div class="welcome">
        <h1>{t("watch.title")}</h1>
        <p>{t("watch.help")}</p>
      </div>
      {played.length > 1 && (
        <Chips
          label={t("form.game")}
          value={shown}
          choose={setWanted}
          chips={[{ value: "", label: t("watch.all") }, ...played.map((game) => ({ value: game, label: gameName(game) }))]}
        />
      )}
      <WatchList rooms={running?.filter((room) => !shown || room.game === shown) ?? null} />
      {running?.length === 0 && (
        <a class="button main alone" href="/">
          {t("watch.play")}
        </a>
      )}
    </main>
  );
}
