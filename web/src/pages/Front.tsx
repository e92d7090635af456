// The front page: choose a game, choose how to play it, and play.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { remember, remembered } from "../memory";
import { games, rooms } from "../store";
import { Foot } from "../parts/Foot";
import { Icon } from "../parts/Icon";
import { GameChooser } from "../parts/GameChooser";
import { RoomList, joinable } from "../parts/RoomList";
import { WatchList, watchable } from "../parts/WatchList";
import { Ways } from "../parts/Ways";

const FEW = 4;

export function Front() {
  const known = Object.keys(games.value ?? {});
  const [wanted, setWanted] = useState(remembered("game"));
  const chosen = known.find((name) => name === wanted) ?? known.find((name) => games.value?.[name].seats === 2) ?? known[0]; // at first one that two can play at once
  const choose = (game: string): void => {
    setWanted(game);
    remember("game", game);
  };
  const open = (rooms.value ?? []).filter(joinable), running = (rooms.value ?? []).filter(watchable);
  return (
    <main id="main" class="page front">
      <div class="welcome"><h1>{t("front.title")}</h1><p>{t("front.what")}</p></div>
      {chosen && <GameChooser chosen={chosen} choose={choose} />}
      {chosen && <Ways key={chosen} game={chosen} />}
      {open.length > 0 && (
        <section class="stack" aria-labelledby="open-rooms">
          <div class="row"><h2 id="open-rooms" class="air">{t("front.open")}</h2><a class="further" href="/lobby">{t("front.to_lobby")}<Icon name="right" /></a></div>
          <RoomList rooms={open.slice(0, FEW)} empty={null} />
        </section>
      )}
      <section class="stack" aria-labelledby="running-games">
        <div class="row"><h2 id="running-games" class="air">{t("front.running")}</h2>{running.length > 0 && <a class="further" href="/watch">{t("front.to_watch")}<Icon name="right" /></a>}</div>
        <WatchList rooms={rooms.value && running.slice(0, FEW)} />
      </section>
      <Foot />
    </main>
  );
}
