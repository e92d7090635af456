// One board on the page: draws scenes into an SVG element and keeps it up to date with as little work as possible.

import { boxOf } from "../lib/box";
import type { Scene } from "../net/scenes";
import type { BoardPlan, Ground, Label, Mark, Motion, Phrase, Piece, Place } from "../net/types";
import * as draw from "./draw";
import { type Frame, frame, outside } from "./frame";
import { dress } from "./make";
import { changes, inside, same, survives } from "./match";
import { between, calm, flip, grow, rollDice, slideFrom, turnWindow, vanish } from "./motion";
import { Planes } from "./planes";

const SVG = "http://www.w3.org/2000/svg";

interface Shown {
  piece: Piece;
  node: SVGGElement;
}

const LETTERS = [Number.POSITIVE_INFINITY, 12, 8, 5, 3]; // of a name, as many as there is room for

export interface Names {
  /** The inscription of a button. */
  place(place: Place): string;
  /** Words on the board, in which the names of people are told as short as `brief` makes them. */
  label(phrase: Phrase, brief: (name: string) => string): string;
  /** The spoken name of a place with what stands there. */
  spoken(place: Place, pieces: Piece[], target: boolean, goal: boolean): string;
}

type Called = (seat: number) => string;

/** What people are called, as short as that makes it. */
export const briefly = (called: Called | undefined, brief: (name: string) => string): Called | undefined => called && ((seat) => brief(called(seat)));

export class BoardView {
  readonly root: HTMLElement;
  plan: BoardPlan | null = null;
  places = new Map<string, Place>();
  frame: Frame = { x: 0, y: 0, w: 1, h: 1 };
  private readonly planes: Planes;
  private readonly spots = new Map<string, SVGElement>(); // what is focused and spoken, by place
  private shown: Shown[] = [];
  private colours: string[] = [];
  private labels: Label[] = [];
  private standing = new Map<string, Piece[]>(); // by "x y"
  private targets: Set<string> = new Set();
  private mine = ""; // the seats of whoever sits before it
  private goals: Ground[] = []; // and what they are to reach
  private undo: (() => void)[] = []; // ends what is still moving
  private ghosted: SVGGElement[] = [];

  constructor(
    private readonly names: Names,
    private readonly interactive = true,
  ) {
    this.root = document.createElement("div");
    this.root.className = "board";
    this.planes = new Planes(interactive);
    this.root.append(...this.planes.elements);
  }

  /** Show a position; `aim` says afterwards what can be done in it, and `write` what is written on it. Whether anything is other than before. */
  show(scene: Scene, mine = ""): boolean {
    this.settle();
    this.ghost(null);
    const first = scene.board !== this.plan;
    if (first || mine !== this.mine) this.lay(scene.board, scene.colours, mine);
    this.colours = scene.colours;
    const { tints = [], marks = [], pieces = [], strokes = [] } = scene.look;
    const strokesOf = (kind: string): string[] =>
      strokes
        .filter((stroke) => stroke.kind === kind)
        .flatMap((stroke) => {
          const start = this.places.get(stroke.start),
            to = this.places.get(stroke.to);
          return start && to ? draw.stroke(stroke, start, to, scene.colours) : [];
        });
    const changed = [
      first,
      this.planes.fill(
        "tints",
        tints.map((tint) => draw.tint(tint, this.places, scene.colours)),
      ),
      this.planes.fill(
        "halos",
        this.marked(
          marks.filter((mark) => mark.kind === "last"),
          (_, at) => draw.halo(at),
        ),
      ),
      this.planes.fill(
        "marks",
        this.marked(
          marks.filter((mark) => mark.kind !== "last"),
          draw.mark,
        ),
      ),
      this.planes.fill("ties", strokesOf("tie")),
      this.planes.fill("rows", strokesOf("row")),
      this.move(pieces, first ? null : (scene.motions ?? [])),
    ].includes(true);
    this.labels = scene.look.labels ?? [];
    const dice = this.interactive ? scene.motions?.find((motion) => motion.kind === "dice")?.faces : undefined;
    if (dice && !document.hidden) this.roll(dice, scene.turn);
    this.standing = new Map();
    for (const piece of pieces) {
      const key = `${piece.x} ${piece.y}`;
      this.standing.set(key, [...(this.standing.get(key) ?? []), piece]);
    }
    return changed;
  }

  /** Bring the words on the board up to date. */
  write(): void {
    this.planes.fill(
      "labels",
      this.labels.map((label) => draw.label(label, this.said(label), this.colours)),
    );
  }

  /** The words of a label: names that leave no room for what is said of those people are cut. */
  private said({ say, size, w }: Label): string {
    const said = (letters: number): string => say.map((phrase) => this.names.label(phrase, (name) => draw.cut(name, letters))).join(" · ");
    return LETTERS.map(said).find((words) => draw.fitting(words, size, w) === words) ?? said(Number.POSITIVE_INFINITY);
  }

