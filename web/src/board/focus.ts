// Walking over the places with the keyboard: layers of like places, and the next one in a direction.

import type { Place } from "../net/types";

/** Places that one walks over together: cells, the edges lying, the edges standing, corners, spots, buttons. */
export function layer(place: Place): string {
  if (place.kind === "slot") return place.w >= place.h ? "flat" : "tall";
  return place.kind === "hole" ? "cell" : place.kind;
}

const ORDER = ["cell", "hand", "spot", "flat", "tall", "handle", "button"];

/** The layers there are, in the order one goes through them. */
export function layers(places: Place[]): string[] {
  const found = new Set(places.map(layer));
  return ORDER.filter((name) => found.has(name));
}

const WAYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest place in a direction, within a cone of 45° to either side; straight ahead counts as nearer. */
export function beside(places: Place[], from: Place, key: string): Place | null {
  const way = WAYS[key];
  if (!way) return null;
  let found: Place | null = null,
    least = Infinity;
  for (const place of places) {
    const dx = place.x - from.x,
      dy = place.y - from.y;
    const ahead = dx * way[0] + dy * way[1],
      aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (place === from || ahead <= 0.01 || aside > ahead + 0.01) continue;
    const far = ahead + 2 * aside;
    if (far < least) [found, least] = [place, far];
  }
  return found;
}

export function nearest(places: Place[], x: number, y: number): Place | null {
  let found: Place | null = null,
    least = Infinity;
  for (const place of places) {
    const far = Math.hypot(place.x - x, place.y - y);
    if (far < least) [found, least] = [place, far];
  }
  return found;
}
