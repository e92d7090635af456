// The front page: a living board and one button; then the other ways to play, and what is going on now.

import { useEffect, useState } from "preact/hooks";
import { remember, remembered } from "../../lib/memory";
import { level } from "../../lib/settings";
import { againstComputerHere } from "../../local/start";
import { lookForEngines } from "../../local/tables";
import { me } from "../../net/connection";
import { gameName, gameWords, t } from "../../net/i18n";
import { gameInfo, games, rooms } from "../../net/lobby";
import type { RoomLine } from "../../net/types";
import { DemoBoard } from "../../ui/DemoBoard";
import { GameChooser } from "../../ui/GameChooser";
import { Icon } from "../../ui/Icon";
import { computerName } from "../../ui/Name";
import { joinable, RoomList } from "../../ui/RoomList";
import { useTitle } from "../../ui/title";
import { WatchList, watchable, worth } from "../../ui/WatchList";
import { Continue, isMine } from "./Continue";
import { Foot } from "./Foot";
import { KeptGames } from "./Kept";
import { type Options, PlayOptions } from "./PlayOptions";

const FEW = 4;

export function Front() {
  useTitle(t("front.title"));
  const known = Object.keys(games.value ?? {});
  useEffect(() => void lookForEngines().catch(() => undefined), []); // those that there were before are still there
  const [wanted, setWanted] = useState(remembered("game"));
  const forTwo = known.find((name) => gameInfo(name)?.seats === 2); // at first one that two can play at once
  const chosen = known.find((name) => name === wanted) ?? forTwo ?? known[0];
  const [options, setOptions] = useState<Options>({});
  const choose = (game: string): void => {
    setWanted(game);
    setOptions({});
    remember("game", game);
  };
  const alive = (rooms.value ?? []).filter((room) => room.people > 0 && !isMine(room)); // where someone is; one's own game is on top
  return (
    <main id="main" class="page front">
      <Continue />
      {chosen && (
        <div class="hero">
          <div class="welcome">
            <h1>{t("front.title")}</h1>
            <p>{t("front.what")}</p>
          </div>
          <GameChooser chosen={chosen} choose={choose} />
          <div class="hero-board" aria-hidden="true">
            <DemoBoard key={chosen} game={chosen} />
          </div>
          <Begin game={chosen} options={options} />
        </div>
      )}
      {chosen && <PlayOptions key={chosen} game={chosen} options={options} change={setOptions} />}
      <LiveRooms
        id="open-rooms"
        title={t("front.open")}
        rooms={alive.filter(joinable)}
        more="/lobby"
        label={t("front.to_lobby")}
        list={(few) => <RoomList rooms={few} empty={null} />}
      />
      <LiveRooms
        id="running-games"
        title={t("front.running")}
        rooms={alive.filter(watchable).sort(worth)}
        more="/watch"
        label={t("front.to_watch")}
        list={(few) => <WatchList rooms={few} />}
      />
      <KeptGames />
      <Foot />
    </main>
  );
}

/** What the chosen game is, and the one button. */
function Begin({ game, options }: { game: string; options: Options }) {
  const [busy, setBusy] = useState(false);
  const play = (): void => {
    setBusy(true);
    void againstComputerHere({ game, options }, level.value, 0).finally(() => setBusy(false));
  };
  return (
    <div class="begin">
      <p class="begin-what">
        <b>{gameName(game)}</b> <span>{gameWords(game)?.tagline}</span>
      </p>
      <div class="row wrap">
        <button type="button" class="main big" aria-disabled={busy || !me.value} onClick={play}>
          <Icon name="play" />
          {t("front.now")}
        </button>
        <a class="button quiet" href={`/learn/${game}`}>
          <Icon name="book" />
          {t("front.rules")}
        </a>
      </div>
      <small>
        {t(gameInfo(game)?.secrets ? "front.now_help_secrets" : "front.now_help", {
          name: t("seat.bot", { name: computerName(level.value), level: level.value }),
        })}
      </small>
    </div>
  );
}

/** A few rooms of a kind; nothing where there are none. */
function LiveRooms({
  id,
  title,
  rooms,
  more,
  label,
  list,
}: {
  id: string;
  title: string;
  rooms: RoomLine[];
  more: string;
  label: string;
  list: (few: RoomLine[]) => preact.ComponentChildren;
}) {
  if (!rooms.length) return null;
  return (
    <section class="stack" aria-labelledby={id}>
      <div class="row">
        <h2 id={id} class="air">
          {title}
        </h2>
        <a class="further" href={more}>
          {label}
          <Icon name="right" />
        </a>
      </div>
      {list(rooms.slice(0, FEW))}
    </section>
  );
}
