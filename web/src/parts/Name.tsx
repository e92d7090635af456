// A person's name with rank and rating; programs and people whom one has blocked are marked.

import { isBlocked } from "../account";
import { rankName, seatName, t } from "../i18n";
import type { Person, Seat } from "../types";
import { Icon } from "./Icon";

/** A name within a sentence. */
export const nameOf = (person: Pick<Person, "name" | "bot">): string => (person.bot ? t("name.bot_named", { name: person.name }) : person.name);

/** A name as the server writes it where there is nothing but the name. */
export function sitter(called: string | null): string {
  const bot = called?.startsWith("bot ") ? called.slice(4) : null;
  if (bot === null) return called ?? t("seat.empty");
  return /^\d+$/.test(bot) ? t("seat.bot", { level: bot }) : t("name.bot_named", { name: bot });
}

/** Who sits on a chair, within a sentence; an empty one is called by the game's word for it. */
export function chairName(game: string, chair: Seat): string {
  if (chair.person) return nameOf(chair.person);
  return chair.bot ? t("seat.level_short", { level: chair.bot }) : seatName(game, chair.seat);
}

export function Name({ person, rating = false }: { person: Person; rating?: boolean }) {
  return (
    <span class="name">
      {person.colour && <span class={`rank ${person.colour}`} title={rankName(person.rank ?? "")} aria-hidden="true" />}
      <span class="who">{person.name}</span>
      {person.bot && <Mark icon="bot" text={t("name.bot")} />}
      {isBlocked(person.id) && <Mark icon="block" text={t("name.blocked")} />}
      {rating && person.rating != null && <span class="rating">{person.rating}</span>}
    </span>
  );
}

function Mark({ icon, text }: { icon: "bot" | "block"; text: string }) {
  return <span class="name-mark" title={text}><Icon name={icon} /><span class="unseen">{text}</span></span>;
}
