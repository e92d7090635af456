// The lobby: rooms, people, chat. Three columns where there is room for them, tabs where there is not.

import { useState } from "preact/hooks";
import { remembered } from "../../lib/memory";
import { gameName, t } from "../../net/i18n";
import { chat, directMessages, games, lobby, people, rooms } from "../../net/lobby";
import { attempt, newRoom } from "../../net/start";
import type { RoomLine } from "../../net/types";
import { Chat } from "../../ui/Chat";
import { Dialog } from "../../ui/Dialog";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { Matchmaking } from "../../ui/Matchmaking";
import { PLAIN, RoomForm } from "../../ui/RoomForm";
import { alive, joinable, RoomList } from "../../ui/RoomList";
import { type Tab, Tabs } from "../../ui/Tabs";
import { useTitle } from "../../ui/title";
import { JoinById } from "./JoinById";
import { PeopleList, talking } from "./PeopleList";
import { useMedia } from "./wide";

/** The rooms where someone is. */
const living = (): RoomLine[] => (rooms.value ?? []).filter(alive);

export function Lobby() {
  useTitle(t("lobby.title"));
  const [making, setMaking] = useState(false);
  const [tab, setTab] = useState("rooms");
  const wide = useMedia("(min-width: 1100px)"),
    middle = useMedia("(min-width: 700px)");
  const unread = Object.values(directMessages.value).reduce((sum, each) => sum + each.unread, 0);
  const rest: Tab[] = [
    { key: "chat", label: t("lobby.chat"), icon: "chat", panel: () => <LobbyChat /> },
    { key: "people", label: t("lobby.people", { n: people.value.length }), icon: "people", badge: unread, panel: () => <PeopleList /> },
  ];
  const all: Tab[] = [
    { key: "rooms", label: t("lobby.rooms", { n: living().length }), icon: "list", panel: () => <Rooms make={() => setMaking(true)} /> },
    ...rest,
  ];
  const tabs = middle ? rest : all;
  return (
    <main id="main" class="page lobby">
      <div class="lobby-head">
        <h1>{t("lobby.title")}</h1>
        <span class="air" />
        <JoinById />
        <button type="button" class="main" onClick={() => setMaking(true)}>
          {t("lobby.make")}
        </button>
      </div>
      <Matchmaking />
      <div class={`lobby-columns ${wide ? "wide" : middle ? "middle" : "slim"}`}>
        {middle && (
          <section class="stack" aria-label={t("lobby.rooms", { n: living().length })}>
            <Rooms make={() => setMaking(true)} />
          </section>
        )}
        {wide && (
          <section class="card column" aria-labelledby="lobby-chat">
            <h2 id="lobby-chat">{t("lobby.chat")}</h2>
            <LobbyChat />
          </section>
        )}
        {wide && (
          <section class="card column" aria-labelledby="lobby-people">
            <h2 id="lobby-people">{talking.value ? t("lobby.talk") : t("lobby.people", { n: people.value.length })}</h2>
            <PeopleList />
            {!talking.value && (
              <a class="button quiet" href="/best">
                {t("best.title")}
              </a>
            )}
          </section>
        )}
        {!wide && (
          <div class="card column tabbed">
            <Tabs tabs={tabs} open={tabs.some((each) => each.key === tab) ? tab : "chat"} choose={setTab} label={t("lobby.title")} />
          </div>
        )}
      </div>
      {making && <NewRoom close={() => setMaking(false)} />}
    </main>
  );
}

function LobbyChat() {
  return <Chat messages={chat.value} send={async (msg) => (await attempt("", () => lobby.call("send msg", { msg }))) !== null} empty={t("lobby.chat_empty")} />;
}

function NewRoom({ close }: { close: () => void }) {
  const known = Object.keys(games.value ?? {}),
    last = remembered("game"),
    game = known.find((name) => name === last) ?? known[0];
  if (game === undefined) return null;
  return (
    <Dialog title={t("lobby.make")} close={close}>
      <RoomForm
        first={{ game, options: {}, settings: PLAIN }}
        fresh
        submit={(chosen) => void newRoom({ ...chosen, password: chosen.password || undefined })}
        label={t("lobby.make_go")}
      />
    </Dialog>
  );
}

function Rooms({ make }: { make: () => void }) {
  const [game, setGame] = useState("");
  const [open, setOpen] = useState(false);
  const shown =
    rooms.value
      ?.filter((room) => alive(room) && (!game || room.game === game) && (!open || joinable(room)))
      .sort((one, other) => Number(joinable(other)) - Number(joinable(one))) ?? null;
  return (
    <>
      <div class="sieve">
        <select value={game} aria-label={t("form.game")} onChange={(event) => setGame(event.currentTarget.value)}>
          <option value="">{t("lobby.any_game")}</option>
          {Object.keys(games.value ?? {}).map((name) => (
            <option key={name} value={name}>
              {gameName(name)}
            </option>
          ))}
        </select>
        <label class="switch">
          <input type="checkbox" checked={open} onChange={(event) => setOpen(event.currentTarget.checked)} />
          <span>{t("lobby.only_open")}</span>
        </label>
      </div>
      <RoomList
        rooms={shown}
        empty={
          <Empty icon="list" text={living().length ? t("lobby.none_like_this") : t("lobby.no_rooms")}>
            <button type="button" class="main" onClick={make}>
              {t("lobby.make")}
            </button>
            <a class="button quiet" href="/">
              <Icon name="bot" />
              {t("front.computer")}
            </a>
          </Empty>
        }
      />
    </>
  );
}
