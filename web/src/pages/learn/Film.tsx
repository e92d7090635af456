// A picture inside a text: one position, or a few that follow each other again and again while someone looks.

import { useEffect, useState } from "preact/hooks";
import { calm } from "../../board/motion";
import { Picture } from "../../board/Picture";
import type { Scene } from "../../net/scenes";
import { useAwake } from "../../ui/awake";

const PACE = 1800; // milliseconds

export function Film({ scenes, game, label }: { scenes: Scene[]; game: string; label: string }) {
  const [at, setAt] = useState(scenes.length - 1); // still, one sees what became of it
  const [host, awake] = useAwake();
  useEffect(() => {
    if (!awake || scenes.length < 2 || calm()) return;
    const timer = setInterval(() => setAt((now) => (now + 1) % scenes.length), PACE);
    return () => clearInterval(timer);
  }, [awake, scenes]);
  const scene = scenes[at];
  return (
    <div class="film" ref={host}>
      {scene && <Picture scene={scene} game={game} label={label} />}
    </div>
  );
}
