// Everyone in the room, and inviting someone who is in the lobby.

import { me } from "../../net/connection";
import { t } from "../../net/i18n";
import { people, tell } from "../../net/lobby";
import { request } from "../../net/requests";
import { info, seats } from "../../net/room";
import { Name } from "../../ui/Name";
import { MoreButton } from "../../ui/PersonActions";
import { Share } from "./Share";

export function People() {
  const here = info.value?.people ?? [];
  const seated = new Set(seats.value.map((seat) => seat.person?.id));
  const away = people.value.filter((person) => person.id !== me.value?.id && !here.some((other) => other.id === person.id));
  return (
    <div class="stack">
      <ul class="people">
        {here.map((person) => (
          <li key={person.id}>
            <Name person={person} rating />
            <span class="hint">
              {person.id === info.value?.master ? t("people.master") : ""} {seated.has(person.id) ? t("people.playing") : t("people.watching")}
            </span>
            <MoreButton person={person} />
          </li>
        ))}
      </ul>
      <h3>{t("people.invite")}</h3>
      {away.length === 0 && <p class="empty">{t("people.nobody")}</p>}
      <ul class="people">
        {away.map((person) => (
          <li key={person.id}>
            <Name person={person} rating />
            <button
              type="button"
              class="quiet"
              aria-label={t("people.invite_one", { name: person.name })}
              onClick={() => void request("send invitation", { to: person.id }).then((done) => done && tell(t("people.invited", { name: person.name })))}
            >
              {t("people.invite_button")}
            </button>
          </li>
        ))}
      </ul>
      {info.value && <Share link={info.value.link} />}
    </div>
  );
}
