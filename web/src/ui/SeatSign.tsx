// A seat's colour together with its second sign.

import { piece } from "../board/draw";

const TWO = new Set(["black", "white", "red"]); // colours of games that keep their own

export function SeatSign({ seat, colour }: { seat: number; colour: string }) {
  const chip = { id: "", kind: TWO.has(colour) ? "disc" : "stone", x: 0, y: 0, w: 0.9, h: 0.9, seat: 0 };
  const colours = [colour];
  const drawn = TWO.has(colour) ? piece(chip, colours) : piece({ ...chip, seat }, Array(seat + 1).fill(colour));
  return <svg class={TWO.has(colour) ? "sign two" : "sign"} viewBox="-55 -52 110 112" aria-hidden="true" dangerouslySetInnerHTML={{ __html: drawn }} />;
}
