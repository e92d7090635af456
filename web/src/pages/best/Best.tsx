// The best of a game, by rating.

import { useState } from "preact/hooks";
import { me, standing } from "../../net/connection";
import type { Best as Ranked } from "../../net/http";
import { gameName, t } from "../../net/i18n";
import { gameInfo, games } from "../../net/lobby";
import { Chips } from "../../ui/Chips";
import { Empty } from "../../ui/Empty";
import { GameTabs } from "../../ui/GameTabs";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Name } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/title";

export function Best({ game }: { game: string }) {
  const shown = game || (Object.keys(games.value ?? {})[0] ?? "");
  useTitle(t("best.title"), shown && gameName(shown));
  return gameInfo(shown) ? <Leaderboard game={shown} /> : <NotFound />;
}

function Leaderboard({ game }: { game: string }) {
  const [kind, setKind] = useState("people");
  const [lines, again] = useLoaded<Ranked[]>(`/api/leaderboards/${encodeURIComponent(game)}?bots=${kind === "bots"}`);
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{t("best.title")}</h1>
        <p>{t("best.help")}</p>
        {standing.value?.kind === "guest" && (
          <p class="hint">
            <a href="/login">{t("best.guest")}</a>
          </p>
        )}
      </div>
      <GameTabs at={game} path="best" />
      <Chips
        label={t("best.whose")}
        value={kind}
        choose={setKind}
        chips={[
          { value: "people", label: t("best.people") },
          { value: "bots", label: t("best.bots") },
        ]}
      />
      {lines === undefined ? (
        <Skeleton lines={6} />
      ) : lines === null ? (
        <LoadFailed again={again} />
      ) : !lines.length ? (
        <Empty icon="flag" text={kind === "bots" ? t("best.no_bots", { game: gameName(game) }) : t("best.empty", { game: gameName(game) })}>
          <a class="button main" href="/">
            {t("watch.play")}
          </a>
        </Empty>
      ) : (
        <table class="card best">
          <caption class="unseen">{t("best.of", { game: gameName(game) })}</caption>
          <thead>
            <tr>
              <th scope="col">{t("best.place")}</th>
              <th scope="col">{t("best.who")}</th>
              <th scope="col" class="figure">
                {t("best.rating")}
              </th>
              <th scope="col" class="figure">
                {t("best.games")}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={line.id} class={line.id === me.value?.id ? "own" : ""}>
                <td class="figure">{index + 1}</td>
                <td>
                  <a href={`/people/${line.id}`}>
                    <Name person={line} />
                  </a>
                </td>
                <td class="figure">{line.rating}</td>
                <td class="figure">{line.games}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}
