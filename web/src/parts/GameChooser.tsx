// The games side by side, each with a living picture; one of them is chosen.

import { useEffect, useId, useRef } from "preact/hooks";
import { gameName, gameWords, t } from "../i18n";
import { games } from "../store";
import { Living } from "./Living";

export function GameChooser({ chosen, choose }: { chosen: string; choose: (game: string) => void }) {
  const id = useId();
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => { // the chosen one is in sight, without moving the page
    const list = row.current, card = list?.querySelector<HTMLElement>("input:checked")?.closest("li");
    if (list && card) list.scrollTo({ left: card.offsetLeft - (list.clientWidth - card.clientWidth) / 2 });
  }, []);
  return (
    <fieldset class="chooser">
      <legend class="unseen">{t("front.choose")}</legend>
      <ul ref={row} class="games">
        {Object.entries(games.value ?? {}).map(([name, game], index) => (
          <li key={name}>
            <label class="game">
              <input type="radio" name={id} checked={name === chosen} aria-labelledby={`${id}-${name}`} aria-describedby={`${id}-${name}-more`} onChange={() => choose(name)} />
              <span class="game-card">
                <span class="game-picture" aria-hidden="true"><Living game={name} pace={2200 + 170 * (index % 5)} /></span>
                <b id={`${id}-${name}`}>{gameName(name)}</b>
                <span class="game-more" id={`${id}-${name}-more`}><span class="tagline">{gameWords(name)?.tagline}</span><small>{t("front.players", { n: game.seats })}</small></span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
