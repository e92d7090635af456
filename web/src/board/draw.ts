// The shapes of a scene as SVG text: the same look as src/hanpan/draw/svg.py, from the same data. Pieces are drawn around (0, 0).

import type { Caption, Ground, Label, Mark, Piece, Place, Stroke, Tint } from "../net/types";

export const UNIT = 100; // one cell in the picture's own units

/** What a piece stands out by, whatever it stands on. */
const edge = (colour: string): string => (colour === "lacquer" ? "lacquer-2" : colour === "black" || colour === "white" ? `${colour}-edge` : "edge");

/** A length in the picture's units, without needless digits. */
export const n = (value: number): string => String(Math.round(value * UNIT * 100) / 100);

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function rect(x: number, y: number, w: number, h: number, radius: number, rest: string): string {
  return `<rect x="${n(x - w / 2)}" y="${n(y - h / 2)}" width="${n(w)}" height="${n(h)}" rx="${n(radius)}" ${rest}/>`;
}

export function circle(x: number, y: number, r: number, rest: string): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${rest}/>`;
}

function text(said: string, x: number, y: number, size: number, colour: string, rest = ""): string {
  const at = `x="${n(x)}" y="${n(y)}" font-size="${n(size)}" text-anchor="middle" dominant-baseline="central"`;
  return `<text ${at} fill="var(--${colour})" ${rest}>${escaped(said)}</text>`;
}

/** Several shapes as one. */
const group = (shapes: string): string => `<g>${shapes}</g>`;

/** Gradients and patterns, once for the whole page. */
export const DEFS = `<defs>
<filter id="lift" x="-10%" y="-10%" width="120%" height="120%"><feDropShadow dx="0" dy="5" stdDeviation="7" flood-opacity=".28"/></filter>
<linearGradient id="wood" x1="0" y1="0" x2=".35" y2="1"><stop stop-color="var(--board)"/><stop offset="1" stop-color="var(--board-2)"/></linearGradient>
<linearGradient id="sheen" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".28"/>
  <stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient>
<linearGradient id="face" x1="0" y1="0" x2=".3" y2="1"><stop stop-color="var(--koma)"/><stop offset="1" stop-color="var(--koma-2)"/></linearGradient>
<radialGradient id="drill" cy=".35"><stop stop-color="#000" stop-opacity=".38"/><stop offset="1" stop-color="#000" stop-opacity=".1"/></radialGradient>
<radialGradient id="glass" cx=".36" cy=".3" r=".75"><stop stop-color="#fff" stop-opacity=".75"/>
  <stop offset=".25" stop-color="#fff" stop-opacity=".2"/><stop offset="1" stop-color="#000" stop-opacity=".3"/></radialGradient>
<radialGradient id="orb" cx=".36" cy=".3" r=".75"><stop stop-color="#fff" stop-opacity=".84"/>
  <stop offset=".25" stop-color="#fff" stop-opacity=".28"/><stop offset="1" stop-color="#000" stop-opacity=".4"/></radialGradient>
<pattern id="hatch" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
  <rect width="4" height="14" fill="var(--ink-2)" opacity=".17"/></pattern>
