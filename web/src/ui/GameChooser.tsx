// The games side by side, each with a picture; one of them is chosen.

import { useEffect, useId, useRef } from "preact/hooks";
import { gameName, gameWords, t } from "../net/i18n";
import { gameInfo, games } from "../net/lobby";
import { Still } from "./DemoBoard";

function GameCard({ name, id }: { name: string; id?: string }) {
  const game = gameInfo(name),
    few = game?.seats ?? 0,
    most = game?.sides.length ?? 0; // by an option
  return (
    <span class="game-card">
      <span class="game-picture" aria-hidden="true">
        <Still game={name} />
      </span>
      <b id={id}>{gameName(name)}</b>
      <span class="game-more" id={id && `${id}-more`}>
        <small>{t("front.players", { n: few < most ? `${few}–${most}` : few })}</small> <span class="tagline">{gameWords(name)?.tagline}</span>
      </span>
    </span>
  );
}

/** The same cards as links to a page of each game. */
export function GameLinks({ path }: { path: string }) {
  return (
    <ul class="games all">
      {Object.keys(games.value ?? {}).map((name) => (
        <li key={name}>
          <a class="game" href={`/${path}/${name}`}>
            <GameCard name={name} />
          </a>
        </li>
      ))}
    </ul>
  );
}

export function GameChooser({ chosen, choose }: { chosen: string; choose: (game: string) => void }) {
  const id = useId();
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // the chosen one is in sight, without moving the page
    const list = row.current,
      card = list?.querySelector<HTMLElement>("input:checked")?.closest("li");
    if (list && card) list.scrollTo({ left: card.offsetLeft - (list.clientWidth - card.clientWidth) / 2 });
  }, []);
  return (
    <fieldset class="chooser">
      <legend class="unseen">{t("front.choose")}</legend>
      <ul ref={row} class="games">
        {Object.keys(games.value ?? {}).map((name) => (
          <li key={name}>
            <label class="game">
              <input
                type="radio"
                name={id}
                checked={name === chosen}
                aria-labelledby={`${id}-${name}`}
                aria-describedby={`${id}-${name}-more`}
                onChange={() => choose(name)}
              />
              <GameCard name={name} id={`${id}-${name}`} />
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
