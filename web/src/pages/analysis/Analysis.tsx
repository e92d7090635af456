// A game taken apart: step through it, try something else, and see what every action is worth, found out here in the browser.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "../../board/Board";
import type { Note } from "../../board/draw";
import { hasSides } from "../../board/side";
import { Refused } from "../../engine/contract";
import { DOT } from "../../lib/dot";
import { go as goTo } from "../../lib/route";
import { Analyst } from "../../local/analyst";
import { shelf } from "../../local/kept";
import { lineAddress, positionAddress } from "../../local/line";
import { sidesOf } from "../../local/match";
import type { Table } from "../../local/room";
import { Study } from "../../local/study";
import { openTable, outdated, Unplayable } from "../../local/tables";
import { dice } from "../../local/visit";
import { Unanswered } from "../../net/connection";
import { gameName, seatName, t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { addressFor, lookAround } from "../../net/network";
import { copy } from "../../ui/copy";
import { Icon } from "../../ui/Icon";
import { useKeptFocus } from "../../ui/keptfocus";
import { LoadFailed } from "../../ui/LoadFailed";
import { audible, MoveList, readable } from "../../ui/MoveList";
import { playerName } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { spoken } from "../../ui/Notices";
import { StepBar, type Steps, useKeys } from "../../ui/Playback";
import { useTitle } from "../../ui/title";
import { Bar } from "./Bar";
import { Graph } from "./Graph";
import { useSettled } from "./settled";
import { found, type Source, wrongText } from "./source";
import { share, wholeWorth, worthText } from "./worth";

// Where the keyboard is when what it was at has gone: at the present move, from which the arrows step; on the board, where it was there.
const BESIDE = [".told [aria-current]", '.spot[tabindex="0"]'];
const ON_BOARD = ['.spot[tabindex="0"]', ".told [aria-current]"];

type Failure = { unreadable: string } | "running" | "unplayable" | "missing" | "failed";
type Opened = { source: Source; table: Table; study: Study; analyst: Analyst } | Failure | null;

const failure = (id: string, wrong: unknown): Failure => {
  if (wrong instanceof Refused || wrong instanceof SyntaxError) return { unreadable: wrongText(id, wrong) };
  if (wrong instanceof Unanswered && wrong.status === 404) return "missing";
  if (wrong instanceof Unanswered && wrong.status === 403) return "running"; // in a room that one can't look into
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
      const start = source.position === undefined ? undefined : table.game.parse(source.position);
      const study = new Study(table.game, source.actions, start, source.winner);
      const analyst = new Analyst(study, table.analyse, table.glance);
      close = () => {
        analyst.close();
        table.analysed();
      };
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
  }, [tries]);
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
  const [otherWay, setOtherWay] = useState(false);
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
    branch = study.offTrunk(),
    played = study.trunk(),
    course = played.length > 1 ? played : line; // where nothing was played, what is tried out is the game
  const steps: Steps = { at, last, to: (ply) => go(() => study.go(line[Math.max(0, Math.min(last, ply))] ?? knot)) };
  useKeys(steps);
  const board = useRef<HTMLDivElement>(null),
    side = useRef<HTMLElement>(null);
  useKeptFocus(board, ON_BOARD);
  useKeptFocus(side, BESIDE);
  const sides = useMemo(() => sidesOf(table.game, table.sides), [table]);
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
      path: clicks[action] ?? [],
      text: worthText(value),
      rank: value === best ? "best" : share(value, table.scale) > share(best, table.scale) - 0.08 ? "good" : "poor",
    }));
  }, [knot, news, clicks]);
  const best = analyst.failed.value
    ? t("analysis.failed")
    : position.over
      ? t("analysis.over")
      : position.chance
        ? t("prompt.chance")
        : knot.judgement
          ? t(table.secrets && knot.judgement.sure ? "analysis.solved" : "analysis.best", {
              name: who(position.seat ?? 0),
              value: wholeWorth([...knot.judgement.values.values()][0] ?? 0),
              line: knot.judgement.line
                .slice(0, 6)
                .map((action) => readable(source.game, { action, say: position.inWords(action).say }, who))
                .join(DOT),
            })
          : t("analysis.thinking");
  const stays = analyst.failed.value || position.seat === null || Boolean(knot.judgement?.sure);
  useSettled(best, stays, (text) => {
    spoken.value = text;
  });
  useEffect(() => void lookAround(), []);
  const copyLine = async (): Promise<void> => {
    const actions = line.slice(1, at + 1).map(({ action }) => action ?? "");
    const { options } = table.game;
    if (await copy(addressFor(lineAddress(source.game, options, source.position, actions) ?? positionAddress(source.game, options, position.text))))
      tell(t("share.copied"));
  };
  return (
    <main id="main" class="page replay analysis">
      <div class="replay-board" ref={board}>
        <Bar knot={knot} sides={sides} scale={table.scale} colours={scene.colours} called={who} unknown={best} />
        <Board
          game={source.game}
          scene={scene}
          clicks={position.over ? null : clicks}
          seat={position.seat}
          flipped={otherWay && hasSides(scene.board)}
          called={who}
          notes={notes}
          onPlay={(action) => go(() => study.play(action))}
          frame={{ "data-ply": knot.ply, "data-judged": knot.judgement?.depth ?? (position.over ? 0 : undefined) }}
          preview={async (action) => position.play(action).scene()}
        />
        <StepBar steps={steps} />
        <p class="unseen" aria-live="polite">
          {knot.action === null
            ? t("replay.start")
            : t("speak.action", {
                seat: knot.seat === null ? t("moves.chance") : who(knot.seat),
                action: audible(source.game, { action: knot.action, ...knot.words }, who),
              })}
        </p>
      </div>
      <aside class="card replay-side" ref={side} aria-label={t("replay.about")}>
        <h1>{t("analysis.of", { game: gameName(source.game) })}</h1>
        <p class="best-line">{best}</p>
        {position.chance && (
          <button type="button" class="main" onClick={() => go(() => study.draw(dice()))}>
            {t("analysis.draw")}
          </button>
        )}
        <Graph knots={course} at={knot} sides={sides} scale={table.scale} colours={scene.colours} news={news} go={(to) => go(() => study.go(to))} />
        {branch && (
          <div class="row wrap">
            <button type="button" class="main" onClick={() => go(() => study.backToTrunk())}>
              {t("analysis.back")}
            </button>
            <button type="button" class="quiet" onClick={() => go(() => study.prune(branch))}>
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
          actions={line.slice(1).map(({ action, seat, words, trunk }, ply) => ({
            action: action ?? "",
            seat,
            ...words,
            forced: trunk && source.forced?.includes(ply),
          }))}
        />
        <PositionField key={position.text} source={source} table={table} text={position.text} />
        <div class="row wrap replay-files">
          {id !== source.game && (
            <a class="button quiet" href={shelf.find(id) ? `/local/${id}` : `/replay/${id}`}>
              <Icon name="eye" />
              {t("analysis.game")}
            </a>
          )}
          {hasSides(scene.board) && (
            <button type="button" class="quiet" aria-pressed={otherWay} onClick={() => setOtherWay(!otherWay)}>
              <Icon name="flip" />
              {t("board.flip")}
            </button>
          )}
          <button type="button" class="quiet" onClick={() => void copyLine()}>
            <Icon name="share" />
            {t("analysis.copy")}
          </button>
        </div>
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
      goTo(positionAddress(source.game, table.game.options, position));
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
