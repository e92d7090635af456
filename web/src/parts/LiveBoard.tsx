// A small board of a game that is being played: asks every few seconds whether something has happened.

import { useEffect, useState } from "preact/hooks";
import { Picture } from "../board/Picture";
import { gameName, t } from "../i18n";
import { get } from "../net";
import type { RoomLine, Scene } from "../types";

const EVERY = 4000;

export function LiveBoard({ room }: { room: RoomLine }) {
  const [scene, setScene] = useState<Scene | null>(null);
  useEffect(() => {
    let here = true, ply = -1;
    async function look(): Promise<void> {
      if (document.visibilityState !== "visible") return;
      try {
        const told = await get<{ ply: number; scene?: Scene }>(`/api/rooms/${room.id}/scene?since=${ply}`);
        if (!here || !told.scene) return;
        ply = told.ply;
        const next = told.scene;
        // The same board keeps its identity, so that pieces move instead of being laid anew.
        setScene((before) => (before && JSON.stringify(before.board) === JSON.stringify(next.board) ? { ...next, board: before.board } : next));
      } catch { /* it has just ended, or the line is down: the last position stays */ }
    }
    void look();
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [room.id]);
  return <div class="living">{scene ? <Picture scene={scene} label={t("watch.picture", { game: gameName(room.game) })} /> : <div class="bone square" />}</div>;
}
