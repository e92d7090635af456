// Everyone in the lobby, and those one has written with: talk to them, invite them, look at their games.

import { signal } from "@preact/signals";
import { me } from "../../net/connection";
import { gameName, t } from "../../net/i18n";
import { directMessages, games, people, tell } from "../../net/lobby";
import { request } from "../../net/requests";
import { withFriend } from "../../net/start";
import type { PersonInfo } from "../../net/types";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { Menu } from "../../ui/Menu";
import { Name } from "../../ui/Name";
import { PersonActions } from "../../ui/PersonActions";
import { DirectMessages } from "./DirectMessages";

/** Whom one is talking with. */
export const talking = signal<PersonInfo | null>(null);

/** Open a room, sit down there and invite someone. */
async function challenge(person: PersonInfo, game: string): Promise<void> {
  if ((await withFriend({ game })) && (await request("send invitation", { to: person.id }))) tell(t("people.invited", { name: person.name }));
}

export function PeopleList() {
  if (talking.value)
    return (
      <DirectMessages
        person={talking.value}
        back={() => {
          talking.value = null;
        }}
      />
    );
  const here = people.value,
    own = me.value?.id;
  const gone = Object.values(directMessages.value)
    .map((each) => each.person)
    .filter((person) => !here.some((other) => other.id === person.id));
  const others = [...here.filter((person) => person.id !== own), ...gone].sort(
    (one, other) => (directMessages.value[other.id]?.unread ?? 0) - (directMessages.value[one.id]?.unread ?? 0),
  );
  return (
    <>
      <ul class="people">
        {me.value?.name && (
          <li>
            <Name person={me.value} rating />
            <span class="hint">{t("lobby.you")}</span>
            <a class="button" href={`/people/${me.value.id}`} aria-label={t("lobby.own_games")} title={t("lobby.own_games")}>
              <Icon name="list" />
            </a>
          </li>
        )}
        {others.map((person) => (
          <PersonRow key={person.id} person={person} here={!gone.includes(person)} />
        ))}
      </ul>
      {others.length === 0 && <Empty icon="people" text={t("lobby.nobody")} />}
    </>
  );
}

function PersonRow({ person, here }: { person: PersonInfo; here: boolean }) {
  const unread = directMessages.value[person.id]?.unread ?? 0;
  return (
    <li class={here ? "" : "gone"}>
      <Name person={person} rating />
      {unread > 0 && (
        <button
          type="button"
          class="unread"
          onClick={() => {
            talking.value = person;
          }}
        >
          <span class="badge">{unread}</span>
          <span class="unseen">{t("lobby.unread", { n: unread, name: person.name })}</span>
        </button>
      )}
      <Menu label={t("lobby.choices", { name: person.name })} face={<Icon name="more" />} kind="right">
        <button
          type="button"
          class="item"
          onClick={() => {
            talking.value = person;
          }}
        >
          <Icon name="chat" />
          {t("lobby.write")}
        </button>
        <a class="button item" href={`/people/${person.id}`}>
          <Icon name="list" />
          {t("lobby.look")}
        </a>
        <PersonActions person={person} />
        {here && (
          <label class="field">
            {t("lobby.challenge")}
            <select value="" onChange={(event) => void challenge(person, event.currentTarget.value)}>
              <option value="" disabled>
                {t("lobby.which")}
              </option>
              {Object.keys(games.value ?? {}).map((name) => (
                <option key={name} value={name}>
                  {gameName(name)}
                </option>
              ))}
            </select>
          </label>
        )}
      </Menu>
    </li>
  );
}
