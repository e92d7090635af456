// Games that are being played, each with its board as it stands now.

import { gameName, t } from "../i18n";
import type { RoomLine } from "../types";
import { Empty } from "./Empty";
import { LiveBoard } from "./LiveBoard";
import { Sitter } from "./Name";
import { facts } from "./RoomList";

/** Whether anyone may look on. */
export const watchable = (room: RoomLine): boolean => room.playing && room.settings.spectators && !room.locked;

export function WatchList({ rooms }: { rooms: RoomLine[] | null }) {
  if (!rooms) return <ul class="watching" aria-busy="true">{[1, 2, 3].map((each) => <li class="card" key={each}><div class="bone square" /></li>)}</ul>;
  if (!rooms.length) return <Empty icon="eye" text={t("watch.empty")} />;
  return (
    <ul class="watching">
      {rooms.map((room) => (
        <li key={room.id}>
          <a class="card watched" href={room.link}>
            <LiveBoard room={room} />
            <b>{gameName(room.game)}</b>
            <span class="sitters">{room.seats.map((seat, index, all) => <Sitter key={index} called={seat} index={index} all={all} id={room.ids[index]} />)}</span>
            <small>{facts(room)}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