</defs>`;

/** A soft shadow in three sheets: a filter would be drawn anew with every change of the board. */
function cast(x: number, y: number, w: number, h: number): string {
  return [0.02, 0.06, 0.1].map((far) => rect(x, y + far * 0.7, w + far, h + far, 0.1 + far, `fill="#000" opacity=".09"`)).join("");
}

export function ground(item: Ground, colours: string[]): string {
  const { x, y, w, h } = item;
  const colour = item.seat === undefined ? "line" : colours[item.seat];
  if (item.kind === "table") return rect(x, y, w, h, 0.2, `fill="var(--card)" stroke="var(--line)" stroke-width="2"`);
  if (item.kind === "cloth") return rect(x, y, w, h, 0.3, `fill="var(--cloth)" stroke="var(--cloth-2)" stroke-width="4"`);
  if (item.kind === "board")
    return cast(x, y, w + 0.16, h + 0.16) + rect(x, y, w + 0.16, h + 0.16, 0.1, `fill="url(#wood)" stroke="var(--grid)" stroke-width="3"`);
  if (item.kind === "tile") {
    const body =
      rect(x, y + 0.03, w - 0.01, h - 0.01, 0.12, `fill="#000" opacity=".22"`) +
      rect(x, y, w - 0.05, h - 0.05, 0.1, `fill="var(--tile-${(item.tone ?? 0) % 4})" stroke="var(--seam)" stroke-width="3"`);
    return body + rect(x, y, w - 0.05, h - 0.05, 0.1, `fill="url(#sheen)" opacity=".55"`);
  }
  if (item.kind === "field") return rect(x, y, w, h, 0.12, `fill="url(#wood)" stroke="var(--${colour})" stroke-width="5"`);
  return rect(x, y, w, h, 0.08, `class="wash" color="var(--${colour})"`);
}

/** The goal of whoever sits before the board: arrows towards it, so that it is seen as theirs to reach. */
export function goal(item: Ground, frame: { x: number; y: number; w: number; h: number }, colours: string[]): string {
  const flat = item.w >= item.h,
    count = Math.round(Math.max(item.w, item.h));
  const out = (flat ? item.y > frame.y + frame.h / 2 : item.x > frame.x + frame.w / 2) ? 1 : -1;
  const arrows = Array.from({ length: count }, (_, i) => {
    const along = i + 0.5 - count / 2,
      [x, y] = flat ? [item.x + along, item.y] : [item.x, item.y + along];
    const turn = flat ? (out > 0 ? 180 : 0) : out > 0 ? 90 : -90;
    return `<path transform="translate(${n(x)} ${n(y)}) rotate(${turn})" d="M-16 8L0 -8L16 8M-16 22L0 6L16 22"/>`;
  }).join("");
  return `<g class="goal" fill="none" stroke="var(--${colours[item.seat ?? 0]})" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">${arrows}</g>`;
}

/** The picture of a place itself; a slot, a handle or a button is not seen until it is of use. */
export function place(item: Place): string {
  const { x, y, w, h } = item;
  if (item.kind === "cell") return rect(x, y, w, h, w < 1 ? 0.06 : 0, `fill="var(--cell)" stroke="var(--grid)" stroke-width="1.6"`);
  if (item.kind === "hole") return circle(x, y, w * 0.36, `fill="var(--hole)"`) + circle(x, y, w * 0.36, `fill="url(#drill)"`);
  if (item.kind === "spot") return rect(x, y, w, h, 0.08, `fill="none" stroke="var(--grid)" stroke-width="1.5" stroke-dasharray="6 6" opacity=".8"`);
  return "";
}

/** The colour of the seat that something belongs to. */
const colourOf = (item: { seat?: number }, colours: string[], nobodys: string): string => (item.seat === undefined ? nobodys : (colours[item.seat] ?? nobodys));

export function caption(item: Caption, colours: string[]): string {
  return text(item.text, item.x, item.y, item.size ?? 0.26, colourOf(item, colours, "ink-2"), item.seat === undefined ? "" : `font-weight="700"`);
}

/** As much of a text as fits into a width; letters of the East are as wide as they are high. */
export function fitting(said: string, size: number, width: number): string {
  let left = width / size,
    shown = "";
  for (const letter of said) {
    left -= letter > "\u2e80" ? 1 : 0.62;
    if (left < 0) return `${[...shown].slice(0, -1).join("").trimEnd() || shown}…`;
    shown += letter;
  }
  return said;
}

/** The first letters of a name. */
export function cut(name: string, letters: number): string {
  const all = [...name];
  return all.length <= letters ? name : `${all.slice(0, letters).join("").trimEnd()}…`;
}

