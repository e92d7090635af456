// A game from its beginning to its end, with a slider.

import { useEffect, useState } from "preact/hooks";
import { Picture } from "../board/Picture";
import { gameName, t } from "../i18n";
import { get } from "../net";
import type { Scene, SentScene, Told } from "../types";
import { Lost } from "./Lost";

interface Record_ { game: string; actions: Told[]; people: Record<string, string>; scenes: SentScene[] }

/** Every scene with its board. */
export function whole(scenes: SentScene[]): Scene[] {
  let board = scenes[0]?.board;
  return scenes.map((scene) => ({ ...scene, board: (board = scene.board ?? board)! }));
}

export function Replay({ id }: { id: string }) {
  const [record, setRecord] = useState<Record_ | null | undefined>(undefined);
  const [ply, setPly] = useState(0);
  useEffect(() => { get<Record_>(`/api/records/${id}/scenes`).then(setRecord, () => setRecord(null)); }, [id]);
  if (record === null) return <Lost />;
  if (!record) return <main id="main" class="page" aria-busy="true"><div class="skeleton-board" /></main>;
  const scenes = whole(record.scenes);
  return (
    <main id="main" class="page">
      <h1>{gameName(record.game)}</h1>
      <div class="board-frame"><Picture scene={scenes[ply]} label={gameName(record.game)} /></div>
      <label class="field">{t("replay.ply", { n: ply, of: scenes.length - 1 })}<input type="range" min={0} max={scenes.length - 1} value={ply} onInput={(event) => setPly(Number(event.currentTarget.value))} /></label>
    </main>
  );
}
