// Which piece of the new picture is which of the old: so that things move instead of vanishing and appearing.

import type { Motion, Piece, Place } from "../net/types";

export interface Change {
  kept: [Piece, Piece][]; // old, new: the same thing, perhaps elsewhere or changed
  added: { piece: Piece; from: Place | null }[]; // from: the place that it comes out of
  removed: Piece[];
}

const SEEN = ["kind", "seat", "x", "y", "w", "h", "text", "turned", "face_down"] as const;

/** All that is seen of a piece, in one word. */
const look = (piece: Piece): string => SEEN.map((what) => piece[what]).join(" ");

const stands = (piece: Piece, place: Place | undefined): boolean =>
  place !== undefined && Math.abs(piece.x - place.x) < 0.01 && Math.abs(piece.y - place.y) < 0.01;

export const same = (one: Piece, other: Piece): boolean => SEEN.every((what) => one[what] === other[what]);

/** What stays as it is is matched first (most of it under the same name), then what slides, then what has the same name. */
export function changes(before: Piece[], after: Piece[], motions: Motion[], places: Map<string, Place>): Change {
  const change: Change = { kept: [], added: [], removed: [] };
  const left = new Set(before);
  const unlike =
    (find: (piece: Piece) => Piece | undefined) =>
    (piece: Piece): boolean => {
      const known = find(piece);
      if (!known) return true;
      left.delete(known);
      change.kept.push([known, piece]);
      return false;
    };
  const called = new Map(before.map((piece) => [piece.id, piece]));
  const others = after.filter(
    unlike((piece) => {
      const known = called.get(piece.id);
      return known && left.has(known) && same(known, piece) ? known : undefined;
    }),
  );
  const old = new Map<string, Piece[]>();
  for (const piece of left) {
    const key = look(piece);
    old.set(key, [...(old.get(key) ?? []), piece]);
  }
  let fresh = others.filter(unlike((piece) => old.get(look(piece))?.shift()));
  const sources = new Map<Piece, Place>();
  for (const motion of motions) {
    if (motion.kind !== "slide") continue;
    const start = places.get(motion.start ?? ""),
      to = places.get(motion.to ?? "");
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
  const turned = afterTurn(piece, motion);
  return added.some(
    (other) => other.kind === piece.kind && Math.abs(other.x - turned.x) < 0.01 && Math.abs(other.y - turned.y) < 0.01 && Math.abs(other.w - turned.w) < 0.01,
  );
}

/** Where a quarter turn (or more of them) brings a piece. */
export function afterTurn(piece: Piece, motion: Motion): { x: number; y: number; w: number; h: number } {
  let [dx, dy, w, h] = [piece.x - (motion.x ?? 0), piece.y - (motion.y ?? 0), piece.w, piece.h];
  for (let quarter = 0; quarter < ((motion.degrees ?? 0) / 90 + 4) % 4; quarter++) [dx, dy, w, h] = [-dy, dx, h, w];
  return { x: (motion.x ?? 0) + dx, y: (motion.y ?? 0) + dy, w, h };
}

/** Whether a piece lies wholly in the rectangle that turns. */
export function inside(piece: Piece, motion: Motion): boolean {
  const across = (motion.w ?? 0) / 2 - Math.abs(piece.x - (motion.x ?? 0)),
    down = (motion.h ?? 0) / 2 - Math.abs(piece.y - (motion.y ?? 0));
  return across >= piece.w / 2 - 0.11 && down >= piece.h / 2 - 0.11;
}
