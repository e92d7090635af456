// The planes of a board, over each other: each is painted on its own, and only when something changes in it.

import { n } from "./draw";
import type { Frame } from "./frame";
import { made } from "./make";

const SVG = "http://www.w3.org/2000/svg";
const PLANES = {
  still: ["grounds", "places", "captions"],
  under: ["tints", "halos", "ties", "labels"],
  standing: ["pieces"],
  moving: ["lifted"], // pieces while they move: what stands beside them is not painted anew
  signs: ["rows", "marks", "chosen", "targets", "ghosts", "raised", "buttons", "notes", "dice"],
  spots: ["focus"], // what is pointed at and spoken, but not seen
} as const;
type Layer = (typeof PLANES)[keyof typeof PLANES][number];

export class Planes {
  readonly elements: SVGSVGElement[] = [];
  readonly layers = {} as Record<Layer, SVGGElement>;
  private readonly drawn: Partial<Record<Layer, string[]>> = {};

  constructor(interactive: boolean) {
    for (const [kind, layers] of Object.entries(PLANES)) {
      if (kind === "spots" && !interactive) continue;
      const plane = document.createElementNS(SVG, "svg");
      plane.setAttribute("class", `plane ${kind}`);
      if (kind !== "spots") plane.setAttribute("aria-hidden", "true");
      for (const name of layers) {
        const layer = document.createElementNS(SVG, "g");
        layer.setAttribute("class", name);
        this.layers[name] = plane.appendChild(layer);
      }
      this.elements.push(plane);
    }
  }

  /** Let so much of the board be seen. */
  show({ x, y, w, h }: Frame): void {
    for (const plane of this.elements) plane.setAttribute("viewBox", [x, y, w, h].map(n).join(" "));
  }

  /** Set a layer's picture. Each of its parts is one element; a part that is there already is neither made nor laid out anew. Whether it is another picture. */
  fill(layer: Layer, parts: string[]): boolean {
    const host = this.layers[layer],
      before = this.drawn[layer] ?? [];
    if (before.length === parts.length && before.every((part, index) => part === parts[index])) return false;
    this.drawn[layer] = parts;
    const had = [...host.children],
      known = new Map(before.map((part, index) => [part, had[index]]));
    const kept = parts.map((part) => {
      const node = known.get(part);
      known.delete(part); // it is in one place only
      return node;
    });
    const fresh = made(parts.filter((_, index) => !kept[index]));
    for (const node of had) if (!kept.includes(node)) node.remove();
    let at = host.firstElementChild;
    for (const node of kept) {
      const wanted = node ?? fresh.shift();
      if (wanted && wanted === at) at = at.nextElementSibling;
      else if (wanted) host.insertBefore(wanted, at);
    }
    return true;
  }
}
