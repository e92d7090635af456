// Going through a series of positions: buttons, a slider, playing by itself.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Picture } from "../board/Picture";
import { t } from "../net/i18n";
import type { Scene } from "../net/scenes";
import { Icon, type IconName } from "./Icon";

export interface Steps {
  at: number;
  last: number;
  to: (at: number) => void;
  running?: boolean;
  /** Where positions can play by themselves. */
  run?: (running: boolean) => void;
}

const PACE = 1300;

/** Where one is among so many positions, and how to go on. */
export function useSteps(count: number, first = 0): Steps {
  const [at, setAt] = useState(first);
  const [running, setRunning] = useState(false);
  const last = Math.max(0, count - 1);
  useEffect(() => {
    if (!running) return;
    if (at >= last) return setRunning(false);
    const timer = setTimeout(() => setAt(Math.min(last, at + 1)), PACE);
    return () => clearTimeout(timer);
  }, [running, at, last]);
  return {
    at: Math.min(at, last),
    last,
    running,
    to: (wanted) => {
      setRunning(false);
      setAt(Math.max(0, Math.min(last, wanted)));
    },
    run: (wanted) => {
      if (wanted && at >= last) setAt(0);
      setRunning(wanted);
    },
  };
}

/** Arrows, Home, End and the space bar. */
export function useKeys({ at, last, to, running, run }: Steps): void {
  useLayoutEffect(() => {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => to(at - 1),
      ArrowRight: () => to(at + 1),
      Home: () => to(0),
      End: () => to(last),
      ...(run && { " ": () => run(!running) }),
    };
    const pressed = (event: KeyboardEvent): void => {
      const on = event.target as HTMLElement;
      if (
        event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        on.closest("input, textarea, select, [role=tablist], .menu, .spot") ||
        (event.key === " " && on.closest("button, a, summary"))
      )
        return;
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });
}

/** `numbers`: the number of each move, where not every step is one. */
export function StepBar({ steps, numbers }: { steps: Steps; numbers?: number[] }) {
  const { at, last, to, running, run } = steps;
  const button = (name: IconName, label: string, act: () => void, disabled = false) => (
    <button type="button" class="quiet" aria-label={label} title={label} aria-disabled={disabled} onClick={act}>
      <Icon name={name} />
    </button>
  );
  return (
    <div class="steps" role="group" aria-label={t("replay.controls")}>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={t("replay.slider")}
        aria-valuetext={t("replay.ply", numbers ? { n: numbers[at - 1] ?? 0, of: numbers[last - 1] ?? 0 } : { n: at, of: last })}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <div class="row">
        {button("first", t("replay.first"), () => to(0), at === 0)}
        {button("left", t("replay.back"), () => to(at - 1), at === 0)}
        {run && (
          <button
            type="button"
            class="main"
            aria-label={running ? t("replay.pause") : t("replay.run")}
            title={running ? t("replay.pause") : t("replay.run")}
            onClick={() => run(!running)}
          >
            <Icon name={running ? "pause" : "play"} />
          </button>
        )}
        {button("right", t("replay.on"), () => to(at + 1), at === last)}
        {button("last", t("replay.last"), () => to(last), at === last)}
      </div>
    </div>
  );
}

/** A picture with its bar, and with what there is to say about where one is. */
export function Playback({ scenes, game, label, captions }: { scenes: Scene[]; game: string; label: string; captions: Map<number, string> }) {
  const steps = useSteps(scenes.length);
  const said = [...captions.keys()].filter((at) => at <= steps.at).pop();
  const scene = scenes[steps.at];
  return (
    <div class="player">
      {scene && <Picture scene={scene} game={game} label={label} />}
      {captions.size > 0 && (
        <p class="told-here" aria-live="polite">
          {said === undefined ? "" : captions.get(said)}
        </p>
      )}
      <StepBar steps={steps} />
    </div>
  );
}
