// The games one has not finished: the way back to each.

import { DOT, dotted } from "../../lib/dot";
import { me } from "../../net/connection";
import { gameName, t } from "../../net/i18n";
import { gameInfo, rooms } from "../../net/lobby";
import type { RoomLine } from "../../net/types";
import { Icon } from "../../ui/Icon";
import { LiveBoard } from "../../ui/LiveBoard";
import { playerName } from "../../ui/Name";
import { ContinueHere, running } from "./Kept";

/** Whether one plays there oneself. */
export const isMine = (room: RoomLine): boolean => room.playing && me.value !== null && room.ids.includes(me.value.id);

export function Continue() {
  const own = (rooms.value ?? []).filter(isMine),
    here = running();
  if (!own.length && !here.length) return null;
  return (
    <ul class="continue">
      {here.map((game) => (
        <li key={game.id} class="here">
          <ContinueHere game={game} />
        </li>
      ))}
      {own.map((room) => (
        <li key={room.id}>
          <a class="card" href={room.link}>
            <LiveBoard room={room} />
            <span class="continue-text">
              <b>{t("front.continue")}</b>
              <span>
                {gameName(room.game)}
                {DOT}
                {dotted(room.seats.filter((_, seat) => room.ids[seat] !== me.value?.id).map(playerName)) || t("front.screen")}
              </span>
              {gameInfo(room.game)?.leaving === "resigns" && <span class="warns">{t("front.resigns")}</span>}
            </span>
            <Icon name="right" />
          </a>
        </li>
      ))}
    </ul>
  );
}
