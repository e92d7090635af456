// Which place a finger or a mouse means.

import type { BoardPlan, Place } from "../net/types";

const GROOVE = 0.34; // a slot is thin: it is hit by what comes so near (across, in cells)
const FINGER = { groove: 0.55, reach: 0.6, past: 0.4 }; // a finger is coarse; but the middle of a cell means that cell

/** Half the size of what one hits when pointing at a place. */
function half(place: Place, groove: number): [number, number] {
  if (place.kind === "slot") return [Math.max(place.w, groove) / 2, Math.max(place.h, groove) / 2];
  if (place.kind === "cell" || place.kind === "hole") return [Math.max(place.w, 0.98) / 2, Math.max(place.h, 0.98) / 2];
  if (place.kind === "handle") return [Math.max(place.w, 0.6) / 2, Math.max(place.h, 0.6) / 2];
  return [place.w / 2, place.h / 2];
}

/** How far from the middle a point is, 1 at the rim. */
function off(place: Place, x: number, y: number, groove: number): number {
  const [w, h] = half(place, groove);
  const across = Math.abs(x - place.x) / w,
    down = Math.abs(y - place.y) / h;
  if (across > 1 || down > 1) return Infinity;
  return place.kind === "slot" ? across + down : Math.max(across, down);
}

function within(place: Place, x: number, y: number): boolean {
  return Math.abs(x - place.x) <= place.w / 2 && Math.abs(y - place.y) <= place.h / 2;
}

function best(places: Place[], x: number, y: number, groove: number): Place | null {
  let found: Place | null = null,
    least = Infinity;
  for (const place of places) {
    const distance = off(place, x, y, groove);
    if (distance < least) [found, least] = [place, distance];
  }
  return found;
}

/** The place meant by pointing at (x, y): a target if one is near, else whatever is there. Places of kind button count only as targets. */
export function pick(plan: BoardPlan, targets: Set<string>, x: number, y: number, coarse = false): Place | null {
  const groove = coarse ? FINGER.groove : GROOVE;
  const wanted = plan.places.filter((place) => targets.has(place.id)); // buttons below the board are never near
  const solid = best(
    wanted.filter((place) => place.kind !== "slot"),
    x,
    y,
    groove,
  );
  const slot = best(
    wanted.filter((place) => place.kind === "slot"),
    x,
    y,
    groove,
  );
  if (slot && (!solid || within(slot, x, y) || !within(solid, x, y))) return slot;
  if (solid) return solid;
  if (coarse) {
    let found: Place | null = null,
      least = Infinity;
    for (const place of wanted) {
      const distance = Math.hypot(Math.max(0, Math.abs(x - place.x) - place.w / 2), Math.max(0, Math.abs(y - place.y) - place.h / 2));
      if (distance < least && distance < (place.kind === "slot" || place.kind === "handle" ? FINGER.reach : FINGER.past)) [found, least] = [place, distance];
    }
    if (found) return found;
  }
  const others = plan.places.filter((place) => place.kind !== "button" && place.kind !== "handle");
  return (
    others.find((place) => place.kind === "slot" && within(place, x, y)) ??
    best(
      others.filter((place) => place.kind !== "slot"),
      x,
      y,
      groove,
    )
  );
}
