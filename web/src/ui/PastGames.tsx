// Games that were played, newest first; one looks through them by a click.

import { useState } from "preact/hooks";
import { DOT } from "../lib/dot";
import { language } from "../lib/settings";
import { get, me } from "../net/connection";
import type { GameLine } from "../net/http";
import { gameName, seatName, t } from "../net/i18n";
import { tell } from "../net/lobby";
import { Empty } from "./Empty";
import { LoadFailed } from "./LoadFailed";
import { useLoaded } from "./load";
import { playedBy, playerName } from "./Name";
import { Skeleton } from "./Skeleton";

const PAGE = 20;

/** `path` with its question mark, if it has one; `id`: whose games they are, if one person's. */
export function PastGames({ path, id }: { path: string; id?: string }) {
  const mark = path.includes("?") ? "&" : "?";
  const [first, again] = useLoaded<GameLine[]>(`${path}${mark}limit=${PAGE}`);
  const [more, setMore] = useState<GameLine[]>([]);
  const [end, setEnd] = useState(false);
  if (first === undefined) return <Skeleton lines={5} />;
  if (first === null) return <LoadFailed again={again} />;
  if (!first.length && id && id !== me.value?.id) return <Empty icon="play" text={t("person.no_games_theirs")} />;
  if (!first.length)
    return (
      <Empty icon="play" text={t("person.no_games")}>
        <a class="button main" href="/">
          {t("watch.play")}
        </a>
      </Empty>
    );
  const lines = [...first, ...more];
  async function further(): Promise<void> {
    const last = lines[lines.length - 1];
    if (!last) return;
    try {
      const found = await get<GameLine[]>(`${path}${mark}limit=${PAGE}&before=${last.id}`);
      setMore([...more, ...found]);
      setEnd(found.length < PAGE);
    } catch {
      tell(t("lost.broken"), true);
    }
  }
  return (
    <>
      <ul class="past">
        {lines.map((line) => (
          <li key={line.id}>
            <Past line={line} id={id} />
          </li>
        ))}
      </ul>
      {!end && lines.length % PAGE === 0 && (
        <button type="button" class="quiet alone" onClick={() => void further()}>
          {t("person.further")}
        </button>
      )}
    </>
  );
}

function Past({ line, id }: { line: GameLine; id?: string }) {
  const own = line.people.map((who, seat) => ((who.first ?? who.person) === id ? seat : -1)).filter((seat) => seat >= 0);
  const winner = line.result?.winner;
  const local = own.length !== 1;
  const how = !line.ended_at || !winner ? "running" : !winner.length ? "draw" : local ? "done" : own.some((seat) => winner.includes(seat)) ? "won" : "lost";
  const names = playedBy(line).map((called, seat, all) => (called === null ? seatName(line.game, seat) : playerName(called, seat, all)));
  return (
    <a class="card past-game" href={`/replay/${line.id}`}>
      <span class={`outcome ${how}`}>{t(`person.${how}` as "person.won")}</span>
      <span class="past-text">
        <b>{gameName(line.game)}</b>
        <span>{[...new Set(names)].join(" – ")}</span>
      </span>
      <small>
        <time dateTime={new Date(line.started_at).toISOString()}>
          {new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(line.started_at)}
        </time>
        {line.rated && (
          <>
            {DOT}
            {t(line.ended_at && !line.counted ? "room.uncounted" : "room.rated")}
          </>
        )}
      </small>
    </a>
  );
}
