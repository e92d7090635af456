// A board to look at: no places to point at, nothing to say but what it is.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { say, words } from "../net/i18n";
import type { Scene } from "../net/scenes";
import { frame } from "./frame";
import { BoardView, briefly, type Names } from "./view";

export function Picture({ scene, label, game = "", called }: { scene: Scene; label: string; game?: string; called?: (seat: number) => string }) {
  const host = useRef<HTMLDivElement>(null);
  const now = useRef({ game, called });
  now.current = { game, called };
  const view = useMemo(() => {
    const label: Names["label"] = (phrase, brief) => say(now.current.game, phrase, briefly(now.current.called, brief));
    return new BoardView({ place: () => "", spoken: () => "", label }, false);
  }, []);
  useLayoutEffect(() => {
    host.current?.append(view.root);
    view.root.setAttribute("role", "img");
    return () => {
      view.settle();
      view.root.remove();
    };
  }, [view]);
  useLayoutEffect(() => view.root.setAttribute("aria-label", label), [view, label]);
  useLayoutEffect(() => {
    view.show(scene);
  }, [view, scene]);
  useLayoutEffect(() => view.write(), [view, scene, game, called, words.value]);
  const { w, h } = useMemo(() => frame(scene.board), [scene.board]);
  return <div class="board-host picture" style={{ "--ratio": w / h }} ref={host} />;
}
