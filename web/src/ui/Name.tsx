// Who someone is: a face and a name, with rank and rating; programs and people whom one has blocked are marked. Computer players have names by level.

import { isBlocked } from "../net/account";
import type { GameLine } from "../net/http";
import { rankName, seatName, serverWord, t } from "../net/i18n";
import { seats } from "../net/room";
import type { EndSeat, PersonInfo, SeatInfo } from "../net/types";
import { ComputerFace, Face } from "./Face";
import { Icon } from "./Icon";

/** A name within a sentence. */
export const nameOf = (person: Pick<PersonInfo, "name" | "bot">): string => (person.bot ? t("name.bot_named", { name: person.name }) : person.name);

/** A computer player's name; the second and third of a level at one table have names of their own. */
export const computerName = (level: number, nth = 0): string => serverWord(`computers.${level}.${nth % 3}`);
/** What it is like to play against a level. */
export const temper = (level: number): string => t("seat.temper", { level, name: computerName(level), temper: serverWord(`computers.${level}.temper`) });

/** How many equals come before it. */
const nth = (all: readonly unknown[], index: number): number => all.slice(0, index).filter((other) => other === all[index]).length;

/** The level in a computer player's name as servers and records write it. */
const levelOf = (called: string): number | null => Number(/^(?:bot |computer, level )([1-8])$/.exec(called)?.[1] ?? 0) || null;

/** Names as servers and records write them where there is nothing but the name: `names.map(playerName)`. */
export function playerName(called: string | null, index = 0, all: (string | null)[] = []): string {
  if (called === null) return t("seat.empty");
  const level = levelOf(called);
  if (level) return t("seat.bot", { name: computerName(level, nth(all, index)), level });
  return called.startsWith("bot ") ? t("name.bot_named", { name: called.slice(4) }) : called;
}

/** The same with a face. */
export function PlayerName({ called, index, all, id }: { called: string | null; index: number; all: (string | null)[]; id?: string | null }) {
  const level = called && levelOf(called),
    text = playerName(called, index, all);
  return (
    <span class={called === null ? "sitter free" : "sitter"}>
      {level ? <ComputerFace level={level} nth={nth(all, index)} /> : called !== null && <Face id={id ?? ""} name={called.replace(/^bot /, "")} />}
      <span class="sitter-name">{text}</span>
    </span>
  );
}

/** Who played a game of the archive, as `sitter` reads it. */
export const playedBy = (line: GameLine): (string | null)[] => line.people.map((who, seat) => line.names[seat] ?? (who.bot ? `bot ${who.bot}` : null));

/** Who sits on a chair, within a sentence; an empty one is called by the game's word for it. */
export function chairName(game: string, chair: EndSeat): string {
  if (chair.person) return nameOf(chair.person);
  return chair.bot ? computerName(chair.bot, nthOfLevel(chair)) : seatName(game, chair.seat);
}

/** The same by the seat's number; nothing is known of a seat before the room has told of it. */
export function seatedName(game: string, seat: number, chairs: readonly EndSeat[] = seats.value): string {
  const chair = chairs[seat];
  return chair ? chairName(game, chair) : seatName(game, seat);
}

const nthOfLevel = (chair: EndSeat): number =>
  nth(
    seats.value.map((other) => other.bot),
    chair.seat,
  );

/** The computer player on a chair. */
export function Computer({ chair, level }: { chair: SeatInfo; level: number }) {
  return (
    <span class="name" title={temper(level)}>
      <ComputerFace level={level} nth={nthOfLevel(chair)} />
      <span class="who">{computerName(level, nthOfLevel(chair))}</span>
      <span class="rating">{t("seat.level_short", { level })}</span>
    </span>
  );
}

export function Name({ person, rating = false }: { person: PersonInfo; rating?: boolean }) {
  return (
    <span class="name">
      <Face id={person.id} name={person.name} />
      {person.colour && <span class={`rank ${person.colour}`} title={rankName(person.rank ?? "")} aria-hidden="true" />}
      <span class="who">{person.name}</span>
      {person.bot && <NameMark icon="bot" text={t("name.bot")} />}
      {isBlocked(person.id) && <NameMark icon="block" text={t("name.blocked")} />}
      {rating && person.rating != null && <span class="rating">{person.rating}</span>}
    </span>
  );
}

function NameMark({ icon, text }: { icon: "bot" | "block"; text: string }) {
  return (
    <span class="name-mark" title={text}>
      <Icon name={icon} />
      <span class="unseen">{text}</span>
    </span>
  );
}
