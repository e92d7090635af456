// The front page: play at once.

import { gameName, gameWords, t } from "../i18n";
import { againstComputer, atOneScreen, cancelMatch, quickMatch, withFriend } from "../start";
import { games, waiting } from "../store";

export function Front() {
  return (
    <main id="main" class="page">
      <h1>{t("front.title")}</h1>
      <ul class="cards">
        {Object.entries(games.value ?? {}).map(([name, game]) => (
          <li class="card stack" key={name}>
            <h2>{gameName(name)}</h2>
            <p>{gameWords(name)?.tagline}</p>
            <div class="row wrap">
              {game.seats === 2 && (waiting.value?.game === name
                ? <button type="button" class="main" onClick={() => void cancelMatch()}>{t("front.cancel")}</button>
                : <button type="button" class="main" onClick={() => void quickMatch(name, {}, { kind: "byoyomi", main_ms: 300_000, byoyomi_ms: 20_000 })}>{t("front.quick")}</button>)}
              <button type="button" class="quiet" onClick={() => void againstComputer({ game: name }, 3, 0)}>{t("front.computer")}</button>
              <button type="button" class="quiet" onClick={() => void withFriend({ game: name })}>{t("front.friend")}</button>
              {game.seats === 2 && <button type="button" class="quiet" onClick={() => void atOneScreen({ game: name })}>{t("front.screen")}</button>}
              <a class="button quiet" href={`/learn/${name}`}>{t("front.rules")}</a>
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
}