export function label(item: Label, said: string, colours: string[]): string {
  return text(
    fitting(said, item.size, item.w),
    item.x,
    item.y,
    item.size,
    colourOf(item, colours, "ink-2"),
    item.seat === undefined ? "" : `font-weight="700"`,
  );
}

export function tint(item: Tint, places: Map<string, Place>, colours: string[]): string {
  const { seat } = item;
  if (item.closed)
    return outline(
      item.places.flatMap((id) => places.get(id) ?? []),
      colourOf(item, colours, "ink"),
    );
  const fill = (at: Place): string =>
    seat === undefined ? `fill="url(#hatch)"` : `class="${at.kind === "hole" ? "stain" : "wash"}" color="var(--${colours[seat]})"`;
  const mark = seat === undefined ? "" : `<g class="owner" color="var(--${colours[seat]})">${sign(0, 0.09, seat)}</g>`; // so that nobody needs the colour
  return group(
    item.places
      .map((id) => places.get(id))
      .map((at) => (at ? rect(at.x, at.y, ...size(at), 0, fill(at)) + (mark && `<g transform="translate(${n(at.x)} ${n(at.y)})">${mark}</g>`) : ""))
      .join(""),
  );
}

/** How much of the board a place takes up: a hole stands for its whole cell. */
const size = (at: Place): [number, number] => (at.kind === "hole" ? [1, 1] : [at.w, at.h]);

/** The rim of cells that hang together: their sides that no other of them shares. */
function outline(cells: Place[], colour: string): string {
  const inside = new Set(cells.map(({ x, y }) => `${x} ${y}`));
  const sides = cells.flatMap(({ x, y }) =>
    (
      [
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ] as const
    )
      .filter(([dx, dy]) => !inside.has(`${x + dx} ${y + dy}`))
      .map(([dx, dy]) => `M${n(x + dx / 2 - Math.abs(dy) / 2)} ${n(y + dy / 2 - Math.abs(dx) / 2)}${dx ? "v" : "h"}${UNIT}`),
  );
  const path = (wide: number, rest: string): string =>
    `<path class="closed" d="${sides.join("")}" fill="none" stroke-width="${wide}" stroke-linecap="round" ${rest}/>`;
  return group(path(11, `stroke="#fff" stroke-opacity=".7"`) + path(6, `stroke="var(--${colour})" stroke-dasharray="14 12"`));
}

/** What counts together: ties between pieces, or a line over those that stand in a row. */
export function stroke(item: Stroke, start: Place, to: Place, colours: string[]): string {
  const path = (wide: number, rest: string): string =>
    `<path class="stroke-${item.kind}" d="M${n(start.x)} ${n(start.y)}L${n(to.x)} ${n(to.y)}" stroke-width="${wide}" stroke-linecap="round" ${rest}/>`;
  if (item.kind === "row") return group(path(15, `stroke="#000" stroke-opacity=".5"`) + path(8, `stroke="#fff"`));
  return group(path(34, `stroke="#fff" stroke-opacity=".85"`) + path(22, `stroke="var(--${colours[item.seat]})"`));
}

export function halo(at: Place): string {
  const grow = at.kind === "slot" || at.kind === "handle" ? 0.06 : 0;
  if (at.kind === "hole") return circle(at.x, at.y, at.w * 0.6, `fill="var(--accent)" opacity=".35"`);
  return rect(at.x, at.y, at.w + grow, at.h + grow, 0.1, `fill="var(--accent)" opacity=".3"`);
}

export function mark(item: Mark, at: Place): string {
  if (item.kind === "ring")
    return group(
      circle(at.x, at.y, at.w * 0.46, `fill="none" stroke="#000" stroke-opacity=".45" stroke-width="9"`) +
        circle(at.x, at.y, at.w * 0.46, `fill="none" stroke="#fff" stroke-width="5.5"`),
    );
  if (item.kind === "attack") return rect(at.x, at.y, at.w + 0.1, at.h + 0.1, 0.12, `fill="none" stroke="var(--accent)" stroke-width="6"`);
  return rect(at.x, at.y, at.w, at.h, 0.12, `fill="none" stroke="var(--accent)" stroke-width="4" stroke-dasharray="10 7"`);
}

