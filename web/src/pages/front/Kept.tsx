// The games that are kept in this browser: to go on with, to look at again, to delete.

import { useErrorBoundary, useState } from "preact/hooks";
import { Picture } from "../../board/Picture";
import { DOT, dotted } from "../../lib/dot";
import { language } from "../../lib/settings";
import { type KeptGame, ownSeats, shelf } from "../../local/kept";
import { gameName, t } from "../../net/i18n";
import { Icon } from "../../ui/Icon";
import { playerName } from "../../ui/Name";

const ON_TOP = 2; // games that go on, before everything else
const PAGE = 10;

/** Whether someone before this screen has played there, and not only begun; where computers play, one looks on from the beginning. */
function isPlayed(game: KeptGame): boolean {
  const own = ownSeats(game);
  return game.actions.some(({ seat }) => seat !== null && (!own.length || own.includes(seat)));
}

/** Games that go on, those in which something was done first. */
export function running(): KeptGame[] {
  const found = shelf.games.value.filter((game) => game.result === null);
  return [...found.filter(isPlayed), ...found.filter((game) => !isPlayed(game))].slice(0, ON_TOP);
}

/** Whom one plays with. */
function against({ chairs }: KeptGame): string {
  const bots = chairs.map(({ bot }) => (bot === undefined ? null : `bot ${bot}`));
  const names = bots.flatMap((name, seat) => (name === null ? [] : playerName(name, seat, bots)));
  return dotted(names) || t(chairs.length === 2 ? "front.screen" : "front.screen_all");
}

/** How a game lies now. The picture was kept with the game: one that another version of the page made, and this one can't draw, is left out. */
function Lying({ game }: { game: KeptGame }) {
  const [wrong] = useErrorBoundary();
  if (wrong || !game.picture) return null;
  return <Picture scene={game.picture} game={game.game} label={t("front.picture", { game: gameName(game.game) })} />;
}

/** A game that goes on, as it lies now. */
export function ContinueHere({ game }: { game: KeptGame }) {
  return (
    <a class="card" href={`/local/${game.id}`}>
      <div class="living">
        <Lying game={game} />
      </div>
      <span class="continue-text">
        <b>{t("front.continue")}</b>
        <span>
          {gameName(game.game)}
          {DOT}
          {against(game)}
        </span>
      </span>
      <Icon name="right" />
    </a>
  );
}

/** All others, some at a time: whoever plays every day has hundreds. */
export function KeptGames() {
  const [shown, setShown] = useState(PAGE);
  const top = running();
  const rest = shelf.games.value.filter((game) => !top.includes(game));
  if (!rest.length) return null;
  return (
    <section class="stack" aria-labelledby="kept-games">
      <h2 id="kept-games">{t("local.kept")}</h2>
      <p class="hint">{t("local.kept_help")}</p>
      <ul class="past kept">
        {rest.slice(0, shown).map((game) => (
          <KeptLine key={game.id} game={game} />
        ))}
      </ul>
      {rest.length > shown && (
        <button type="button" class="quiet alone" onClick={() => setShown(shown + PAGE)}>
          {t("person.further")}
        </button>
      )}
    </section>
  );
}

/** How it ended, for whoever plays here. */
function outcome(game: KeptGame): "running" | "draw" | "done" | "won" | "lost" {
  const { result } = game,
    own = ownSeats(game);
  if (!result) return "running";
  if (!result.winner.length) return "draw";
  return own.length !== 1 ? "done" : own.some((seat) => result.winner.includes(seat)) ? "won" : "lost";
}

function KeptLine({ game }: { game: KeptGame }) {
  const [sure, setSure] = useState(false);
  const how = outcome(game);
  if (sure)
    return (
      <li class="card row wrap">
        <span class="air">{t("local.delete_sure")}</span>
        <button type="button" class="bad" onClick={() => shelf.remove(game.id)}>
          {t("local.delete_yes")}
        </button>
        <button type="button" class="quiet" onClick={() => setSure(false)}>
          {t("local.delete_no")}
        </button>
      </li>
    );
  return (
    <li>
      <a class="card past-game" href={`/local/${game.id}`}>
        <span class={`outcome ${how}`}>{t(`person.${how}`)}</span>
        <span class="past-text">
          <b>{gameName(game.game)}</b>
          <span>{against(game)}</span>
        </span>
        <small>
          <time dateTime={new Date(game.changed).toISOString()}>
            {new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(game.changed)}
          </time>
        </small>
      </a>
      <button
        type="button"
        class="quiet delete"
        aria-label={t("local.delete_one", { game: gameName(game.game) })}
        title={t("local.delete_game")}
        onClick={() => setSure(true)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
