// Ways to a game in this browser; where it can't be had, the same way through the server.

import { go } from "../lib/route";
import { againstComputer, atOneScreen, computersOnly, type NewRoom } from "../net/start";
import { type Chair, newGame } from "./kept";
import { openTable, playable } from "./tables";
import { keep, newId } from "./visit";

/** Begin a game in this browser, if it can be played here: clocks are the server's. The chairs follow from how many seats there are. */
async function here({ game, options = {}, settings }: NewRoom, chairs: (seats: number) => Chair[]): Promise<boolean> {
  if (!playable(game) || (settings?.time && settings.time.kind !== "none")) return false;
  try {
    const table = await openTable(game, options);
    const made = newGame(newId(), game, options, chairs(table.game.seats), Date.now());
    keep(made);
    go(`/local/${made.id}`);
    return true;
  } catch {
    return false; // no network just now, or a browser that can't: the server may know how
  }
}

const everySeat = (seats: number, chair: (seat: number) => Chair): Chair[] => Array.from({ length: seats }, (_, seat) => chair(seat));

/** Against the computer; seat null: by lot. */
export async function againstComputerHere(wanted: NewRoom, level: number, seat: number | null): Promise<void> {
  const chairs = (seats: number): Chair[] => {
    const own = seat ?? Math.floor(Math.random() * seats);
    return everySeat(seats, (each) => (each === own ? {} : { bot: level }));
  };
  if (!(await here(wanted, chairs))) await againstComputer(wanted, level, seat);
}

/** Everyone at one screen. */
export async function atOneScreenHere(wanted: NewRoom): Promise<void> {
  if (!(await here(wanted, (seats) => everySeat(seats, () => ({}))))) await atOneScreen(wanted);
}

/** Computer against computer: of two seats one holds both, and can take over at any moment; else one looks on. */
export async function computersOnlyHere(wanted: NewRoom, level: number, count: number): Promise<void> {
  const chairs = (seats: number): Chair[] => everySeat(seats, () => (seats === 2 ? { auto: level } : { bot: level }));
  if (!(await here(wanted, chairs))) await computersOnly(wanted, level, count);
}
