// A text of one's own for an option of a game: typed, pasted, or drawn by the rules. The server reads it and says what is wrong with it.

import { useEffect, useId, useState } from "preact/hooks";
import { Board } from "../board/Board";
import { Picture } from "../board/Picture";
import type { Clicks } from "../board/walker";
import { ask, Refused } from "../net/connection";
import type { Option } from "../net/http";
import { gameName, gameWords, refusalText, t } from "../net/i18n";
import type { Scene } from "../net/scenes";
import type { Refusal } from "../net/types";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";

export interface OwnTextProps {
  game: string;
  option: Option;
  value: string;
  change: (value: string) => void;
}
const at = (game: string, option: Option, verb: string): string => `/api/games/${encodeURIComponent(game)}/options/${encodeURIComponent(option.name)}/${verb}`;

export function OwnText({ game, option, value, change }: OwnTextProps) {
  const [text, setText] = useState(value);
  const [read, setRead] = useState<{ text: string; scene: Scene | null; wrong: string }>({ text: "", scene: null, wrong: "" });
  const [drawing, setDrawing] = useState(false);
  const id = useId();
  useEffect(() => {
    const wanted = text.trim();
    if (!wanted) return setRead({ text: "", scene: null, wrong: "" });
    let here = true;
    const timer = setTimeout(
      () =>
        void ask<{ value: string; scene: Scene }>("POST", at(game, option, "read"), { value: wanted }).then(
          (told) => {
            if (here) {
              setRead({ text: told.value, scene: told.scene, wrong: "" });
              change(told.value);
            }
          },
          (wrong) => {
            if (here) setRead({ text: "", scene: null, wrong: wrong instanceof Refused ? refusalText(game, wrong.refusal) : t("lost.broken") });
          },
        ),
      200,
    );
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [game, option.name, text]);
  return (
    <div class="own-text stack">
      <label class="field">
        {t("form.own_text")}
        <textarea
          rows={3}
          value={text}
          spellcheck={false}
          autocomplete="off"
          aria-describedby={id}
          aria-invalid={read.wrong !== ""}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p id={id} class={read.wrong ? "wrong" : "hint"} role="status">
        {read.wrong || (read.scene ? t("form.own_good") : t("form.own_help"))}
      </p>
      {read.scene && (
        <div class="own-picture">
          <Picture scene={read.scene} label={gameName(game)} />
        </div>
      )}
      {option.laid && (
        <button type="button" class="quiet" onClick={() => setDrawing(true)}>
          {t("form.own_draw")}
        </button>
      )}
      {drawing && (
        <Drawing
          game={game}
          option={option}
          close={() => setDrawing(false)}
          done={(drawn) => {
            setDrawing(false);
            setText(drawn);
          }}
        />
      )}
    </div>
  );
}

interface Drawn {
  value: string | null;
  steps: string[][];
  scene: Scene;
  clicks: Clicks;
  why?: Refusal;
}

/** Drawn as players would lay it, step by step. */
function Drawing({ game, option, close, done }: { game: string; option: Option; close: () => void; done: (value: string) => void }) {
  const [actions, setActions] = useState<string[]>([]);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [wrong, setWrong] = useState("");
  const tell = (fault: unknown): void => setWrong(fault instanceof Refused ? refusalText(game, fault.refusal) : t("lost.broken"));
  async function go(next: string[]): Promise<void> {
    setWrong("");
    try {
      setDrawn(await ask<Drawn>("POST", at(game, option, "draw"), { actions: next }));
      setActions(next);
    } catch (fault) {
      tell(fault);
    }
  }
  useEffect(() => void go([]), []);
  /** Pointing at what lies takes it off; else, why not there. */
  async function why(clicks: string[]): Promise<void> {
    const [place, another] = clicks;
    const lying = place !== undefined && another === undefined ? drawn?.steps.findIndex((places) => places.includes(place)) : undefined;
    if (lying !== undefined && lying >= 0) return go(actions.filter((_, step) => step !== lying));
    const told = await ask<Drawn>("POST", at(game, option, "draw"), { actions, clicks }).catch(() => null);
    if (told?.why) setWrong(refusalText(game, told.why));
  }
  const words = gameWords(game)?.options?.[option.name];
  return (
    <Dialog title={t("form.own_title", { name: words?.name ?? option.name })} close={close}>
      <div class="stack drawing">
        {drawn ? (
          <Board
            game={game}
            scene={drawn.scene}
            clicks={drawn.clicks}
            seat={0}
            onPlay={(action) => void go([...actions, action])}
            onRefused={(places) => void why(places)}
            frame={{ "data-steps": actions.length }}
          >
            <button type="button" class="quiet" aria-disabled={!actions.length} onClick={() => void go(actions.slice(0, -1))}>
              <Icon name="undo" />
              {t("form.own_back")}
            </button>
            <button type="button" class="quiet" aria-disabled={!actions.length} onClick={() => void go([])}>
              {t("form.own_clear")}
            </button>
          </Board>
        ) : (
          <div class="skeleton-board" />
        )}
        <p class={wrong ? "wrong" : "hint"} role="status">
          {wrong || (drawn?.value ? t("form.own_whole") : t("form.own_steps", { n: actions.length }))}
        </p>
        <button type="button" class="main" aria-disabled={!drawn?.value} onClick={() => drawn?.value && done(drawn.value)}>
          {t("form.own_use")}
        </button>
      </div>
    </Dialog>
  );
}
