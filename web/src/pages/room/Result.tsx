// How the game ended, in a strip under the board: who, why in the game's words, and what people want next. The board above it stays as it is.

import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { language } from "../../lib/settings";
import { me } from "../../net/connection";
import { seatName, t } from "../../net/i18n";
import { request } from "../../net/requests";
import { board, endSeats, game, info, local, myEndSeats, mySeats, offers, over, rounds, scene, seats } from "../../net/room";
import { AnalyseLink } from "../../ui/AnalyseLink";
import { Icon } from "../../ui/Icon";
import { seatedName } from "../../ui/Name";
import { ShareGame } from "../../ui/ShareGame";
import { SaveGame } from "./SaveGame";
import { sayHere } from "./who";

/** The game after which one is back at the table, for the next. */
export const again = signal("");

const NAMED = ["resigned", "time", "claim"]; // reasons that say who

/** Whoever sat on a seat; where one person played all of them, the seat. */
function who(seat: number): string {
  return myEndSeats.value.length > 1 ? seatName(game.value, seat) : seatedName(game.value, seat, endSeats.value);
}

const listed = (found: number[]): string => found.map(who).join(t("over.and"));

/** Who has won, as the one who looks is concerned. */
function outcome(): string {
  const winner = over.value?.winner ?? [],
    mine = myEndSeats.value;
  if (!winner.length) return t(mine.length === 1 && endSeats.value[mine[0] ?? -1]?.resigned ? "over.lost" : "over.draw");
  if (mine.length !== 1) return t("over.winner", { name: listed(winner) });
  return mine.some((seat) => winner.includes(seat)) ? t("over.won") : t("over.lost");
}

/** Why: in the game's words where its rules ended it, else in the page's. */
function why(): string {
  const { reason = "rules", winner = [] } = over.value ?? {},
    told = scene.value?.reason;
  if (reason === "rules") return (told && sayHere(told)) || t("reasons.rules");
  const lost = endSeats.value.map((chair) => chair.seat).filter((seat) => !winner.includes(seat));
  const own = NAMED.includes(reason) && myEndSeats.value.length === 1 && lost.length === 1 && lost[0] === myEndSeats.value[0];
  return t(`reasons.${reason}${own ? "_you" : ""}` as "reasons.resigned", { name: listed(lost), n: board.value?.ply ?? 0 });
}

/** What the round brought with which the game has ended; the card that tells it else is not shown any more. */
function lastRound(): string {
  const last = rounds.value[rounds.value.length - 1];
  return last && over.value?.reason === "rules" && last.ply === board.value?.ply ? last.why.map(sayHere).join(" ") : "";
}

/** Both, to be spoken or written in one. */
export function ending(): string {
  const said = outcome();
  return `${said}${/\p{P}$/u.test(said) ? "" : "."} ${why()}`;
}

/** A share of the usual points, as people say it. */
const points = (weight: number): string => new Intl.NumberFormat(language.value, { style: "percent", maximumSignificantDigits: 2 }).format(weight);

/** Whether the strip is there: from the end until one is back at the table. */
export const resultShown = computed(() => over.value !== null && again.value !== over.value.game_id);

export function Result() {
  const ended = over.value;
  const head = useRef<HTMLHeadingElement>(null);
  const known = useRef<string | undefined>(undefined);
  useEffect(() => {
    // whoever was there and does nothing else (with a pointer: the focus is nowhere) hears the end, and goes on from here
    const came = ended && known.current !== undefined && known.current !== ended.game_id;
    if (came && document.activeElement?.matches("body, h1, .spot:focus-visible")) head.current?.focus({ preventScroll: true });
    known.current = ended?.game_id ?? "";
  }, [ended?.game_id]);
  if (!ended || !resultShown.value) return null;
  const mine = mySeats.value,
    played = myEndSeats.value,
    chairs = seats.value;
  const moved = me.value && ended.ratings[me.value.id];
  const wanted = offers.value.filter((offer) => offer.kind === "rematch");
  const first = wanted[0];
  const asked = wanted.some((offer) => mine.includes(offer.seat));
  const complete = chairs.every((chair) => chair.person || chair.bot);
  const side = ended.winner.length === 0 ? "even" : played.length !== 1 ? "" : played.some((seat) => ended.winner.includes(seat)) ? "won" : "lost";
  return (
    <section class="result card" data-side={side} aria-label={t("over.label")}>
      <div class="result-text">
        <h2 ref={head} tabIndex={-1}>
          {outcome()}
        </h2>{" "}
        <p>{why()}</p>
        {lastRound() && <p class="last-round">{lastRound()}</p>}
        {moved && <p class="moved">{t("over.rating", { before: Math.round(moved.before), after: Math.round(moved.after) })}</p>}
        {mine.length > 0 && ended.counted?.why && (
          <p class="moved">{t(`counted.${ended.counted.why}` as "counted.short", { n: points(ended.counted.weight) })}</p>
        )}
        {first && !asked && <p role="status">{t("over.wants", { name: seatedName(game.value, first.seat) })}</p>}
      </div>
      <div class="result-next">
        {mine.length > 0 && complete && (
          <button type="button" class="main" aria-disabled={asked} onClick={() => void request("rematch")}>
            {asked ? t("over.asked") : t("over.rematch")}
          </button>
        )}
        {mine.length > 0 && !complete && (
          <button
            type="button"
            class="main"
            onClick={() => {
              again.value = ended.game_id;
            }}
          >
            {t("over.again")}
          </button>
        )}
        <AnalyseLink path={`/analysis/${local.value ? (info.value?.id ?? "") : ended.game_id}`} game={game.value} />
        {local.value ? (
          <SaveGame />
        ) : (
          <>
            <a class="button quiet" href={`/replay/${ended.game_id}`}>
              <Icon name="eye" />
              {t("over.replay")}
            </a>
            <ShareGame id={ended.game_id} game={game.value} words={ending()} />
          </>
        )}
        <a class="button quiet" href={local.value ? "/" : "/lobby"}>
          <Icon name="exit" />
          {t(local.value ? "local.leave" : "over.leave")}
        </a>
      </div>
    </section>
  );
}
