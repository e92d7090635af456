// The best of a game, by rating.

import { useState } from "preact/hooks";
import { gameName, t } from "../i18n";
import { me, standing } from "../net";
import { Broken } from "../parts/Broken";
import { Chips } from "../parts/Chips";
import { Bones, Empty } from "../parts/Empty";
import { GameTabs } from "../parts/GameTabs";
import { Name } from "../parts/Name";
import { useLoaded } from "../parts/load";
import { games } from "../store";
import { useTitle } from "../title";
import type { Best as Line } from "../types";
import { Lost } from "./Lost";

export function Best({ game }: { game: string }) {
  const shown = game || Object.keys(games.value ?? {})[0];
  useTitle(t("best.title"), shown && gameName(shown));
  return games.value?.[shown] ? <Board game={shown} /> : <Lost />;
}

function Board({ game }: { game: string }) {
  const [kind, setKind] = useState("people");
  const [lines, again] = useLoaded<Line[]>(`/api/leaderboards/${encodeURIComponent(game)}?bots=${kind === "bots"}`);
  return (
    <main id="main" class="page narrow">
      <div class="welcome"><h1>{t("best.title")}</h1><p>{t("best.help")}</p>{standing.value?.kind === "guest" && <p class="hint"><a href="/login">{t("best.guest")}</a></p>}</div>
      <GameTabs at={game} path="best" />
      <Chips label={t("best.whose")} value={kind} choose={setKind} chips={[{ value: "people", label: t("best.people") }, { value: "bots", label: t("best.bots") }]} />
      {lines === undefined ? <Bones lines={6} /> : lines === null ? <Broken again={again} /> : !lines.length
        ? <Empty icon="flag" text={kind === "bots" ? t("best.no_bots", { game: gameName(game) }) : t("best.empty", { game: gameName(game) })}><a class="button main" href="/">{t("watch.play")}</a></Empty>
        : (
          <table class="card best">
            <caption class="unseen">{t("best.of", { game: gameName(game) })}</caption>
            <thead><tr><th scope="col">{t("best.place")}</th><th scope="col">{t("best.who")}</th><th scope="col" class="figure">{t("best.rating")}</th><th scope="col" class="figure">{t("best.games")}</th></tr></thead>
            <tbody>
              {lines.map((line, index) => (
                <tr key={line.id} class={line.id === me.value?.id ? "own" : ""}>
                  <td class="figure">{index + 1}</td><td><a href={`/people/${line.id}`}><Name person={line} /></a></td><td class="figure">{line.rating}</td><td class="figure">{line.games}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
    </main>
  );
}
