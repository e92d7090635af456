// A small board of a game that is being played: asks every few seconds whether something has happened, while someone looks.

import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture";
import { get } from "../net/connection";
import { gameName, t } from "../net/i18n";
import { complete, type Scene } from "../net/scenes";
import type { RoomLine } from "../net/types";
import { useAwake } from "./awake";

const EVERY = 4000;

export function LiveBoard({ room }: { room: RoomLine }) {
  const [scene, setScene] = useState<Scene | null>(null);
  const [host, awake] = useAwake();
  const ply = useRef(-1);
  useEffect(() => {
    if (!awake) return;
    let here = true;
    async function look(): Promise<void> {
      try {
        const told = await get<{ ply: number; scene?: Scene }>(`/api/rooms/${room.id}/scene?since=${ply.current}`);
        if (!here || !told.scene) return;
        ply.current = told.ply;
        const next = told.scene;
        setScene((before) => complete(next, before?.board));
      } catch {
        /* it has just ended, or the line is down: the last position stays */
      }
    }
    void look();
    const timer = setInterval(() => void look(), EVERY);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [room.id, awake]);
  return (
    <div class="living" ref={host}>
      {scene ? <Picture scene={scene} game={room.game} label={t("watch.picture", { game: gameName(room.game) })} /> : <div class="skeleton-part square" />}
    </div>
  );
}
