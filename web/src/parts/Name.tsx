// A person's name with rank and rating.

import { rankName } from "../i18n";
import type { Person } from "../types";

export function Name({ person, rating = false }: { person: Person; rating?: boolean }) {
  return (
    <span class="name">
      {person.colour && <span class={`rank ${person.colour}`} title={rankName(person.rank ?? "")} aria-hidden="true" />}
      <span class="who">{person.name}</span>
      {rating && person.rating != null && <span class="rating">{person.rating}</span>}
    </span>
  );
}