/** A quiet sign on a place that can be pointed at. */
export function target(at: Place, taken: boolean): string {
  const name = `class="target" data-target="${escaped(at.id)}"`;
  if (at.kind === "spot" || at.kind === "hand") return rect(at.x, at.y, at.w, at.h, 0.1, `${name} fill="none" stroke="var(--accent)" stroke-width="4"`);
  if (at.kind === "slot") return ghostBar(at, name);
  if (at.kind === "handle")
    return (
      `<g ${name}>${circle(at.x, at.y, 0.2, `fill="var(--card)" stroke="var(--accent)" stroke-width="3"`)}` +
      `<path transform="translate(${n(at.x)} ${n(at.y)})" d="M9 -5A10 10 0 1 0 10 3M10 -12V-4H2" fill="none" stroke="var(--accent)" stroke-width="3.5"/></g>`
    );
  if (taken) return circle(at.x, at.y, 0.44, `${name} fill="none" stroke="var(--accent)" stroke-width="5"`);
  if (at.kind === "hole") return circle(at.x, at.y, 0.11, `${name} fill="var(--accent)" stroke="#fff" stroke-opacity=".85" stroke-width="3"`); // a dark ground
  return circle(at.x, at.y, 0.1, `${name} fill="var(--accent)" opacity=".6"`);
}

/** A wall that could stand there, around its middle: so that walls that would cross or overlap are told apart. */
function ghostBar(at: Place, name: string): string {
  const w = Math.min(at.w, 0.66),
    h = Math.min(at.h, 0.66),
    thin = 0.1;
  const [wide, high] = at.w >= at.h ? [w, thin] : [thin, h];
  return group(
    rect(at.x, at.y, wide + 0.09, high + 0.09, 0.09, `class="glow" fill="var(--accent)"`) + rect(at.x, at.y, wide, high, 0.05, `${name} fill="var(--accent)"`),
  );
}

/** What is about to be chosen, raised. */
export function raised(at: Place, taken: boolean): string {
  if (at.kind === "slot") return rect(at.x, at.y, at.w, at.h, 0.05, `fill="var(--accent)" opacity=".75"`);
  if (at.kind === "spot" || at.kind === "hand")
    return rect(at.x, at.y, at.w, at.h, 0.1, `fill="var(--accent)" fill-opacity=".18" stroke="var(--accent)" stroke-width="7"`);
  if (at.kind === "handle") return circle(at.x, at.y, 0.2, `fill="var(--accent)"`);
  if (taken) return circle(at.x, at.y, 0.46, `fill="none" stroke="var(--accent)" stroke-width="8"`);
  return circle(at.x, at.y, 0.2, `fill="var(--accent)"`);
}

/** A place that has been pointed at already, in an action that is not finished. */
export function chosen(at: Place, colour: string): string {
  const seen = colour === "black" || colour === "white" ? edge(colour) : colour;
  if (at.kind === "slot") return rect(at.x, at.y, at.w, at.h, 0.05, `fill="var(--${seen})" opacity=".8"`);
  return rect(at.x, at.y, at.w, at.h, 0.1, `fill="var(--${seen})" fill-opacity=".22" stroke="var(--${seen})" stroke-width="5"`);
}

export function button(at: Place, label: string): string {
  const size = Math.min(0.32, at.h * 0.46, (at.w * 1.7) / Math.max(4, [...label].length));
  return group(
    rect(at.x, at.y, at.w, at.h, 0.12, `class="button" fill="var(--card)" stroke="var(--accent)" stroke-width="3"`) +
      text(label, at.x, at.y, size, "accent", `font-weight="600"`),
  );
}

