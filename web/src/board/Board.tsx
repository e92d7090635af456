// A board that one plays on: pointer, finger and keyboard walk the click sequences; what is about to happen is shown first.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { afterPaint } from "../lib/afterpaint";
import { useEscape } from "../lib/escape";
import { find, gameName, gameWords, say, t, words } from "../net/i18n";
import type { Scene } from "../net/scenes";
import type { Piece, Place, SentScene } from "../net/types";
import type { Note } from "./draw";
import { beside, layer, layers, nearest } from "./focus";
import { frame, outside } from "./frame";
import { pick } from "./pick";
import { turned, turnedGhost } from "./side";
import { BoardView, briefly } from "./view";
import { type Clicks, Walker } from "./walker";

/** An action that is not finished: the places pointed at, the kind of places that was chosen to be shown, and whether a finger is to say yes. */
export interface Plan {
  path: string[];
  mode: string | null;
  aimed: boolean;
}

interface Props {
  game: string;
  scene: Scene;
  /** The legal actions of the one who plays here; null or left out: nothing can be played. */
  clicks?: Clicks | null;
  seat?: number | null;
  /** The seats of one's own, as in "0 1": what they are to reach is marked. */
  mine?: string;
  /** Whether the board is seen from its upper side. */
  flipped?: boolean;
  /** Someone else's unfinished action. */
  draft?: { seat: number; clicks: string[] } | null;
  /** What is written at places. */
  notes?: readonly Note[];
  /** An action to show as a suggestion. */
  suggested?: string | null;
  stale?: boolean;
  /** What those who sit at the board are called; without it, the seats' own names. */
  called?: (seat: number) => string;
  onPlay?: (action: string) => void;
  onDraft?: (places: string[]) => void;
  onRefused?: (places: string[]) => void;
  /** Someone points at the board while there is nothing to play. */
  onIdle?: () => void;
  /** How far an action has come. */
  onPlan?: (plan: Plan) => void;
  preview?: (action: string) => Promise<SentScene | null>;
  /** More about the frame of the board, and what lies over it. */
  frame?: Record<string, unknown>;
  overlay?: ComponentChildren;
  /** What stands in the line below the board while no action is begun. */
  children?: ComponentChildren;
}

const SMALL = new Set(["slot", "handle"]); // a finger aims at these first, and then says yes

