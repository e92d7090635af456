// The address of a line: which game, where it begins, and what was played there.

import type { Value } from "../net/types";

const LONGEST = 6000; // letters: servers, and what people send links with, take no address of any length

type Options = Readonly<Record<string, Value>>;

const address = (game: string, options: Options, parts: Record<string, string>): string =>
  `/analysis/${game}?${new URLSearchParams({ options: JSON.stringify(options), ...parts })}`;

/** Where a position is analysed. */
export const positionAddress = (game: string, options: Options, position: string): string => address(game, options, { position });

/** Where a line is analysed; null where its address would be too long. `from`: where it begins, if that is not the game's own beginning. */
export function lineAddress(game: string, options: Options, from: string | undefined, actions: readonly string[]): string | null {
  const whole = address(game, options, { ...(from === undefined ? {} : { position: from }), moves: JSON.stringify(actions) });
  return whole.length > LONGEST ? null : whole;
}