/** A few letters at the last place of an action: what pointing there is worth. */
export interface Note {
  path: readonly string[];
  text: string;
  /** How it stands among the others. */
  rank: "best" | "good" | "poor";
}

export function note(at: Place, { text: said, rank }: Note): string {
  const full = at.kind === "slot" || at.kind === "handle" ? 0.2 : Math.min(0.26, at.h * 0.3),
    size = rank === "poor" ? full * 0.85 : full,
    wide = size * (0.62 * [...said].length + 0.7),
    y = at.kind === "button" ? at.y - at.h / 2 : at.y; // above its own word
  const ground = rank === "best" ? "accent" : "card",
    ink = rank === "best" ? "card" : rank === "good" ? "ink" : "ink-2";
  const rim = rank === "best" ? "" : ` stroke="var(--line)" stroke-width="2"`;
  return group(
    rect(at.x, y, wide, size * 1.5, size * 0.75, `class="note" fill="var(--${ground})" fill-opacity="${rank === "poor" ? 0.75 : 0.94}"${rim}`) +
      text(said, at.x, y, size, ink, `font-weight="${rank === "poor" ? 400 : 650}"`),
  );
}

// --- pieces ---

export function piece(item: Piece, colours: string[]): string {
  const drawn = (SHAPES[item.kind] ?? stone)(item, colourOf(item, colours, "lacquer"));
  if (item.kind === "wall" && item.seat !== undefined) return drawn + sign(0, Math.min(item.w, item.h) * 0.28, item.seat);
  return item.kind === "pawn" || item.kind === "stone" ? drawn + sign(item.kind === "pawn" ? -0.1 : 0, item.w * 0.16, item.seat ?? 0) : drawn;
}

/** The seat's second sign, so that nobody needs the colour: a ring, a bar, a triangle, a square. */
export function sign(y: number, r: number, seat: number): string {
  const white = `fill="#fff" opacity=".95"`;
  if (seat === 0) return circle(0, y, r, `fill="none" stroke="#fff" stroke-width="${n(r * 0.55)}"`);
  if (seat === 1) return rect(0, y, r * 2.4, r * 0.8, r * 0.2, white);
  if (seat === 2) return `<path d="M0 ${n(y - r * 1.2)}L${n(r * 1.2)} ${n(y + r)}H${n(-r * 1.2)}Z" ${white}/>`;
  return rect(0, y, r * 1.8, r * 1.8, r * 0.1, white);
}

