// A living picture of a game: its demo, one position after the other while someone looks.

import { useEffect, useRef, useState } from "preact/hooks";
import { Picture } from "../board/Picture";
import { calm } from "../board/motion";
import { gameName, t } from "../i18n";
import { demo } from "../scenes";
import type { Scene } from "../types";

const BEGIN = 0.45; // of the demo: a position where one sees what the game is

/** Whether an element can be seen right now. */
function useSeen(): [(node: HTMLElement | null) => void, boolean] {
  const [seen, setSeen] = useState(false);
  const watcher = useRef<IntersectionObserver | null>(null);
  const attach = useRef((node: HTMLElement | null): void => {
    watcher.current?.disconnect();
    if (!node) return;
    watcher.current = new IntersectionObserver((entries) => setSeen(entries[entries.length - 1].isIntersecting));
    watcher.current.observe(node);
  });
  return [attach.current, seen];
}

export function Living({ game, pace = 2200 }: { game: string; pace?: number }) {
  const [scenes, setScenes] = useState<Scene[] | null>(null);
  const [at, setAt] = useState(0);
  const [host, seen] = useSeen();
  useEffect(() => {
    let here = true;
    setScenes(null);
    demo(game).then((found) => {
      if (!here || !found.length) return;
      setScenes(found);
      setAt(Math.floor(found.length * BEGIN));
    }, () => undefined);
    return () => { here = false; };
  }, [game]);
  useEffect(() => {
    if (!scenes || !seen || calm()) return;
    const timer = setInterval(() => { if (document.visibilityState === "visible") setAt((before) => (before + 1) % scenes.length); }, pace);
    return () => clearInterval(timer);
  }, [scenes, seen, pace]);
  return (
    <div class="living" ref={host}>
      {scenes ? <Picture scene={scenes[Math.min(at, scenes.length - 1)]} label={t("front.picture", { game: gameName(game) })} /> : <div class="bone square" />}
    </div>
  );
}
