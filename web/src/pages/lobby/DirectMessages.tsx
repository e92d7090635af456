// Direct messages with one person.

import { useEffect } from "preact/hooks";
import { me } from "../../net/connection";
import { t } from "../../net/i18n";
import { addDirectMessage, directMessages, lobby, people } from "../../net/lobby";
import { attempt } from "../../net/start";
import type { PersonInfo } from "../../net/types";
import { Chat } from "../../ui/Chat";
import { Icon } from "../../ui/Icon";
import { Name } from "../../ui/Name";

export function DirectMessages({ person, back }: { person: PersonInfo; back: () => void }) {
  const talk = directMessages.value[person.id];
  const unread = talk?.unread ?? 0;
  useEffect(() => {
    const read = directMessages.peek()[person.id];
    if (read?.unread) directMessages.value = { ...directMessages.peek(), [person.id]: { ...read, unread: 0 } };
  }, [person.id, unread]);
  const here = people.value.some((other) => other.id === person.id);
  async function send(msg: string): Promise<boolean> {
    const sent = await attempt("", () => lobby.call("send dm", { to: person.id, msg }));
    if (sent && me.value) addDirectMessage(person, { who: me.value, msg, at: Date.now() }, false);
    return sent !== null;
  }
  return (
    <div class="talk">
      <div class="row">
        <button type="button" class="quiet" aria-label={t("lobby.back")} title={t("lobby.back")} onClick={back}>
          <Icon name="left" />
        </button>
        <Name person={person} rating />
      </div>
      {!here && (
        <p class="hint" role="status">
          {t("lobby.gone", { name: person.name })}
        </p>
      )}
      <Chat messages={talk?.messages ?? []} send={send} empty={t("lobby.talk_empty", { name: person.name })} />
    </div>
  );
}