const PIPS: [number, number][][] = [
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

/** A die in its seat's colour, around (0, 0). */
export function die(face: number, seat: number, colours: string[], first: boolean): string {
  const pips = (PIPS[face - 1] ?? []).map(([x, y]) => circle(x * 0.26, y * 0.26, 0.085, `fill="#fff"`)).join("");
  const ring = first ? rect(0, 0, 1.22, 1.22, 0.26, `fill="none" stroke="var(--accent)" stroke-width="8"`) : "";
  return (
    rect(0, 0.06, 1.02, 1.02, 0.2, `fill="#000" opacity=".25"`) +
    ring +
    rect(0, 0, 1, 1, 0.18, `fill="var(--${colours[seat] ?? "ink"})" stroke="var(--edge)" stroke-width="2.5"`) +
    pips
  );
}

/** The shadow of a piece, in two flat sheets: without a GPU a gradient costs more than the piece itself. */
const shade = (w: number, h: number, y: number): string =>
  [0.9, 1].map((size) => `<ellipse cx="0" cy="${n(y)}" rx="${n(w * size)}" ry="${n(h * size)}" fill="#000" opacity=".13"/>`).join("");

function pawn(item: Piece, colour: string): string {
  const base = item.w * 0.4,
    head = item.w * 0.27;
  const body =
    `M${n(-base)} ${n(base)}C${n(-base)} ${n(base * 0.2)} ${n(-head * 0.7)} ${n(base * 0.3)} ${n(-head * 0.6)} ${n(-base * 0.1)}` +
    `H${n(head * 0.6)}C${n(head * 0.7)} ${n(base * 0.3)} ${n(base)} ${n(base * 0.2)} ${n(base)} ${n(base)}Z`;
  const fill = `fill="var(--${colour})" stroke="var(--${edge(colour)})" stroke-width="2"`;
  return (
    shade(base * 1.25, base * 0.4, base * 0.98) +
    `<path d="${body}" ${fill}/>` +
    circle(0, -base * 0.42, head * 1.12, fill) +
    circle(0, -base * 0.42, head * 1.12, `fill="url(#glass)" opacity=".45"`)
  );
}

function stone(item: Piece, colour: string, light = `fill="url(#glass)" opacity=".5"`): string {
  const r = item.w / 2;
  return (
    shade(r * 1.12, r * 1.12, 0.05) + circle(0, 0, r, `fill="var(--${colour})" stroke="var(--${edge(colour)})" stroke-width="2.5"`) + circle(0, 0, r, light)
  );
}

function marble(item: Piece, colour: string): string {
  const body = stone(item, colour, `fill="url(#orb)"`);
  return item.seat === 0 ? body + circle(0, 0, item.w * 0.13, `fill="var(--${colour}-2)"`) : body; // the second sign: the first seat's has a bright core
}

function bar(item: Piece, colour: string): string {
  const { w, h } = item;
  return (
    rect(0, 0.035, w + 0.03, h + 0.03, 0.04, `fill="#000" opacity=".28"`) +
    rect(0, 0, w, h, 0.03, `fill="var(--${colour})" stroke="var(--${edge(colour)})" stroke-width="1.5"`) +
    rect(0, 0, w, h, 0.03, `fill="url(#sheen)"`)
  );
}

/** A cut wall: both ends broken. */
function half(item: Piece, colour: string): string {
  const long = Math.max(item.w, item.h) / 2,
    thick = Math.min(item.w, item.h) / 2,
    tooth = thick * 0.9;
  const corners: [number, number][] = [
    [-long, -thick],
    [long, -thick],
    [long - tooth, -thick / 3],
    [long, thick / 3],
    [long - tooth, thick],
    [-long + tooth, thick],
    [-long, thick / 3],
    [-long + tooth, -thick / 3],
  ];
  const path = `M${corners.map(([x, y]) => (item.w >= item.h ? `${n(x)} ${n(y)}` : `${n(y)} ${n(x)}`)).join("L")}Z`;
  return (
    `<path d="${path}" transform="translate(0 3.5)" fill="#000" opacity=".28"/>` +
    `<path d="${path}" fill="var(--${colour})" stroke="var(--${edge(colour)})" stroke-width="1.5"/>`
  );
}

function koma(item: Piece): string {
  const { w, h } = item;
  const path = `M0 ${n(-h / 2)}L${n(w * 0.36)} ${n(-h * 0.3)}L${n(w * 0.48)} ${n(h / 2)}H${n(-w * 0.48)}L${n(-w * 0.36)} ${n(-h * 0.3)}Z`;
  const fill = item.face_down && !item.text ? "var(--koma-back)" : "url(#face)";
  const body =
    `<path d="${path}" transform="translate(0 4)" fill="#000" opacity=".25"/>` +
    `<path d="${path}" fill="${fill}" stroke="var(--koma-edge)" stroke-width="2.5" stroke-linejoin="round"/>`;
  return item.text ? body + text(item.text, 0, h * 0.1, h * 0.46, "koma-ink", `class="brush"${item.face_down ? ` opacity=".5"` : ""}`) : body;
}

const SHAPES: Record<string, (item: Piece, colour: string) => string> = { pawn, stone, disc: stone, marble, wall: bar, half, koma };
