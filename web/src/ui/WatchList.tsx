// Games that are being played, each with its board as it stands now.

import { gameName, t } from "../net/i18n";
import type { RoomLine } from "../net/types";
import { Empty } from "./Empty";
import { LiveBoard } from "./LiveBoard";
import { PlayerName } from "./Name";
import { alive, facts } from "./RoomList";

/** Whether anyone may look on. */
export const watchable = (room: RoomLine): boolean => alive(room) && room.playing && room.settings.spectators && !room.locked;

const computers = (room: RoomLine): number => room.seats.filter((seat) => seat?.startsWith("bot ")).length;

/** What is worth watching comes first: people before computer players, then where many look on, then strong players, then the newest. */
export function worth(one: RoomLine, other: RoomLine): number {
  return (
    computers(one) - computers(other) ||
    (other.watchers ?? 0) - (one.watchers ?? 0) ||
    (other.rating ?? 0) - (one.rating ?? 0) ||
    (other.since ?? 0) - (one.since ?? 0)
  );
}

export function WatchList({ rooms }: { rooms: RoomLine[] | null }) {
  if (!rooms)
    return (
      <ul class="watching" aria-busy="true">
        {[1, 2, 3].map((each) => (
          <li class="card" key={each}>
            <div class="skeleton-part square" />
          </li>
        ))}
      </ul>
    );
  if (!rooms.length) return <Empty icon="eye" text={t("watch.empty")} />;
  return (
    <ul class="watching">
      {rooms.map((room) => (
        <li key={room.id}>
          <a class="card watched" href={room.link}>
            <LiveBoard room={room} />
            <b>{gameName(room.game)}</b>
            <span class="sitters">
              {room.seats.map((seat, index, all) => (
                <PlayerName key={index} called={seat} index={index} all={all} id={room.ids[index]} />
              ))}
            </span>
            <small>{facts(room)}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
