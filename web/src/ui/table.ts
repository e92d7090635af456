// What a table of a game is like with some options: how many seats, and which clock is usual.

import { useEffect, useState } from "preact/hooks";
import { get } from "../net/connection";
import type { GameTable } from "../net/http";
import { gameInfo } from "../net/lobby";
import type { Time, Value } from "../net/types";

export const NO_CLOCK: Time = { kind: "none" };
const known = new Map<string, GameTable>();

/** Null until it is known. */
export function useTable(game: string, options: Record<string, Value>): GameTable | null {
  const asked = JSON.stringify(options),
    key = `${game} ${asked}`;
  const plain = asked === "{}" ? (gameInfo(game) ?? null) : (known.get(key) ?? null);
  const [, again] = useState(0);
  useEffect(() => {
    if (plain) return;
    let here = true;
    get<GameTable>(`/api/games/${encodeURIComponent(game)}/table?options=${encodeURIComponent(asked)}`).then(
      (table) => {
        known.set(key, table);
        if (here) again((count) => count + 1);
      },
      () => undefined,
    ); // options that do not fit together: the server says why when the table is made
    return () => {
      here = false;
    };
  }, [key, plain === null]);
  return plain;
}

/** The clock of a table that nobody has said anything about. */
export const usualClock = (table: GameTable): Time => (table.timed ? table.clock : NO_CLOCK);

export const sameTime = (one: Time, other: Time): boolean => JSON.stringify(one) === JSON.stringify(other);
