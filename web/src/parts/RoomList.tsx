// Rooms, live.

import { gameName, t } from "../i18n";
import type { RoomLine } from "../types";
import { Icon } from "./Icon";
import { timeText } from "./TimeChoice";

export function RoomList({ rooms, empty }: { rooms: RoomLine[]; empty: string }) {
  if (!rooms.length) return <p class="empty">{empty}</p>;
  return (
    <ul class="rooms">
      {rooms.map((room) => (
        <li class="card" key={room.id}>
          <a href={room.link}>
            <b>{gameName(room.game)}</b>{room.locked && <Icon name="lock" />}
            <span>{room.seats.map((seat) => (seat === null ? t("seat.empty") : seat.startsWith("bot ") ? t("seat.bot", { level: seat.slice(4) }) : seat)).join(" · ")}</span>
            <small>{timeText(room.settings.time)} · {room.playing ? t("rooms.playing") : t("rooms.open")}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
