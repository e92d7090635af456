// A game taken apart: step through it, try something else, and see what every action is worth, found out here in the browser.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../../board/Board";
import type { Note } from "../../board/draw";
import { Refused } from "../../engine/contract";
import { go as goTo } from "../../lib/route";
import { Analyst } from "../../local/analyst";
import { shelf } from "../../local/kept";
import type { Table } from "../../local/room";
import { Study } from "../../local/study";
import { openTable, outdated, Unplayable } from "../../local/tables";
import { dice } from "../../local/visit";
import { get, Unanswered } from "../../net/connection";
import { gameName, gameWords, say, seatName, t } from "../../net/i18n";
import type { Value } from "../../net/types";
import { Icon } from "../../ui/Icon";
import { LoadFailed } from "../../ui/LoadFailed";
import { MoveList } from "../../ui/MoveList";
import { playerName } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { spoken } from "../../ui/Notices";
import { StepBar, type Steps, useKeys } from "../../ui/Playback";
import { useTitle } from "../../ui/title";
import { Graph } from "./Graph";
import { useSettled } from "./settled";
import { share, worthText } from "./worth";

interface Source {
  game: string;
  options: Record<string, Value>;
  actions: string[];
  people?: Record<string, string>;
  /** The text of the first position, if it is not the game's own. */
  position?: string;
}

/** What the address tells: `/analysis/GAME?position=TEXT&options=JSON`, from the beginning where it names no position. */
const addressed = (game: string, told: URLSearchParams): Source => ({
  game,
  options: optionsOf(told.get("options") ?? "{}"),
  actions: [],
  position: told.get("position") ?? undefined,
});

function optionsOf(text: string): Record<string, Value> {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`options=${text}`);
  }
}

const wrongText = (game: string, wrong: unknown): string =>
  t("analysis.unreadable", { why: (wrong instanceof Refused && say(game, wrong.phrase)) || (wrong instanceof Error ? wrong.message : "") });

/** What is to be analysed: a game's name with what the address tells, or a finished game, one of this browser's or of the server's. */
async function found(id: string, search: string): Promise<Source | "running"> {
  if (gameWords(id)) return addressed(id, new URLSearchParams(search));
  const kept = shelf.find(id);
  if (kept) {
    const people = Object.fromEntries(kept.chairs.flatMap(({ bot }, seat) => (bot === undefined ? [] : [[String(seat + 1), `bot ${bot}`]])));
    return kept.result ? { ...kept, actions: kept.actions.map((each) => each.action), people } : "running";
  }
  const record = await get<Source & { running?: boolean }>(`/api/records/${encodeURIComponent(id)}.json`);
  return record.running ? "running" : record;
}

type Failure = { unreadable: string } | "running" | "unplayable" | "missing" | "failed";
type Opened = { source: Source; table: Table; study: Study; analyst: Analyst } | Failure | null;

const failure = (id: string, wrong: unknown): Failure => {
  if (wrong instanceof Refused || wrong instanceof SyntaxError) return { unreadable: wrongText(id, wrong) };
  if (wrong instanceof Unanswered && wrong.status === 404) return "missing";
  return wrong instanceof Unplayable ? "unplayable" : "failed";
};

export function Analysis({ id }: { id: string }) {
  const [opened, setOpened] = useState<Opened>(null);
  const [tries, setTries] = useState(0);
  const { search } = location;
  useTitle(t("analysis.title"), opened && typeof opened === "object" && "source" in opened ? gameName(opened.source.game) : "");
  useEffect(() => {
    let here = true,
      close = (): void => undefined;
    const open = async (): Promise<Opened> => {
      const source = await found(id, search);
      if (source === "running") return source;
      const table = await openTable(source.game, source.options);
      const study = new Study(table.game, source.actions, source.position === undefined ? undefined : table.game.parse(source.position));
      const analyst = new Analyst(study, table.analyse);
      close = () => analyst.close();
      if (here) void analyst.look(study.at); // it is thought about while the board is drawn
      return { source, table, study, analyst };
    };
    setOpened(null);
    open().then(
      (made) => here && setOpened(made),
      (wrong) => here && setOpened(failure(id, wrong)),
    );
    return () => {
      here = false;
      close();
    };
  }, [id, search, tries]);
  const again = async (): Promise<void> => {
    if (await outdated()) location.reload();
    else setTries(tries + 1);
  };
  if (opened === "missing") return <NotFound />;
  if (!opened || typeof opened === "string" || "unreadable" in opened)
    return (
      <main id="main" class="page" aria-busy={opened === null}>
        <h1>{t("analysis.title")}</h1>
        {opened === "running" && <p>{t("analysis.running")}</p>}
        {opened && typeof opened === "object" && <p role="alert">{opened.unreadable}</p>}
        {opened === "failed" && <LoadFailed again={() => void again()} />}
        {opened === "unplayable" && <LoadFailed again={() => void again()} text={t("analysis.unplayable")} />}
        {opened === null && <div class="skeleton-board" />}
      </main>
    );
  return <Desk id={id} {...opened} />;
}