  /** The still part. */
  private lay(plan: BoardPlan, colours: string[], mine: string): void {
    this.plan = plan;
    this.mine = mine;
    const seats = mine.split(" ");
    this.goals = plan.grounds.filter((ground) => ground.kind === "goal" && seats.includes(String(ground.seat)));
    this.places = new Map(plan.places.map((place) => [place.id, place]));
    this.frame = frame(plan);
    this.planes.show(this.frame);
    this.planes.layers.grounds.innerHTML = plan.grounds.map((ground) => draw.ground(ground, colours)).join("");
    this.planes.layers.places.innerHTML = [...plan.places.map(draw.place), ...this.goals.map((goal) => draw.goal(goal, this.frame, colours))].join("");
    this.planes.layers.captions.innerHTML = (plan.captions ?? []).map((caption) => draw.caption(caption, colours)).join("");
    if (this.interactive) this.layFocus(plan);
  }

  private layFocus(plan: BoardPlan): void {
    this.spots.clear();
    const focused = (document.activeElement as Element | null)?.getAttribute("data-place");
    const hadFocus = this.planes.layers.focus.contains(document.activeElement);
    const nodes = plan.places
      .filter((place) => !outside(place, this.frame))
      .map((place) => {
        const node = document.createElementNS(SVG, "rect");
        const [w, h] = place.kind === "slot" ? [Math.max(place.w, 0.2), Math.max(place.h, 0.2)] : [place.w, place.h];
        for (const [key, value] of Object.entries({
          x: draw.n(place.x - w / 2),
          y: draw.n(place.y - h / 2),
          width: draw.n(w),
          height: draw.n(h),
          rx: "6",
          role: "button",
          tabindex: "-1",
          "data-place": place.id,
          class: `spot ${place.kind}`,
        }))
          node.setAttribute(key, value);
        this.spots.set(place.id, node);
        return node;
      });
    this.planes.layers.focus.replaceChildren(...nodes);
    if (hadFocus && focused) this.focus(focused);
  }

  private marked(marks: Mark[], drawing: (mark: Mark, at: Place) => string): string[] {
    return marks.flatMap((mark) => {
      const at = this.places.get(mark.place);
      return at ? [drawing(mark, at)] : [];
    });
  }

  // --- pieces ---

  /** Bring the pieces up to date; with motions (not null), in a way that can be followed. Whether any is other than before. */
  private move(pieces: Piece[], motions: Motion[] | null): boolean {
    const nodes = new Map(this.shown.map((one) => [one.piece, one.node]));
    const change = changes([...nodes.keys()], pieces, motions ?? [], this.places);
    const moving = motions !== null && !calm() && !document.hidden;
    const turning = moving ? motions.find((motion) => motion.kind === "turn") : undefined;
    const next = new Map<Piece, SVGGElement>();
    let changed = change.added.length + change.removed.length > 0;
    for (const [before, after] of change.kept) {
      const node = nodes.get(before);
      if (!node) continue;
      next.set(after, node);
      if (same(before, after)) continue;
      changed = true;
      const elsewhere = before.x !== after.x || before.y !== after.y;
      place(node, after);
      if (before.seat !== after.seat || before.text !== after.text || before.face_down !== after.face_down || before.w !== after.w) {
        const picture = draw.piece(after, this.colours);
        if (moving && !elsewhere) this.lift(node, (done) => flip(node, after, picture, done));
        else dress(node, picture);
      }
      if (moving && elsewhere) this.lift(node, (done) => slideFrom(node, before, after, done));
    }
    const fresh = change.added.map(({ piece, from }, index) => {
      const node = document.createElementNS(SVG, "g");
      dress(node, draw.piece(piece, this.colours));
      place(node, piece);
      next.set(piece, node);
      if (moving && !turning) {
        const dealt = change.added.length >= 12 && this.plan ? { x: this.plan.width / 2, y: this.plan.height / 2 } : null;
        const origin = from ?? dealt;
        if (origin) this.lift(node, (done) => slideFrom(node, origin, piece, done, dealt ? index * 14 : 160));
        else this.lift(node, (done) => grow(node, piece, done));
      }
      return node;
    });
    if (turning)
      this.turned(
        turning,
        change.removed,
        nodes,
        change.added.map(({ piece }) => piece),
        fresh,
      );
    for (const piece of change.removed) {
      const node = nodes.get(piece);
      if (!node) continue;
      if (moving && !(turning && inside(piece, turning))) {
        this.planes.layers.lifted.append(node);
        this.undo.push(vanish(node));
      } else if (!turning) node.remove();
    }
    this.shown = pieces.flatMap((piece) => {
      const node = next.get(piece);
      return node ? { piece, node } : [];
    });
    this.arrange();
    return changed;
  }