export function Board(props: Props) {
  const { game, clicks = null, seat = null, draft = null, mine = "", flipped = false } = props;
  const scene = flipped ? turned(props.scene) : props.scene;
  const host = useRef<HTMLDivElement>(null);
  const now = useRef(props);
  now.current = props;
  const [path, setPath] = useState<string[]>([]);
  const [aimed, setAimed] = useState<string | null>(null);
  const [mode, setMode] = useState<string | null>(null);
  const walker = useMemo(() => new Walker(clicks ?? {}, scene.look.alike), [clicks]);
  walker.path = path;

  const view = useMemo(
    () =>
      new BoardView({
        place: (place) => say(now.current.game, place.say),
        label: (phrase, brief) => say(now.current.game, phrase, briefly(now.current.called, brief)),
        spoken: (place, pieces, target, goal) => spoken(now.current.game, place, pieces, target, goal),
      }),
    [],
  );

  useLayoutEffect(() => {
    host.current?.prepend(view.root);
    view.root.setAttribute("role", "group");
    return () => {
      view.settle();
      view.root.remove();
    };
  }, [view]);
  const keys = useId();
  useLayoutEffect(() => view.root.setAttribute("aria-describedby", keys), [view, keys]);
  useLayoutEffect(() => view.root.setAttribute("aria-label", t("board.label", { game: gameName(game) })), [view, game]);
  useLayoutEffect(() => {
    if (!view.show(scene, mine)) view.write();
  }, [view, scene, mine]); // what is written follows what moves; where nothing moves, it is all there is to see
  useLayoutEffect(() => view.write(), [view, scene.board, props.called, words.value]);
  useLayoutEffect(() => {
    setPath((path) => (path.length ? [] : path));
    setAimed(null);
    setMode(null);
    view.raise(null);
  }, [view, walker]);

  /** What can be pointed at next; while one kind of places is planned, only those. */
  const targets = useMemo(() => {
    const all = walker.targets(path);
    return mode === null || path.length ? all : new Set([...all].filter((id) => scene.board.places.some((place) => place.id === id && place.kind === mode)));
  }, [walker, path, mode, scene.board]);

  useLayoutEffect(() => {
    if (!walker.idle) view.aim(targets, path, seat, mode !== null || path.length > 0);
    else view.aim(new Set(), draft?.clicks ?? [], draft?.seat ?? null, false);
    view.ghost(null);
    afterPaint(`words ${keys}`, () => {
      view.write();
      view.name();
      const first = view.focused ? undefined : enterable(view, targets)[0];
      if (first) view.entrance(first.id);
    });
  }, [view, targets, draft, scene, seat, mine, words.value]);

  useLayoutEffect(() => view.note((props.notes ?? []).filter((note) => walker.goesOn(note.path, path))), [view, walker, scene, props.notes, path]);

  useEffect(() => now.current.onPlan?.({ path, mode, aimed: aimed !== null }), [path, mode, aimed]);

  useEffect(() => {
    const { suggested } = props;
    if (suggested && walker.pathOf(suggested)) void show(suggested);
  }, [props.suggested, walker]);

  // --- what an action would bring ---

  const asked = useRef("");
  async function show(action: string | null): Promise<void> {
    asked.current = action ?? "";
    if (action === null || !now.current.preview) return view.ghost(null);
    const key = `${action}`;
    const made = await now.current.preview(action);
    if (asked.current === key) view.ghost(now.current.flipped ? turnedGhost(made, now.current.scene.board) : made);
  }

  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  function hover(place: Place | null): void {
    const target = place !== null && targets.has(place.id);
    view.raise(target ? place.id : null);
    const action = target ? walker.completes(place.id) : null;
    if ((action ?? "") === asked.current) return;
    clearTimeout(waiting.current);
    if (action === null) void show(null);
    else {
      asked.current = action;
      waiting.current = setTimeout(() => void show(action), 90);
    }
  }

  // --- pointing ---

  function point(id: string, finger: boolean): void {
    if (walker.idle) return now.current.onIdle?.();
    const place = view.places.get(id);
    if (finger && place && SMALL.has(place.kind) && walker.completes(id) !== null && aimed !== id) {
      setAimed(id);
      view.raise(id);
      void show(walker.completes(id));
      return;
    }
    setAimed(null);
    if (mode !== null && !path.length && place?.kind !== "button" && !targets.has(id)) return now.current.onRefused?.([id]);
    const step = walker.point(id);
    if (step.kind === "refused") return now.current.onRefused?.(step.places);
    clearTimeout(waiting.current);
    view.raise(null);
    setMode(null);
    if (step.kind === "play") {
      setPath([]);
      now.current.onPlay?.(step.action);
    } else {
      setPath(walker.path);
      now.current.onDraft?.(walker.path);
      follow(id);
    }
  }

  /** One step back: out of what a finger aims at, the last place, or the kind that is planned. */
  function back(): void {
    view.raise(null);
    void show(null);
    if (aimed) return setAimed(null);
    if (!walker.back()) return setMode(null);
    setPath(walker.path);
    now.current.onDraft?.(walker.path);
  }

  /** Out of everything that was begun. */
  function leave(): void {
    view.raise(null);
    void show(null);
    setAimed(null);
    setMode(null);
    if (!path.length) return;
    setPath([]);
    now.current.onDraft?.([]);
  }

  /** Show all places of a kind, to choose one of them; or no more. */
  function planKind(kind: string): void {
    leave();
    setMode(mode === kind ? null : kind);
  }
  const begun = path.length > 0 || aimed !== null || mode !== null;
  useEscape(begun, leave);

  /** With the keyboard, go to where the next step is. */
  function follow(id: string): void {
    const from = view.places.get(id),
      next = walker.targets();
    if (view.focused === null || !from || next.has(id)) return;
    const places = enterable(view, next),
      target = nearest(places, from.x, from.y);
    if (target) view.focus(target.id);
  }

  const type = useRef("mouse");
  function over(event: PointerEvent): Place | null {
    if (!view.plan) return null;
    const { x, y } = view.at(event.clientX, event.clientY);
    return pick(view.plan, targets, x, y, type.current === "touch" || mode !== null);
  }

  function clicked(event: MouseEvent): void {
    const spot = (event.target as Element).getAttribute("data-place");
    if (event.detail === 0) {
      if (spot) point(spot, false);
      return;
    }
    const place = over(event as PointerEvent);
    if (place) point(place.id, type.current === "touch");
    else if (begun) back();
  }

  // --- the keyboard ---

  function pressed(event: KeyboardEvent): void {
    const id = view.focused,
      here = view.places.get(id ?? "");
    if (id === null || !here || event.ctrlKey || event.metaKey || event.altKey) return;
    const reachable = enterable(view, targets);
    let to: Place | null = null;
    if (event.key.startsWith("Arrow"))
      to =
        beside(
          reachable.filter((place) => layer(place) === layer(here)),
          here,
          event.key,
        ) ?? (["button", "spot", "hand"].includes(layer(here)) ? beside(reachable, here, event.key) : null);
    else if (event.key === "PageDown" || event.key === "PageUp") {
      const all = layers(reachable),
        step = event.key === "PageDown" ? 1 : all.length - 1;
      const next = all[(all.indexOf(layer(here)) + step) % all.length];
      to = nearest(
        reachable.filter((place) => layer(place) === next),
        here.x,
        here.y,
      );
    } else if (event.key === "Home" || event.key === "End") {
      const possible = reachable.filter((place) => targets.has(place.id));
      to = (event.key === "Home" ? possible[0] : possible[possible.length - 1]) ?? null;
    } else if (event.key === "Enter" || event.key === " ") point(id, false);
    else if (event.key === "Backspace") back();
    else return;
    event.preventDefault();
    if (to) {
      view.focus(to.id);
      hover(to);
    }
  }

  const aim = scene.board.places.find((place) => place.id === aimed);
  const plan = useMemo(() => frame(scene.board), [scene.board]);
  const shelf = walker.idle ? [] : scene.board.places.filter((place) => outside(place, plan) && (walker.targets([]).has(place.id) || path.includes(place.id)));
  const kinds =
    walker.idle || path.some((id) => !shelf.some((place) => place.id === id))
      ? []
      : plannable(scene.board.places, walker.targets([])).filter((kind) => find(gameWords(game), `modes.${kind}.name`));

  return (
    <>
      <div class="board-frame" {...props.frame}>
        <div
          style={{ "--ratio": plan.w / plan.h }}
          class={`board-host${props.stale ? " stale" : ""}`}
          ref={host}
          onPointerMove={(event) => {
            if (event.pointerType === "mouse") hover(over(event));
          }}
          onPointerLeave={() => {
            if (!aimed) hover(null);
          }}
          onPointerDown={(event) => {
            type.current = event.pointerType || "mouse";
          }}
          onMouseDown={unfocus}
          onClick={clicked}
          onKeyDown={pressed}
        />
        <p class="unseen" id={keys}>
          {t("board.keys")}
        </p>
        {props.overlay}
      </div>
      <div class="board-line">
        {kinds.map((kind) => (
          <button
            type="button"
            key={kind}
            data-mode={kind}
            class={mode === kind && !aimed ? "main" : "quiet"}
            aria-pressed={mode === kind}
            onClick={() => planKind(kind)}
          >
            {find(gameWords(game), `modes.${kind}.name`)}
          </button>
        ))}
        {shelf.map((place) => (
          <button
            type="button"
            key={place.id}
            data-place={place.id}
            class={path.includes(place.id) && !aimed ? "main" : "quiet"}
            aria-pressed={path.includes(place.id)}
            onClick={() => point(place.id, false)}
          >
            {say(game, place.say)}
          </button>
        ))}
        {begun && (
          <button type="button" class="quiet back" onClick={back}>
            {t(aimed ? "board.cancel" : path.length ? "board.back" : "board.leave")}
          </button>
        )}
        {aimed && (
          <button type="button" class="main yes" onClick={() => point(aimed, true)}>
            {t("board.do", { what: aim ? say(game, aim.say) : "" })}
          </button>
        )}
        {!begun && props.children}
      </div>
    </>
  );
}

