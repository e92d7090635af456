// A game from its beginning to its end: a finished one of this house, or a record from outside.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture";
import { gameName, seatName, t } from "../i18n";
import { Broken } from "../parts/Broken";
import { Icon } from "../parts/Icon";
import { Sitter, playedBy, sitter } from "../parts/Name";
import { StepBar, type Steps, useKeys, useSteps } from "../parts/Player";
import { SeatSign } from "../parts/SeatSign";
import { Upload } from "../parts/Upload";
import { useLoaded } from "../parts/load";
import { whole } from "../scenes";
import { useTitle } from "../title";
import type { GameLine, SentScene, Value } from "../types";
import { Lost } from "./Lost";

export interface Shown {
  game: string; options: Record<string, Value>; actions: { action: string; seat: number | null }[]; people: Record<string, string>;
  scenes: (SentScene & { scores: number[]; over: boolean })[]; winner?: number[] | null; reason?: string | null;
}

export function Replay({ id }: { id: string }) {
  const [own, setOwn] = useState<{ shown: Shown; text: string } | null>(null);
  useTitle(id ? t("replay.title") : t("replay.upload_title"));
  if (id) return <Kept id={id} />;
  return own ? <Through shown={own.shown} names={seats(own.shown)} winner={own.shown.winner ?? null} reason={own.shown.reason ?? undefined} close={() => setOwn(null)} /> : <Upload found={(shown, text) => setOwn({ shown, text })} />;
}

const seats = (shown: Shown): (string | null)[] => (shown.scenes[0]?.colours ?? []).map((_, seat) => shown.people[String(seat)] ?? null);

/** A game of this house. */
function Kept({ id }: { id: string }) {
  const at = `/api/records/${encodeURIComponent(id)}`;
  const [shown, again] = useLoaded<Shown>(`${at}/scenes`);
  const [line] = useLoaded<GameLine>(at);
  if (shown === null) return line === null ? <Lost /> : <main id="main" class="page"><h1>{t("replay.title")}</h1><Broken again={again} /></main>;
  if (!shown || line === undefined) return <main id="main" class="page" aria-busy="true"><h1>{t("replay.title")}</h1><div class="skeleton-board" /></main>;
  const names = line ? playedBy(line) : seats(shown);
  return <Through shown={shown} names={names} ids={line?.people.map((each) => each.first ?? each.person)} winner={line?.result?.winner ?? null} reason={line?.result?.reason} id={id} />;
}

interface Props { shown: Shown; names: (string | null)[]; ids?: (string | null | undefined)[]; winner: number[] | null; reason?: string; id?: string; close?: () => void }

function Through({ shown, names, ids, winner, reason, id, close }: Props) {
  const scenes = useMemo(() => whole(shown.scenes), [shown]);
  const steps = useSteps(scenes.length);
  useKeys(steps);
  const scene = scenes[steps.at], last = shown.actions[steps.at - 1];
  const who = (seat: number): string => (names[seat] === null ? seatName(shown.game, seat) : sitter(names[seat], seat, names));
  useTitle(t("replay.title"), gameName(shown.game), names.map((_, seat) => who(seat)).join(" – "));
  const ended = winner === null ? t("replay.unfinished") : winner.length ? t("over.winner", { name: winner.map(who).join(t("over.and")) }) : t("over.draw");
  const scores = shown.scenes[steps.at]?.scores ?? [];
  return (
    <main id="main" class="page replay">
      <div class="replay-board">
        <div class="board-frame"><Picture scene={scene} label={t("replay.picture", { game: gameName(shown.game), n: steps.at })} /></div>
        <StepBar steps={steps} />
        <p class="unseen" aria-live="polite">{steps.running ? "" : last ? t("speak.action", { seat: last.seat === null ? t("moves.chance") : who(last.seat), action: last.action }) : t("replay.start")}</p>
      </div>
      <aside class="card replay-side" aria-label={t("replay.about")}>
        <div class="stack replay-about">
          <h1>{gameName(shown.game)}</h1>
          <ul class="replay-seats">
            {names.map((_, seat) => <li key={seat} class={winner?.includes(seat) ? "winner" : ""}><SeatSign seat={seat} colour={scene.colours[seat] ?? "ink-2"} />{names[seat] === null ? <span class="who">{who(seat)}</span> : <span class="who"><Sitter called={names[seat]} index={seat} all={names} id={ids?.[seat]} /></span>}{scores.some((score) => score !== 0) && <b class="score">{scores[seat]}</b>}</li>)}
          </ul>
          <p class="hint">{ended}{winner !== null && reason && <> · {t(`reasons.${reason}` as "reasons.rules")}</>}</p>
        </div>
        <Told shown={shown} steps={steps} />
        <div class="row wrap replay-files">
          {id && <a class="button quiet" href={`/api/records/${id}.json`} download={`${shown.game}-${id}.json`}><Icon name="download" />{t("replay.json")}</a>}
          {id && <a class="button quiet" href={`/api/records/${id}.txt`} download={`${shown.game}-${id}.txt`}><Icon name="download" />{t("replay.text")}</a>}
          {close ? <button type="button" class="quiet" onClick={close}>{t("replay.another")}</button> : <a class="button quiet" href="/replay">{t("replay.upload")}</a>}
        </div>
        <p class="hint keys">{t("replay.keys")}</p>
      </aside>
    </main>
  );
}

/** The moves; a click goes there. */
function Told({ shown, steps }: { shown: Shown; steps: Steps }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => { // keep the present move in sight without moving the page
    const box = list.current, here = box?.querySelector<HTMLElement>("[aria-current]");
    if (box && here) box.scrollTop = Math.max(0, here.offsetTop - box.offsetTop - box.clientHeight / 2);
  }, [steps.at]);
  if (!shown.actions.length) return <p class="empty">{t("moves.empty")}</p>;
  return (
    <ol ref={list} class="told" aria-label={t("moves.label")}>
      {shown.actions.map(({ action, seat }, index) => (
        <li key={index}>
          <button type="button" aria-current={steps.at === index + 1 ? "step" : undefined} onClick={() => steps.to(index + 1)}>
            <span class="number">{index + 1}</span>
            {seat === null ? <span class="chance" /> : <SeatSign seat={seat} colour={shown.scenes[0].colours[seat] ?? "ink-2"} />}
            <span class="unseen">{seat === null ? t("moves.chance") : seatName(shown.game, seat)}</span>
            <span class="action">{action}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