  /** Chance decides, for everyone to see; whoever acts then is marked. */
  private roll(faces: number[], turn: number | undefined): void {
    const { x, y, w, h } = this.frame;
    const open = [...this.places.values()].filter((place) => place.kind !== "button" && place.kind !== "slot");
    this.undo.push(
      rollDice(this.planes.layers.dice, faces, between(open, faces.length, x + w / 2, y + h / 2), calm(), (face, seat, settled) =>
        draw.die(face, seat, this.colours, settled && seat === turn),
      ),
    );
  }

  /** Let a piece move above the others; then it is put down among them. */
  private lift(node: SVGGElement, moves: (done: () => void) => () => void): void {
    this.planes.layers.lifted.append(node);
    this.undo.push(
      moves(() => {
        node.remove();
        this.arrange();
      }),
    );
  }

  /** The order of the scene is the order of painting; nodes that stand right are not touched, and what moves is left alone. */
  private arrange(): void {
    const { pieces, lifted } = this.planes.layers;
    let at: Element | null = pieces.firstElementChild;
    for (const { node } of this.shown) {
      if (node.parentNode === lifted) continue;
      while (at?.classList.contains("turning")) at = at.nextElementSibling;
      if (node === at) at = at.nextElementSibling;
      else pieces.insertBefore(node, at);
    }
  }

  /** The window turns with what stood in it; then the new pieces are there. */
  private turned(motion: Motion, removed: Piece[], nodes: Map<Piece, SVGGElement>, added: Piece[], fresh: SVGGElement[]): void {
    const gone = removed.filter((piece) => inside(piece, motion));
    const cells = (this.plan?.places ?? [])
      .filter((at) => at.kind === "cell" && inside({ ...at, id: at.id }, motion))
      .map(draw.place)
      .join("");
    const ground = draw.rect(motion.x ?? 0, motion.y ?? 0, motion.w ?? 0, motion.h ?? 0, 0.06, `fill="url(#wood)"`) + cells;
    const moved = gone.filter((piece) => survives(piece, motion, added)).flatMap((piece) => nodes.get(piece) ?? []);
    const lost = gone.filter((piece) => !survives(piece, motion, added)).flatMap((piece) => nodes.get(piece) ?? []);
    for (const node of [...moved, ...lost]) node.remove();
    this.undo.push(turnWindow(this.planes.layers.pieces, motion, ground, moved, lost, fresh));
  }

  /** End everything that still moves, at once. */
  settle(): void {
    for (const end of this.undo.splice(0)) end();
  }

  // --- what one is about to do ---

  /** Places that can be pointed at (slots are seen only while they are planned: there are many), and places pointed at already. */
  aim(targets: Set<string>, path: string[], seat: number | null, slots: boolean): void {
    this.targets = targets;
    const at = (id: string): Place | undefined => this.places.get(id);
    const wanted = [...targets].map(at).filter((place): place is Place => place !== undefined);
    this.planes.fill(
      "targets",
      wanted.filter((place) => place.kind !== "button" && (slots || place.kind !== "slot")).map((place) => draw.target(place, this.taken(place))),
    );
    this.planes.fill(
      "buttons",
      wanted.filter((place) => place.kind === "button" && !outside(place, this.frame)).map((place) => draw.button(place, this.names.place(place))),
    );
    this.root.classList.toggle("many", slots && wanted.filter((place) => place.kind === "slot").length > 12); // then each is shown more quietly
    this.planes.fill("chosen", this.unfinished(path, seat));
    this.root.classList.toggle("choosing", path.length > 0);
  }

  /** What is written at places; of several notes at one spot only the first, and the first of all on top. */
  note(notes: readonly draw.Note[]): void {
    const taken = new Set<string>();
    const written = notes.flatMap((note) => {
      const at = this.places.get(note.path[note.path.length - 1] ?? ""),
        spot = `${at?.x} ${at?.y}`;
      if (!at || outside(at, this.frame) || taken.has(spot)) return [];
      taken.add(spot);
      return [draw.note(at, note)];
    });
    this.planes.fill("notes", written.reverse());
  }

  raise(id: string | null): void {
    const place = id === null ? undefined : this.places.get(id);
    this.planes.fill("raised", place && place.kind !== "button" ? [draw.raised(place, this.taken(place))] : []);
    this.root.style.cursor = place ? "pointer" : "";
  }

  private taken(place: Place): boolean {
    return this.standing.has(`${place.x} ${place.y}`);
  }

