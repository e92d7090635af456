// A kept game as a record: the file that programs read (hanpan/record.py), and the text that people read.

import type { Position } from "../engine/contract";
import { type KeptGame, ownSeats } from "./kept";
import { LocalMatch, sidesOf } from "./match";
import type { Table } from "./room";

const FORMAT = 1;
const NO_RESULT = ["abandoned", "length"]; // reasons for which a game has no result at all, not even a draw

/** A kept game, played through. */
function replayed(kept: KeptGame, table: Pick<Table, "game" | "sides">): LocalMatch {
  const match = new LocalMatch(table.game, false, sidesOf(table.game, table.sides), kept.actions);
  match.result = kept.result;
  return match;
}

/** Names by seat, as servers write them into records; nobody is named where two sit at one screen. */
function names(kept: KeptGame, me: string): [number, string][] {
  const people = ownSeats(kept).length;
  const called = ({ bot }: KeptGame["chairs"][0]): string => (bot !== undefined ? `computer, level ${bot}` : people === 1 ? me : "");
  return kept.chairs.map((chair, seat): [number, string] => [seat + 1, called(chair)]).filter(([, name]) => name.trim());
}

const forcedOf = (kept: KeptGame): number[] => kept.actions.flatMap((each, ply) => (each.forced ? ply : []));

export function asJson(kept: KeptGame, table: Pick<Table, "game" | "sides">, me: string): string {
  const { result, position } = replayed(kept, table),
    forced = forcedOf(kept),
    people = names(kept, me);
  return JSON.stringify({
    hanpan: FORMAT,
    game: kept.game,
    options: table.game.options,
    actions: kept.actions.map((each) => each.action),
    ...(forced.length ? { forced } : {}),
    ...(people.length ? { people: Object.fromEntries(people) } : {}),
    over: result !== null,
    winner: result?.winner ?? null,
    scores: position.scores,
    ...(result ? { reason: result.reason } : {}),
    ...(result?.last?.length ? { last: result.last } : {}),
  });
}

/** What was played, as it is kept: of a game that can't be played through any more, so that nothing is said of how it stands. */
export const asKept = ({ game, options, actions }: KeptGame): string =>
  JSON.stringify({ hanpan: FORMAT, game, options, actions: actions.map((each) => each.action) });

/** `seat 1 and 3`. */
const seats = (found: readonly number[]): string => `seat ${found.map((seat) => seat + 1).join(" and ")}`;

function resultText(kept: KeptGame, last: Position): string {
  const scores = last.scores.join("–"),
    { result } = kept;
  if (!result) return `unfinished, ${scores}`;
  const outcome = result.winner.length ? `${seats(result.winner)} won` : NO_RESULT.includes(result.reason) ? "no winner" : "draw";
  const rest = result.last?.length ? `, ${seats(result.last)} last` : "";
  return `${outcome}, ${scores}${result.reason === "rules" && !rest ? "" : ` (${result.reason}${rest})`}`;
}

export function asText(kept: KeptGame, table: Pick<Table, "game" | "sides">, me: string): string {
  const match = replayed(kept, table);
  const lines = [
    `game: ${kept.game}`,
    ...Object.entries(table.game.options).map(([key, value]) => `option ${key}: ${value}`),
    ...names(kept, me).map(([seat, name]) => `seat ${seat}: ${name}`),
    `result: ${resultText(kept, match.position)}`,
    "",
    ...kept.actions.map(({ action, seat, forced }, ply) => {
      const who = seat === null ? "chance" : `seat ${seat + 1}`;
      return `${String(ply + 1).padStart(4)}  ${who.padEnd(7)} ${action}${forced ? "  (forced)" : ""}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}
