// Which piece of the new picture is which of the old: so that things move instead of vanishing and appearing.

import type { Motion, Piece, Place } from "../types";

export interface Change {
  kept: [Piece, Piece][]; // old, new: the same thing, perhaps elsewhere or changed
  added: { piece: Piece; from: Place | null }[]; // from: the place that it comes out of
  removed: Piece[];
}

const looks = new WeakMap<Piece, string>();

/** All that is seen of a piece, in one word. */
function look(piece: Piece): string {
  let known = looks.get(piece);
  if (known === undefined) looks.set(piece, (known = [piece.kind, piece.seat, piece.x, piece.y, piece.w, piece.h, piece.text, piece.turned, piece.face_down].join(" ")));
  return known;
}

const stands = (piece: Piece, place: Place | undefined): boolean => place !== undefined && Math.abs(piece.x - place.x) < 0.01 && Math.abs(piece.y - place.y) < 0.01;

export function same(one: Piece, other: Piece): boolean {
  return look(one) === look(other);
}

/** What stays as it is is matched first, then what slides, then what has the same name. */
export function changes(before: Piece[], after: Piece[], motions: Motion[], places: Map<string, Place>): Change {
  const change: Change = { kept: [], added: [], removed: [] };
  const old = new Map<string, Piece[]>();
  for (const piece of before) {
    const key = look(piece);
    old.has(key) ? old.get(key)!.push(piece) : old.set(key, [piece]);
  }
  const left = new Set(before);
  let fresh = after.filter((piece) => {
    const known = old.get(look(piece))?.shift();
    if (!known) return true;
    left.delete(known);
    change.kept.push([known, piece]);
    return false;
  });
  const sources = new Map<Piece, Place>();
  for (const motion of motions) {
    if (motion.kind !== "slide") continue;
    const start = places.get(motion.start ?? ""), to = places.get(motion.to ?? "");
    const comes = fresh.find((piece) => stands(piece, to) && !sources.has(piece));
    if (!comes || !start) continue;
    const goes = [...left].find((piece) => stands(piece, start) && piece.kind === comes.kind);
    if (goes) {
      left.delete(goes);
      fresh = fresh.filter((piece) => piece !== comes);
      change.kept.push([goes, comes]);
    } else sources.set(comes, start);
  }
  const names = new Map([...left].map((piece) => [piece.id, piece]));
  for (const piece of fresh) {
    const known = names.get(piece.id);
    if (known && known.kind === piece.kind && !sources.has(piece)) {
      left.delete(known);
      names.delete(piece.id);
      change.kept.push([known, piece]);
    } else change.added.push({ piece, from: sources.get(piece) ?? null });
  }
  change.removed = [...left];
  return change;
}

/** Which of the removed pieces turned together with their window and came to stand somewhere else, and which are destroyed. */
export function survives(piece: Piece, motion: Motion, added: Piece[]): boolean {
  const turned = turn(piece, motion);
  return added.some((other) => other.kind === piece.kind && Math.abs(other.x - turned.x) < 0.01 && Math.abs(other.y - turned.y) < 0.01 && Math.abs(other.w - turned.w) < 0.01);
}

/** Where a quarter turn (or more of them) brings a piece. */
export function turn(piece: Piece, motion: Motion): { x: number; y: number; w: number; h: number } {
  let [dx, dy, w, h] = [piece.x - (motion.x ?? 0), piece.y - (motion.y ?? 0), piece.w, piece.h];
  for (let quarter = 0; quarter < ((motion.degrees ?? 0) / 90 + 4) % 4; quarter++) [dx, dy, w, h] = [-dy, dx, h, w];
  return { x: (motion.x ?? 0) + dx, y: (motion.y ?? 0) + dy, w, h };
}

/** Whether a piece lies wholly in the rectangle that turns. */
export function inside(piece: Piece, motion: Motion): boolean {
  const across = (motion.w ?? 0) / 2 - Math.abs(piece.x - (motion.x ?? 0)), down = (motion.h ?? 0) / 2 - Math.abs(piece.y - (motion.y ?? 0));
  return across >= piece.w / 2 - 0.11 && down >= piece.h / 2 - 0.11;
}
