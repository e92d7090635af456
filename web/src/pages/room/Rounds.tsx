// A game in rounds: the card when one has ended, until everyone is ready for the next; and all rounds in a table.

import { computed } from "@preact/signals";
import { dotted } from "../../lib/dot";
import { t } from "../../net/i18n";
import { gameInfo } from "../../net/lobby";
import { request } from "../../net/requests";
import { board, colours, game, mySeats, paused, rounds, seats, startsAt } from "../../net/room";
import type { RoundInfo } from "../../net/types";
import { SeatSign } from "../../ui/SeatSign";
import { useSecond } from "../../ui/second";
import { sayHere, who } from "./who";

/** The seats of each side. */
function sides(): number[][] {
  const of = gameInfo(game.value)?.sides ?? seats.value.map((_, seat) => seat);
  return [...new Set(of)].map((side) => of.map((other, seat) => (other === side ? seat : -1)).filter((seat) => seat >= 0));
}

/** What a side has; each of its seats has the same. */
const scoreOf = ([seat = 0]: number[], scores: number[]): number => scores[seat] ?? 0;

const called = (side: number[]): string => dotted(side.map(who));

/** Whether a round has just ended, and the next one waits. */
export const roundShown = computed(() => paused.value && rounds.value[rounds.value.length - 1]?.ply === board.value?.ply);

/** What a round brought, while the next one waits. */
export function RoundCard() {
  const now = useSecond(paused.value);
  const ended = rounds.value[rounds.value.length - 1];
  if (!roundShown.value || !ended) return null;
  const mine = mySeats.value,
    ready = mine.every((seat) => seats.value[seat]?.ready);
  const late = seats.value.filter((chair) => chair.person && !chair.ready).map((chair) => who(chair.seat));
  const seconds = startsAt.value === null ? null : Math.max(0, Math.ceil((startsAt.value - now) / 1000));
  const { out } = ended,
    winners = out === null ? null : (sides().find((side) => side.includes(out)) ?? [out]);
  const title = winners ? t("rounds.won", { name: winners.map(who).join(t("over.and")), points: ended.points }) : t("rounds.nobody");
  return (
    <section class="card round-card" aria-label={t("rounds.title", { n: rounds.value.length })}>
      <div class="round-told" role="status">
        <h2>
          <small>{t("rounds.title", { n: rounds.value.length })}</small> {title}
        </h2>{" "}
        <p>{ended.why.map(sayHere).join(" ")}</p>
      </div>
      <p class="round-scores">
        {sides().map((side) => (
          <SideScore key={side[0]} side={side} before={scoreOf(side, ended.before)} after={scoreOf(side, ended.scores)} />
        ))}
      </p>
      {rounds.value.length > 1 && (
        <details>
          <summary>{t("rounds.all")}</summary>
          <RoundTable />
        </details>
      )}
      <p class="row wrap round-next">
        {mine.length > 0 && !ready && (
          <button type="button" class="main" onClick={() => void request("set ready")}>
            {t("rounds.next")}
          </button>
        )}
        {(ready || !mine.length) && late.length > 0 && <span>{t("rounds.waiting", { names: late.join(", ") })}</span>}
        {seconds !== null && <span class="hint">{t("rounds.starts", { s: seconds })}</span>}
      </p>
    </section>
  );
}

function SideScore({ side, before, after }: { side: number[]; before: number; after: number }) {
  return (
    <span class={after > before ? "gained" : ""}>
      {side.map((seat) => (
        <SeatSign key={seat} seat={seat} colour={colours.value[seat] ?? "ink-2"} />
      ))}
      <span>{called(side)}</span>{" "}
      {after > before && (
        <>
          <s>{before}</s> →{" "}
        </>
      )}
      <b>{after}</b>
    </span>
  );
}

/** All rounds so far. */
export function RoundTable() {
  if (!rounds.value.length) return null;
  return (
    <table class="rounds">
      <thead>
        <tr>
          <th>
            <span class="unseen">{t("rounds.round")}</span>
          </th>
          <th>{t("rounds.dealer")}</th>
          <th>{t("rounds.out")}</th>
          <th>{t("rounds.points")}</th>
          {sides().map((side) => (
            <th key={side[0]} title={called(side)}>
              {side.map((seat) => (
                <SeatSign key={seat} seat={seat} colour={colours.value[seat] ?? "ink-2"} />
              ))}
              <span class="unseen">{called(side)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rounds.value.map((round, number) => (
          <RoundRow key={round.ply} round={round} number={number + 1} />
        ))}
      </tbody>
    </table>
  );
}

function RoundRow({ round, number }: { round: RoundInfo; number: number }) {
  const name = (seat: number) => (
    <span class="seat-in-line">
      <SeatSign seat={seat} colour={colours.value[seat] ?? "ink-2"} />
      <span class="who">{who(seat)}</span>
    </span>
  );
  return (
    <tr title={round.why.map(sayHere).join(" ")}>
      <td>{number}</td>
      <td>{name(round.dealer)}</td>
      <td>{round.out === null ? "–" : name(round.out)}</td>
      <td>{round.points}</td>
      {sides().map((side) => (
        <td key={side[0]}>{scoreOf(side, round.scores)}</td>
      ))}
    </tr>
  );
}
