// How much of the plane a board takes: the pictures of it, without the empty rim and without buttons that lie outside.

import type { BoardPlan, Place } from "../net/types";

export interface Frame {
  x: number;
  y: number;
  w: number;
  h: number;
}

const MARGIN = 0.16; // for shadows and focus rings

export function frame(plan: BoardPlan): Frame {
  const boxes = [
    ...plan.grounds,
    ...plan.places.filter((place) => place.kind !== "button"),
    ...(plan.captions ?? []).map(({ x, y, size = 0.26 }) => ({ x, y, w: size, h: size })),
  ];
  if (!boxes.length) return { x: 0, y: 0, w: plan.width, h: plan.height };
  const left = Math.min(...boxes.map((box) => box.x - box.w / 2)),
    right = Math.max(...boxes.map((box) => box.x + box.w / 2));
  const top = Math.min(...boxes.map((box) => box.y - box.h / 2)),
    bottom = Math.max(...boxes.map((box) => box.y + box.h / 2));
  return { x: left - MARGIN, y: top - MARGIN, w: right - left + 2 * MARGIN, h: bottom - top + 2 * MARGIN };
}

/** Whether a button lies outside the picture: such are shown below the board. */
export function outside(place: Place, plan: Frame): boolean {
  return (
    place.kind === "button" &&
    (place.y + place.h / 2 > plan.y + plan.h || place.y - place.h / 2 < plan.y || place.x + place.w / 2 > plan.x + plan.w || place.x - place.w / 2 < plan.x)
  );
}
