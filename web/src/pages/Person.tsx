// Someone: how strong they are in each game, how that came about, and their games.

import { useEffect, useState } from "preact/hooks";
import { isOperator } from "../account";
import { gameName, rankName, seatName, t } from "../i18n";
import { get, me } from "../net";
import { Broken } from "../parts/Broken";
import { Bones, Empty } from "../parts/Empty";
import { Graph } from "../parts/Graph";
import { fetched } from "../parts/fetched";
import { Name, playedBy, sitter } from "../parts/Name";
import { PersonActs } from "../parts/PersonActs";
import { useLoaded } from "../parts/load";
import { language } from "../settings";
import { games, tell } from "../store";
import { useTitle } from "../title";
import type { GameLine, Person as Someone, RatingStep } from "../types";
import { Lost } from "./Lost";

const PAGE = 20;
const Keeper = fetched((apart) => apart.Keeper);

export function Person({ id }: { id: string }) {
  const at = `/api/people/${encodeURIComponent(id)}`;
  const [person] = useLoaded<Someone>(at);
  useTitle(person?.name ?? t("person.title"));
  const [chosen, setChosen] = useState("");
  const [histories, again] = useHistories(at);
  const busiest = Object.entries(histories ?? {}).sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? Object.keys(games.value ?? {})[0];
  if (person === null) return <Lost />;
  if (!person) return <main id="main" class="page narrow"><h1>{t("person.title")}</h1><Bones lines={6} /></main>;
  const known = Object.keys(games.value ?? {}), game = chosen || busiest;
  return (
    <main id="main" class="page narrow">
      <div class="welcome"><h1><Name person={person} /></h1><p>{rankName(person.rank ?? "")}{person.id === me.value?.id && <> · {t("lobby.you")}</>}</p></div>
      {person.id !== me.value?.id && <div class="row wrap"><PersonActs person={person} /></div>}
      {isOperator() && <Keeper id={person.id} />}
      <section class="stack" aria-labelledby="ratings">
        <h2 id="ratings">{t("person.ratings")}</h2>
        <ul class="ratings">
          {known.map((name) => <li key={name}><button type="button" class="quiet" aria-pressed={name === game} onClick={() => setChosen(name)}><span>{gameName(name)}</span><b>{person.ratings?.[name] ?? t("person.unrated")}</b></button></li>)}
        </ul>
        {histories === undefined ? <div class="bone graph-bone" /> : histories === null ? <Broken again={again} /> : histories[game]?.length
          ? <figure class="card"><Graph steps={histories[game]} /></figure>
          : <Empty icon="list" text={t("person.no_history", { game: gameName(game) })} />}
      </section>
      <section class="stack" aria-labelledby="games">
        <h2 id="games">{t("person.games")}</h2>
        <Games path={`${at}/games`} id={id} />
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
    Promise.all(all).then((pairs) => setFound(Object.fromEntries(pairs)), () => setFound(null));
  }, [at, tries]);
  return [found, () => { setFound(undefined); setTries(tries + 1); }];
}

function Games({ path, id }: { path: string; id: string }) {
  const [first, again] = useLoaded<GameLine[]>(`${path}?limit=${PAGE}`);
  const [more, setMore] = useState<GameLine[]>([]);
  const [end, setEnd] = useState(false);
  if (first === undefined) return <Bones lines={5} />;
  if (first === null) return <Broken again={again} />;
  if (!first.length) return <Empty icon="play" text={t("person.no_games")}><a class="button main" href="/">{t("learn.play")}</a></Empty>;
  const lines = [...first, ...more];
  async function further(): Promise<void> {
    try {
      const found = await get<GameLine[]>(`${path}?limit=${PAGE}&before=${lines[lines.length - 1].id}`);
      setMore([...more, ...found]);
      setEnd(found.length < PAGE);
    } catch {
      tell(t("lost.broken"), true);
    }
  }
  return (
    <>
      <ul class="past">{lines.map((line) => <li key={line.id}><Past line={line} id={id} /></li>)}</ul>
      {!end && lines.length % PAGE === 0 && <button type="button" class="quiet alone" onClick={() => void further()}>{t("person.further")}</button>}
    </>
  );
}

function Past({ line, id }: { line: GameLine; id: string }) {
  const own = line.people.map((who, seat) => ((who.first ?? who.person) === id ? seat : -1)).filter((seat) => seat >= 0);
  const winner = line.result?.winner;
  const local = own.length > 1;
  const how = !line.ended_at || !winner ? "running" : !winner.length ? "draw" : local ? "done" : own.some((seat) => winner.includes(seat)) ? "won" : "lost";
  const names = playedBy(line).map((called, seat, all) => (called === null ? seatName(line.game, seat) : sitter(called, seat, all)));
  return (
    <a class="card past-game" href={`/replay/${line.id}`}>
      <span class={`outcome ${how}`}>{t(`person.${how}` as "person.won")}</span>
      <span class="past-text"><b>{gameName(line.game)}</b><span>{[...new Set(names)].join(" – ")}</span></span>
      <small><time dateTime={new Date(line.started_at).toISOString()}>{new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(line.started_at)}</time>{line.rated && <> · {t("room.rated")}</>}</small>
    </a>
  );
}
