// A game from its beginning to its end: a finished one of this server, or a record from outside.

import { useMemo, useState } from "preact/hooks";
import { Picture } from "../../board/Picture";
import { DOT } from "../../lib/dot";
import { lineAddress } from "../../local/line";
import type { GameLine, RecordScenes } from "../../net/http";
import { gameName, say, seatName, t } from "../../net/i18n";
import { whole } from "../../net/scenes";
import { AnalyseLink } from "../../ui/AnalyseLink";
import { Icon } from "../../ui/Icon";
import { Ledger } from "../../ui/Ledger";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { audible, MoveList, numbers } from "../../ui/MoveList";
import { PlayerName, playedBy, playerName } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { StepBar, useKeys, useSteps } from "../../ui/Playback";
import { SeatSign } from "../../ui/SeatSign";
import { ShareGame } from "../../ui/ShareGame";
import { useTitle } from "../../ui/title";
import { Upload } from "./Upload";

export function Replay({ id }: { id: string }) {
  const [own, setOwn] = useState<{ shown: RecordScenes; text: string } | null>(null);
  useTitle(id ? t("replay.title") : t("replay.upload_title"));
  if (id) return <StoredGame id={id} />;
  return own ? (
    <GameViewer
      shown={own.shown}
      names={seats(own.shown)}
      winner={own.shown.winner ?? null}
      reason={own.shown.reason ?? undefined}
      close={() => setOwn(null)}
    />
  ) : (
    <Upload found={(shown, text) => setOwn({ shown, text })} />
  );
}

const seats = (shown: RecordScenes): (string | null)[] => (shown.scenes[0]?.colours ?? []).map((_, seat) => shown.people[String(seat)] ?? null);

/** A game of this server. */
function StoredGame({ id }: { id: string }) {
  const at = `/api/records/${encodeURIComponent(id)}`;
  const [shown, again] = useLoaded<RecordScenes>(`${at}/scenes`);
  const [line, anew, missing] = useLoaded<GameLine>(at);
  if (shown === undefined || line === undefined)
    return (
      <main id="main" class="page" aria-busy="true">
        <h1>{t("replay.title")}</h1>
        <div class="skeleton-board" />
      </main>
    );
  if (shown === null && missing) return <NotFound />;
  if (shown === null)
    return (
      <main id="main" class="page">
        <h1>{t("replay.title")}</h1>
        <LoadFailed
          again={() => {
            again();
            anew();
          }}
        />
      </main>
    );
  const names = line ? playedBy(line) : seats(shown);
  return (
    <GameViewer
      shown={shown}
      names={names}
      ids={line?.people.map((each) => each.first ?? each.person)}
      winner={line?.result?.winner ?? null}
      reason={line?.result?.reason}
      id={id}
    />
  );
}

interface Props {
  shown: RecordScenes;
  names: (string | null)[];
  ids?: (string | null | undefined)[];
  winner: number[] | null;
  reason?: string;
  id?: string;
  close?: () => void;
}

function GameViewer({ shown, names, ids, winner, reason, id, close }: Props) {
  const scenes = useMemo(() => whole(shown.scenes), [shown]);
  const steps = useSteps(scenes.length);
  useKeys(steps);
  const first = scenes[0],
    scene = scenes[steps.at],
    last = shown.actions[steps.at - 1];
  const who = (seat: number): string => {
    const name = names[seat] ?? null;
    return name === null ? seatName(shown.game, seat) : playerName(name, seat, names);
  };
  useTitle(t("replay.title"), gameName(shown.game), names.map((_, seat) => who(seat)).join(" – "));
  const ended = winner === null ? t("replay.unfinished") : winner.length ? t("over.winner", { name: winner.map(who).join(t("over.and")) }) : t("over.draw");
  const lost = names
    .map((_, seat) => seat)
    .filter((seat) => !winner?.includes(seat))
    .map(who)
    .join(t("over.and"));
  const told = scenes[scenes.length - 1]?.reason; // of the last position, in the game's words
  const why =
    winner === null
      ? ""
      : (!reason || reason === "rules") && told
        ? say(shown.game, told, who)
        : reason
          ? t(`reasons.${reason}` as "reasons.resigned", { name: lost, n: shown.actions.length })
          : "";
  const number = numbers(shown.actions);
  if (!first || !scene) return <NotFound />; // a record without a single position
  const scores = shown.scenes[steps.at]?.scores ?? [];
  const played = shown.actions.map(({ action }) => action);
  const analysed = id ? `/analysis/${id}` : lineAddress(shown.game, shown.options, shown.start, played);
  return (
    <main id="main" class="page replay">
      <div class="replay-board">
        <div class="board-frame">
          <Picture scene={scene} game={shown.game} called={who} label={t("replay.picture", { game: gameName(shown.game), n: number[steps.at - 1] ?? 0 })} />
        </div>
        <StepBar steps={steps} numbers={number} />
        <p class="unseen" aria-live="polite">
          {steps.running
            ? ""
            : last
              ? t("speak.action", {
                  seat: last.seat === null ? t("moves.chance") : who(last.seat),
                  action: audible(shown.game, last, who),
                })
              : t("replay.start")}
        </p>
      </div>
      <aside class="card replay-side" aria-label={t("replay.about")}>
        <div class="stack replay-about">
          <h1>{gameName(shown.game)}</h1>
          <ul class="replay-seats">
            {names.map((name, seat) => (
              <li key={seat} class={winner?.includes(seat) ? "winner" : ""}>
                <SeatSign seat={seat} colour={scene.colours[seat] ?? "ink-2"} />
                {name === null ? (
                  <span class="who">{who(seat)}</span>
                ) : (
                  <span class="who">
                    <PlayerName called={name} index={seat} all={names} id={ids?.[seat]} />
                  </span>
                )}
                {scores.some((score) => score !== 0) && <b class="score">{scores[seat]}</b>}
              </li>
            ))}
          </ul>
          <p class="hint">
            {ended}
            {why && (
              <>
                {DOT}
                {why}
              </>
            )}
          </p>
        </div>
        <MoveList called={who} game={shown.game} colours={first.colours} actions={shown.actions} at={steps.at} to={steps.to} />
        <div class="row wrap replay-files">
          {id && (
            <a class="button quiet" href={`/api/records/${id}.json`} download={`${shown.game}-${id}.json`}>
              <Icon name="download" />
              {t("replay.json")}
            </a>
          )}
          {id && (
            <a class="button quiet" href={`/api/records/${id}.txt`} download={`${shown.game}-${id}.txt`}>
              <Icon name="download" />
              {t("replay.text")}
            </a>
          )}
          {id && <Ledger id={id} game={shown.game} colours={first.colours} actions={shown.actions} />}
          {analysed && <AnalyseLink path={analysed} game={shown.game} />}
          {id && <ShareGame id={id} game={shown.game} ply={steps.at} words={`${ended}. ${why}`} />}
          {close ? (
            <button type="button" class="quiet" onClick={close}>
              {t("replay.another")}
            </button>
          ) : (
            <a class="button quiet" href="/replay">
              {t("replay.upload")}
            </a>
          )}
        </div>
        <p class="hint keys">{t("replay.keys")}</p>
      </aside>
    </main>
  );
}
