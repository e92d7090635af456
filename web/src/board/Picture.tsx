// A board to look at: no places to point at, nothing to say but what it is.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Scene } from "../types";
import { frame } from "./frame";
import { BoardView } from "./view";

export function Picture({ scene, label }: { scene: Scene; label: string }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useMemo(() => new BoardView({ place: () => "", spoken: () => "" }, false), []);
  useLayoutEffect(() => {
    host.current!.append(view.root);
    view.root.setAttribute("role", "img");
    return () => {
      view.settle();
      view.root.remove();
    };
  }, [view]);
  useLayoutEffect(() => view.root.setAttribute("aria-label", label), [view, label]);
  useLayoutEffect(() => view.show(scene), [view, scene]);
  const { w, h } = useMemo(() => frame(scene.board), [scene.board]);
  return <div class="board-host picture" style={{ "--ratio": w / h }} ref={host} />;
}