/** The kinds of places that are too many to be shown among others that one may begin with: those are shown when they are planned. */
function plannable(places: Place[], targets: Set<string>): string[] {
  const kinds = new Set(places.filter((place) => targets.has(place.id)).map((place) => place.kind));
  return kinds.has("slot") && kinds.size > 1 ? ["slot"] : [];
}

/** Pointing is not walking there with the keyboard: the arrows stay free for looking back. */
function unfocus(event: MouseEvent): void {
  event.preventDefault();
  (document.activeElement as HTMLElement | null)?.blur();
}

/** The places that the keyboard can reach: all but buttons and corners that are of no use now. */
function enterable(view: BoardView, targets: Set<string>): Place[] {
  const places = [...view.places.values()].filter((place) => !outside(place, view.frame));
  const found = places.filter((place) => targets.has(place.id) || !["button", "handle"].includes(place.kind));
  return found.sort((one, other) => Number(targets.has(other.id)) - Number(targets.has(one.id)));
}

function spoken(game: string, place: Place, pieces: Piece[], target: boolean, goal: boolean): string {
  const here = pieces.map((piece) => (piece.say ? say(game, piece.say) : "")).filter(Boolean);
  return [say(game, place.say), ...here, ...(goal ? [t("board.goal")] : []), ...(target ? [t("board.possible")] : [])].join(", ");
}
