// The lobby: people, rooms, chat.

import { t } from "../i18n";
import { Chat } from "../parts/Chat";
import { Name } from "../parts/Name";
import { RoomList } from "../parts/RoomList";
import { chat, lobby, people, rooms } from "../store";

export function Lobby() {
  return (
    <main id="main" class="page">
      <h1>{t("lobby.title")}</h1>
      <RoomList rooms={rooms.value ?? []} empty={t("lobby.no_rooms")} />
      <ul class="people">{people.value.map((person) => <li key={person.id}><Name person={person} rating /></li>)}</ul>
      <Chat messages={chat.value} send={(msg) => lobby.call("send msg", { msg })} empty={t("chat.empty")} />
    </main>
  );
}
