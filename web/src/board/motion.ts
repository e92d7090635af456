// Movements of 150 to 450 ms. Each can be ended at once: the function that comes back does it, and nothing once the movement has ended by itself.

import type { Motion, Piece } from "../net/types";
import { n } from "./draw";
import { dress } from "./make";

const SVG = "http://www.w3.org/2000/svg";
const EASE = "cubic-bezier(.2,.7,.2,1)";

let reduced: MediaQueryList | undefined; // asked for once, it keeps itself up to date

export function calm(): boolean {
  if (typeof matchMedia === "function") reduced ??= matchMedia("(prefers-reduced-motion: reduce)");
  return reduced?.matches ?? false;
}

type End = () => void;

const at = (x: number, y: number, more = ""): string => `translate(${n(x)}px,${n(y)}px)${more}`;

function run(node: Element, frames: Keyframe[], duration: number, delay = 0, done?: End): End {
  if (typeof node.animate !== "function") {
    done?.();
    return () => undefined;
  }
  const animation = node.animate(frames, { duration, delay, easing: EASE, fill: delay ? "backwards" : "none" });
  let over = false;
  const finish = (): void => {
    over = true;
    done?.();
  };
  animation.onfinish = finish;
  return () => {
    if (over) return;
    animation.onfinish = null;
    animation.cancel();
    finish();
  };
}

/** From where it was to where it stands. */
export function slideFrom(node: SVGGElement, from: { x: number; y: number; turned?: number }, to: Piece, done: End, delay = 0): End {
  const turn = (degrees = 0): string => ` rotate(${degrees}deg)`;
  return run(node, [{ transform: at(from.x, from.y, turn(from.turned ?? to.turned)) }, { transform: at(to.x, to.y, turn(to.turned)) }], 280, delay, done);
}

/** Something new: a bar grows along its length, anything else is put down. */
export function grow(node: SVGGElement, piece: Piece, done: End): End {
  const long = piece.kind === "wall" || piece.kind === "half";
  const turn = ` rotate(${piece.turned ?? 0}deg)`;
  const small = long ? (piece.w > piece.h ? " scale(.1,1)" : " scale(1,.1)") : " scale(1.35)";
  return run(
    node,
    [
      { transform: at(piece.x, piece.y, turn + small), opacity: long ? 1 : 0 },
      { transform: at(piece.x, piece.y, turn), opacity: 1 },
    ],
    200,
    0,
    done,
  );
}

/** Fades and is gone. */
export function vanish(node: SVGGElement): End {
  return run(node, [{ opacity: 1 }, { opacity: 0 }], 240, 0, () => node.remove());
}

/** Turns over where it lies: the side that it shows narrows, the other one widens. */
export function flip(node: SVGGElement, piece: Piece, other: string, done: End): End {
  const lies = at(piece.x, piece.y, ` rotate(${piece.turned ?? 0}deg)`),
    flat = { transform: `${lies} scale(1,1)` },
    edge = { transform: `${lies} scale(0,1.04)` };
  let ended = false,
    half: End;
  const finish = (): void => {
    ended = true;
    done();
  };
  half = run(node, [flat, edge], 150, 0, () => {
    dress(node, other);
    if (!ended)
      half = run(node, [edge, flat], 170, 0, () => {
        if (!ended) finish();
      });
  });
  return () => {
    if (ended) return;
    ended = true;
    half();
    finish();
  };
}

const ROLL = 900,
  LIE = 2200; // milliseconds that dice roll, and lie there to be read
const DIE = 0.65,
  SIGN = 0.12; // half of a die with its ring, and of the sign on a place that can be pointed at

interface Rest {
  x: number;
  y: number;
  size: number;
}

/** Where dice lie around a point, one a seat, side by side: each between the places, and no larger than leaves these to be seen. */
export function between(places: readonly { x: number; y: number }[], count: number, x: number, y: number): Rest[] {
  return Array.from({ length: count }, (_, seat) => {
    let best = { x, y, size: 0 };
    for (let step = 0; step < 81; step++) {
      // at most half a place away, in eighths
      const here = { x: x + (seat - (count - 1) / 2) * 1.5 + (step % 9) / 8 - 0.5, y: y + Math.floor(step / 9) / 8 - 0.5 };
      const room = Math.min(...places.map((place) => Math.max(Math.abs(place.x - here.x), Math.abs(place.y - here.y)))) - SIGN;
      const size = Math.min(1, room / DIE);
      if (size > best.size) best = { ...here, size };
    }
    return best;
  });
}

/** Dice roll side by side, one a seat, and lie there for a while; without movement they only lie there. `shown` draws a die's face. */
export function rollDice(
  layer: SVGGElement,
  faces: number[],
  rests: Rest[],
  still: boolean,
  shown: (face: number, seat: number, settled: boolean) => string,
): End {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "roll");
  layer.append(group);
  const ends: End[] = [];
  const dice = rests.map(({ x, y, size }) => {
    const die = document.createElementNS(SVG, "g"),
      large = ` scale(${size})`;
    die.style.transform = at(x, y, large);
    if (!still) ends.push(run(die, [{ transform: at(x - 2.5, y - 2, `${large} rotate(-540deg)`) }, { transform: at(x, y, large) }], ROLL));
    return group.appendChild(die);
  });
  const show = (settled: boolean): void =>
    dice.forEach((die, seat) => {
      const face = settled ? faces[seat] : undefined;
      die.innerHTML = shown(face ?? 1 + Math.floor(Math.random() * 6), seat, settled);
    });
  show(still);
  const tumbling = still ? undefined : setInterval(() => show(false), 110);
  const timers = [
    setTimeout(
      () => {
        clearInterval(tumbling);
        show(true);
      },
      still ? 0 : ROLL,
    ),
    setTimeout(() => group.remove(), (still ? 0 : ROLL) + LIE),
  ];
  return () => {
    clearInterval(tumbling);
    for (const timer of timers) clearTimeout(timer);
    for (const end of ends) end();
    group.remove();
  };
}

/** A window of the board lifts, turns, and settles; what it destroys fades. The new pieces wait until then. */
export function turnWindow(layer: SVGGElement, motion: Motion, ground: string, moved: SVGGElement[], lost: SVGGElement[], fresh: SVGGElement[]): End {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "turning");
  group.innerHTML = ground;
  group.append(...moved, ...lost);
  layer.insertBefore(group, layer.firstChild);
  group.style.transformOrigin = `${n(motion.x ?? 0)}px ${n(motion.y ?? 0)}px`;
  for (const node of fresh) node.style.visibility = "hidden";
  const finish = (): void => {
    group.remove();
    for (const node of fresh) node.style.visibility = "";
  };
  for (const node of lost) run(node, [{ opacity: 1 }, { opacity: 0 }], 300);
  return run(
    group,
    [
      { transform: "rotate(0deg) scale(1)" },
      { transform: `rotate(${(motion.degrees ?? 0) * 0.5}deg) scale(1.04)`, offset: 0.5 },
      { transform: `rotate(${motion.degrees ?? 0}deg) scale(1)` },
    ],
    450,
    0,
    finish,
  );
}
