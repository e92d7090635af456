// Someone: how strong they are in each game, how that came about, and their games.

import { useEffect, useState } from "preact/hooks";
import { DOT } from "../../lib/dot";
import { isOperator } from "../../net/account";
import { get, me } from "../../net/connection";
import type { RatingStep } from "../../net/http";
import { gameName, rankName, t } from "../../net/i18n";
import { games } from "../../net/lobby";
import type { PersonInfo as Someone } from "../../net/types";
import { Empty } from "../../ui/Empty";
import { LoadFailed } from "../../ui/LoadFailed";
import { lazy } from "../../ui/lazy";
import { useLoaded } from "../../ui/load";
import { Name } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { PastGames } from "../../ui/PastGames";
import { PersonActions } from "../../ui/PersonActions";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/title";
import { RatingGraph } from "./RatingGraph";

const ModerationTools = lazy((parts) => parts.ModerationTools);

export function Person({ id }: { id: string }) {
  const at = `/api/people/${encodeURIComponent(id)}`;
  const [person, ask, missing] = useLoaded<Someone>(at);
  useTitle(person?.name ?? t("person.title"));
  const [chosen, setChosen] = useState("");
  const [histories, again] = useHistories(at);
  const busiest = Object.entries(histories ?? {}).sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? Object.keys(games.value ?? {})[0] ?? "";
  if (missing) return <NotFound />;
  if (!person)
    return (
      <main id="main" class="page narrow">
        <h1>{t("person.title")}</h1>
        {person === null ? <LoadFailed again={ask} /> : <Skeleton lines={6} />}
      </main>
    );
  const known = Object.keys(games.value ?? {}),
    game = chosen || busiest,
    history = histories?.[game] ?? [];
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>
          <Name person={person} />
        </h1>
        <p>
          {person.gone ? t("person.gone") : rankName(person.rank ?? "")}
          {person.id === me.value?.id && (
            <>
              {DOT}
              {t("lobby.you")}
            </>
          )}
        </p>
      </div>
      {person.id !== me.value?.id && !person.gone && (
        <div class="row wrap">
          <PersonActions person={person} />
        </div>
      )}
      {isOperator() && !person.gone && <ModerationTools id={person.id} />}
      {!person.gone && (
        <section class="stack" aria-labelledby="ratings">
          <h2 id="ratings">{t("person.ratings")}</h2>
          <ul class="ratings">
            {known.map((name) => (
              <li key={name}>
                <button type="button" class="quiet" aria-pressed={name === game} onClick={() => setChosen(name)}>
                  <span>{gameName(name)}</span>
                  <b>{person.ratings?.[name] ?? t("person.unrated")}</b>
                </button>
              </li>
            ))}
          </ul>
          {histories === undefined ? (
            <div class="skeleton-part skeleton-graph" />
          ) : histories === null ? (
            <LoadFailed again={again} />
          ) : history.length ? (
            <figure class="card">
              <RatingGraph steps={history} />
            </figure>
          ) : (
            <Empty icon="list" text={t("person.no_history", { game: gameName(game) })} />
          )}
        </section>
      )}
      <section class="stack" aria-labelledby="games">
        <h2 id="games">{t("person.games")}</h2>
        <PastGames path={`${at}/games`} id={id} />
      </section>
    </main>
  );
}

/** How someone's rating moved, in every game. */
function useHistories(at: string): [Record<string, RatingStep[]> | null | undefined, () => void] {
  const [found, setFound] = useState<Record<string, RatingStep[]> | null | undefined>(undefined);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const all = Object.keys(games.value ?? {}).map(async (game) => [game, await get<RatingStep[]>(`${at}/ratings/${encodeURIComponent(game)}`)] as const);
    Promise.all(all).then(
      (pairs) => setFound(Object.fromEntries(pairs)),
      () => setFound(null),
    );
  }, [at, tries]);
  return [
    found,
    () => {
      setFound(undefined);
      setTries(tries + 1);
    },
  ];
}
