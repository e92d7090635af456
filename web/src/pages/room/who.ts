// Who sits where, within a sentence.

import { say, seatName } from "../../net/i18n";
import { endSeats, game, over, seats } from "../../net/room";
import type { EndSeat, Phrase } from "../../net/types";
import { chairName } from "../../ui/Name";

/** Who sits there, or sat there in the game that has ended: the name, with that of the seat where two are called the same; at one screen, the seat. */
export function who(seat: number): string {
  const chairs: readonly EndSeat[] = over.value ? endSeats.value : seats.value,
    chair = chairs[seat];
  if (!chair || (!chair.person && !chair.bot)) return seatName(game.value, seat);
  const { person } = chair;
  if (person && chairs.some((other) => other.seat !== seat && other.person?.id === person.id)) return seatName(game.value, seat);
  const name = chairName(game.value, chair);
  const alone = chairs.every((other) => other.seat === seat || (!other.person && !other.bot) || chairName(game.value, other) !== name);
  return alone ? name : `${name} (${seatName(game.value, seat)})`;
}

/** A phrase of the game's, in which seats are called by who sits there. */
export const sayHere = (phrase: Phrase): string => say(game.value, phrase, who);