  /** Show what an action would bring, over what is; null: nothing. */
  ghost(scene: { look: { pieces?: Piece[] }; motions?: Motion[] } | null): void {
    for (const node of this.ghosted.splice(0)) node.classList.remove("fading", "doomed");
    if (!scene) {
      this.planes.fill("ghosts", []);
      return;
    }
    const nodes = new Map(this.shown.map((one) => [one.piece, one.node]));
    const motions = scene.motions ?? [];
    const change = changes([...nodes.keys()], scene.look.pieces ?? [], motions, this.places);
    const turning = motions.find((motion) => motion.kind === "turn");
    const added = change.added.map(({ piece }) => piece);
    const picture = turning
      ? [
          draw.rect(
            turning.x ?? 0,
            turning.y ?? 0,
            turning.w ?? 0,
            turning.h ?? 0,
            0.08,
            `class="window" fill="var(--accent)" fill-opacity=".1" stroke="var(--accent)" stroke-width="5" filter="url(#lift)"`,
          ),
        ]
      : [];
    const put = (piece: Piece): string => `<g class="ghost" transform="${transform(piece)}">${draw.piece(piece, this.colours)}</g>`;
    picture.push(...added.map(put));
    for (const [before, after] of change.kept) {
      if (same(before, after)) continue;
      picture.push(put(after));
      this.fade(nodes.get(before), "fading");
    }
    for (const piece of change.removed) this.fade(nodes.get(piece), turning && inside(piece, turning) && survives(piece, turning, added) ? "fading" : "doomed");
    this.planes.fill("ghosts", picture);
  }

  private fade(node: SVGGElement | undefined, how: string): void {
    if (!node) return;
    node.classList.add(how);
    this.ghosted.push(node);
  }

  /** An unfinished action: its places, and what stands on the first of them also on the last that is like it. */
  private unfinished(path: string[], seat: number | null): string[] {
    const places = path.map((id) => this.places.get(id)).filter((place): place is Place => place !== undefined && place.kind !== "button");
    const colour = seat === null ? "accent" : (this.colours[seat] ?? "accent");
    const picture = places.map((place) => draw.chosen(place, colour));
    const first = places[0] && this.standing.get(`${places[0].x} ${places[0].y}`)?.[0];
    const last = places.filter((place) => place.kind === places[0]?.kind).pop();
    if (!first || !last || last === places[0]) return picture;
    return [...picture, `<g class="ghost" transform="${transform({ ...first, x: last.x, y: last.y })}">${draw.piece(first, this.colours)}</g>`];
  }

  // --- names and focus ---

  /** Bring what is spoken up to date; nobody sees it, so it need not be done at once. */
  name(): void {
    for (const [id, node] of this.spots) {
      const place = this.places.get(id),
        target = this.targets.has(id);
      if (!place) continue;
      if (place.kind === "button") node.setAttribute("display", target ? "inline" : "none");
      const label = this.names.spoken(place, this.standing.get(`${place.x} ${place.y}`) ?? [], target, this.reaches(place));
      if (node.getAttribute("aria-label") !== label) node.setAttribute("aria-label", label);
      const disabled = target ? "false" : "true";
      if (node.getAttribute("aria-disabled") !== disabled) node.setAttribute("aria-disabled", disabled);
    }
  }

  private reaches(place: Place): boolean {
    return place.kind === "cell" && this.goals.some((goal) => Math.abs(place.x - goal.x) < goal.w / 2 && Math.abs(place.y - goal.y) < goal.h / 2);
  }

  focus(id: string): void {
    const node = this.spots.get(id);
    if (!node) return;
    this.entrance(id);
    node.focus({ preventScroll: true });
  }

  /** The one place that the tab key leads to. */
  entrance(id: string): void {
    for (const [other, node] of this.spots) {
      const wanted = other === id ? "0" : "-1";
      if (node.getAttribute("tabindex") !== wanted) node.setAttribute("tabindex", wanted);
    }
  }

  get focused(): string | null {
    const node = document.activeElement;
    return node && this.planes.layers.focus.contains(node) ? node.getAttribute("data-place") : null;
  }

  /** Where on the board a point of the window lies. */
  at(clientX: number, clientY: number): { x: number; y: number } {
    const box = boxOf(this.root);
    const { x, y, w, h } = this.frame;
    const scale = Math.min(box.width / w, box.height / h) || 1;
    return { x: (clientX - box.left - (box.width - w * scale) / 2) / scale + x, y: (clientY - box.top - (box.height - h * scale) / 2) / scale + y };
  }
}

function transform(piece: Piece): string {
  return `translate(${draw.n(piece.x)} ${draw.n(piece.y)})${piece.turned ? ` rotate(${piece.turned})` : ""}`;
}

function place(node: SVGGElement, piece: Piece): void {
  node.setAttribute("transform", transform(piece));
  node.setAttribute("class", `piece ${piece.kind}`);
}
