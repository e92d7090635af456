// Games in progress that can be watched.

import { t } from "../i18n";
import { RoomList } from "../parts/RoomList";
import { rooms } from "../store";

export function Watch() {
  const open = (rooms.value ?? []).filter((room) => room.playing && room.settings.spectators && !room.locked);
  return <main id="main" class="page"><h1>{t("watch.title")}</h1><RoomList rooms={open} empty={t("watch.empty")} /></main>;
}
