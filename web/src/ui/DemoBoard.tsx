// Pictures of a game: a still one at once, and a living one that plays its demo while someone looks.

import { useEffect, useState } from "preact/hooks";
import { calm } from "../board/motion";
import { Picture } from "../board/Picture";
import { own } from "../lib/own";
import { gameName, t } from "../net/i18n";
import { demo, type Scene, stills } from "../net/scenes";
import { useAwake } from "./awake";

const PACE = 2400; // milliseconds

function useStill(game: string): Scene | undefined {
  const [all, setAll] = useState<Record<string, Scene>>({});
  useEffect(() => {
    stills().then(setAll, () => undefined);
  }, []);
  return own(all, game);
}

const SkeletonBoard = () => <div class="skeleton-part square" />;

/** One position. */
export function Still({ game }: { game: string }) {
  const scene = useStill(game);
  return <div class="living">{scene ? <Picture scene={scene} game={game} label={t("front.picture", { game: gameName(game) })} /> : <SkeletonBoard />}</div>;
}

/** The still picture first; then, from that position on, the demo. It sleeps while nobody looks. */
export function DemoBoard({ game }: { game: string }) {
  const still = useStill(game);
  const [film, setFilm] = useState<{ scenes: Scene[]; at: number } | null>(null);
  const [host, awake] = useAwake();
  const moving = awake && !calm();
  useEffect(() => {
    if (!moving || film || !still) return;
    let here = true;
    demo(game).then(
      (scenes) => {
        const look = JSON.stringify(still.look);
        if (here && scenes.length > 1)
          setFilm({
            scenes,
            at: Math.max(
              0,
              scenes.findIndex((scene) => JSON.stringify(scene.look) === look),
            ),
          });
      },
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [game, moving, film, still]);
  useEffect(() => {
    if (!film || !moving) return;
    const timer = setInterval(() => setFilm((now) => now && { ...now, at: (now.at + 1) % now.scenes.length }), PACE);
    return () => clearInterval(timer);
  }, [film === null, moving]);
  const scene = film ? film.scenes[film.at] : still;
  return (
    <div class="living" ref={host} data-moves={moving && film !== null} data-at={film?.at}>
      {scene ? <Picture scene={scene} game={game} label={t("front.picture", { game: gameName(game) })} /> : <SkeletonBoard />}
    </div>
  );
}