function Desk({ id, source, table, study, analyst }: { id: string; source: Source; table: Table; study: Study; analyst: Analyst }) {
  const [, turn] = useState(0);
  const knot = study.at,
    { position } = knot,
    news = analyst.news.value;
  useEffect(() => void analyst.look(knot), [analyst, knot]);
  const go = (step: () => void): void => {
    step();
    turn((count) => count + 1);
  };
  const line = study.line(),
    at = line.indexOf(knot),
    last = line.length - 1,
    branch = study.offTrunk();
  const steps: Steps = { at, last, to: (ply) => go(() => study.go(line[Math.max(0, Math.min(last, ply))] ?? knot)) };
  useKeys(steps);
  const sides = table.sides ?? [];
  const names = Array.from({ length: table.game.seats }, (_, seat) => source.people?.[String(seat + 1)] ?? null);
  const who = (seat: number): string => {
    const name = names[seat] ?? null;
    return name === null ? seatName(source.game, seat) : playerName(name, seat, names);
  };
  const clicks = useMemo(() => Object.fromEntries([...position.actions.keys()].map((action) => [action, position.clicks(action)])), [position]);
  const scene = useMemo(() => position.scene(), [position]);
  const notes = useMemo((): Note[] => {
    const judged = [...(knot.judgement?.values ?? [])],
      best = judged[0]?.[1] ?? 0;
    return judged.map(([action, value]) => ({
      place: (clicks[action] ?? []).slice(-1)[0] ?? "",
      text: worthText(value),
      rank: value === best ? "best" : share(value, table.scale) > share(best, table.scale) - 0.08 ? "good" : "poor",
    }));
  }, [knot, news, clicks]);
  const worth = knot.worth(0, sides);
  const best = analyst.failed.value
    ? t("analysis.failed")
    : position.over
      ? t("analysis.over")
      : position.chance
        ? t("prompt.chance")
        : knot.judgement
          ? t(table.secrets && knot.judgement.sure ? "analysis.solved" : "analysis.best", {
              value: worthText([...knot.judgement.values.values()][0] ?? 0),
              line: knot.judgement.line.slice(0, 6).join(" "),
            })
          : t("analysis.thinking");
  const stays = analyst.failed.value || position.seat === null || Boolean(knot.judgement?.sure);
  useSettled(best, stays, (text) => {
    spoken.value = text;
  });
  return (
    <main id="main" class="page replay analysis">
      <div class="replay-board">
        <Bar worth={worth} scale={table.scale} colours={scene.colours} who={who} />
        <Board
          game={source.game}
          scene={scene}
          clicks={position.over ? null : clicks}
          seat={position.seat}
          called={who}
          notes={notes}
          onPlay={(action) => go(() => study.play(action))}
          frame={{ "data-ply": knot.ply, "data-judged": knot.judgement?.depth ?? (position.over ? 0 : undefined) }}
          preview={async (action) => position.play(action).scene()}
        />
        <StepBar steps={steps} />
      </div>
      <aside class="card replay-side" aria-label={t("replay.about")}>
        <h1>{t("analysis.of", { game: gameName(source.game) })}</h1>
        <p class="best-line">{best}</p>
        {position.chance && (
          <button type="button" class="main" onClick={() => go(() => study.draw(dice()))}>
            {t("analysis.draw")}
          </button>
        )}
        <Graph knots={study.trunk()} at={knot} sides={sides} scale={table.scale} news={news} go={(to) => go(() => study.go(to))} />
        {branch && (
          <div class="row wrap">
            <button type="button" class="main" onClick={() => go(() => study.go(branch))}>
              {t("analysis.back")}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() =>
                go(() => {
                  const first = line[line.indexOf(branch) + 1];
                  if (first) study.prune(first);
                })
              }
            >
              {t("analysis.forget")}
            </button>
          </div>
        )}
        <MoveList
          game={source.game}
          called={who}
          colours={scene.colours}
          at={at}
          to={steps.to}
          actions={line.slice(1).map(({ action, seat, say }) => ({ action: action ?? "", seat, say }))}
        />
        <PositionField key={position.text} source={source} table={table} text={position.text} />
        {id !== source.game && (
          <div class="row wrap replay-files">
            <a class="button quiet" href={shelf.find(id) ? `/local/${id}` : `/replay/${id}`}>
              <Icon name="eye" />
              {t("analysis.game")}
            </a>
          </div>
        )}
        <p class="hint keys">{t("analysis.keys")}</p>
      </aside>
    </main>
  );
}

/** The position's text, to be taken along or to be replaced by another. */
function PositionField({ source, table, text }: { source: Source; table: Table; text: string }) {
  const [typed, setTyped] = useState(text);
  const [wrong, setWrong] = useState("");
  const show = (event: Event): void => {
    event.preventDefault();
    try {
      const position = table.game.parse(typed.trim()).text;
      goTo(`/analysis/${source.game}?${new URLSearchParams({ position, options: JSON.stringify(table.game.options) })}`);
    } catch (reason) {
      setWrong(wrongText(source.game, reason));
    }
  };
  return (
    <form class="stack" onSubmit={show}>
      <label>
        {t("analysis.position")}
        <input value={typed} spellcheck={false} autocomplete="off" aria-invalid={wrong !== ""} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      {wrong && <p role="alert">{wrong}</p>}
      {typed !== text && (
        <button type="submit" class="quiet">
          {t("analysis.show")}
        </button>
      )}
    </form>
  );
}

/** Who stands how well: a bar between the first seat's side and the others'. */
function Bar({ worth, scale, colours, who }: { worth: number | null; scale: number; colours: string[]; who: (seat: number) => string }) {
  const part = worth === null ? 0.5 : share(worth, scale);
  const text = worth === null ? t("analysis.thinking") : t("analysis.stands", { name: who(worth >= 0 ? 0 : 1), value: worthText(Math.abs(worth)) });
  return (
    <div class="eval" role="img" aria-label={text} title={text}>
      <span class="eval-part" style={{ width: `${(100 * part).toFixed(1)}%`, background: `var(--${colours[0] ?? "ink"})` }} />
      <b>{worth === null ? "" : worthText(worth)}</b>
    </div>
  );
}
