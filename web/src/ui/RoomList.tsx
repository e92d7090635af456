// Rooms, live.

import type { ComponentChildren } from "preact";
import { DOT, dotted } from "../lib/dot";
import { gameName, gameWords, t } from "../net/i18n";
import { gameInfo } from "../net/lobby";
import type { RoomLine, RoomSettings } from "../net/types";
import { Icon } from "./Icon";
import { PlayerName } from "./Name";
import { Skeleton } from "./Skeleton";
import { timeText } from "./TimeChoice";

const empty = (room: RoomLine): number => room.seats.filter((seat) => seat === null).length;

/** Whether someone is there: what everyone has left is not listed. */
export const alive = (room: RoomLine): boolean => room.people > 0;

/** Whether one more player can sit down there. */
export const joinable = (room: RoomLine): boolean => alive(room) && !room.playing && empty(room) > 0;

function range({ lowest, highest }: RoomSettings): string {
  return lowest === null ? `≤ ${highest}` : highest === null ? `≥ ${lowest}` : `${lowest}–${highest}`;
}

/** What is unusual about a room: its clock, whether it counts, options other than the plain ones. */
export function facts(room: RoomLine): string {
  const words = gameWords(room.game);
  const changed = (gameInfo(room.game)?.options ?? []).filter(
    (option) => room.options[option.name] !== undefined && room.options[option.name] !== option.default,
  );
  return dotted([
    timeText(room.settings.time),
    room.settings.rated ? t("room.rated") : t("room.unrated"),
    ...changed.map((option) => {
      const value = room.options[option.name],
        told = words?.options[option.name];
      const shown = told?.values?.[String(value)] ?? (typeof value === "boolean" ? (value ? t("form.yes") : t("form.no")) : String(value));
      return `${told?.name ?? option.name}: ${shown}`;
    }),
    ...(room.settings.lowest !== null || room.settings.highest !== null ? [t("rooms.range", { range: range(room.settings) })] : []),
  ]);
}

function State({ room }: { room: RoomLine }) {
  if (room.playing) return <span class="state playing">{room.settings.spectators ? t("rooms.playing") : t("rooms.closed")}</span>;
  return empty(room) ? <span class="state open">{t("rooms.open", { n: empty(room) })}</span> : <span class="state full">{t("rooms.full")}</span>;
}

export function RoomList({ rooms, empty: nothing }: { rooms: RoomLine[] | null; empty: ComponentChildren }) {
  if (!rooms) return <Skeleton />;
  if (!rooms.length) return <>{nothing}</>;
  return (
    <ul class="rooms">
      {rooms.map((room) => (
        <li key={room.id}>
          <a class="card room" href={room.link}>
            <span class="room-top">
              <b>{gameName(room.game)}</b>
              {room.locked && (
                <span class="locked" title={t("rooms.locked")}>
                  <Icon name="lock" />
                  <span class="unseen">{t("rooms.locked")}</span>
                </span>
              )}
              <span class="air" />
              <State room={room} />
            </span>
            <span class="sitters">
              {room.seats.map((seat, index, all) => (
                <PlayerName key={index} called={seat} index={index} all={all} id={room.ids[index]} />
              ))}
            </span>
            <small>
              {facts(room)}
              {room.people > 0 && (
                <>
                  {DOT}
                  {t("rooms.people", { n: room.people })}
                </>
              )}
            </small>
          </a>
        </li>
      ))}
    </ul>
  );
}
