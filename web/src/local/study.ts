// A game taken apart: its positions as a tree. What was played is the trunk; whatever is tried out branches off it.

import type { Game, Position } from "../engine/contract";

/** What a position is worth to the seat to act, by its legal actions: points, the best first. */
export interface Judgement {
  values: ReadonlyMap<string, number>;
  line: readonly string[];
  depth: number;
  nodes: number;
  /** The game is decided: no deeper search changes it. */
  sure: boolean;
  /** Each seat's chance to win after the best action, where the search knows it. */
  chances?: readonly number[];
}

/** A position in the tree, and how it came about. */
export class Knot {
  readonly children: Knot[] = [];
  judgement: Judgement | null = null;
  /** Who won the game that ended here, where the rules alone would say otherwise: someone had given up on the way. */
  told: readonly number[] | null = null;
  private known: ReturnType<Position["inWords"]> | null = null;

  constructor(
    readonly position: Position,
    readonly parent: Knot | null = null,
    readonly action: string | null = null,
    /** Whether it was played, and not only tried out. */
    readonly trunk = true,
  ) {}

  /** Who acted; null: chance. */
  get seat(): number | null {
    return this.parent?.position.seat ?? null;
  }

  /** The action in the game's words, where it has some for it: as it is read, and for those who listen. */
  get words(): ReturnType<Position["inWords"]> {
    this.known ??= this.parent?.position.inWords(this.action ?? "") ?? {};
    return this.known;
  }

  /** Who has won; null while it goes on. */
  private get winner(): readonly number[] | null {
    return this.position.over ? (this.told ?? this.position.winner) : null;
  }

  get ply(): number {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** What the position is worth to a seat, as far as it is known. */
  worth(seat: number, sides: readonly number[]): number | null {
    const { position, winner } = this;
    if (winner) return ended(winner, seat, sides);
    const [best] = this.judgement?.values.values() ?? [];
    if (best === undefined || position.seat === null) return null;
    return sides[position.seat] === sides[seat] ? best : -best;
  }

  /** Each seat's chance to win, as far as it is known: among three, what one of them hopes for says nothing of the others. */
  chances(seats: number): number[] | null {
    const { winner } = this;
    if (!winner) return this.judgement?.chances?.slice(0, seats) ?? null;
    const won = Array.from({ length: seats }, (_, seat) => Number(!winner.length || winner.includes(seat)));
    const all = won.reduce((sum, one) => sum + one, 0);
    return won.map((one) => one / all);
  }
}

/** So many points as are never made: it is won. */
export const WON = 10_000;

function ended(winner: readonly number[], seat: number, sides: readonly number[]): number {
  if (!winner.length) return 0;
  return winner.some((other) => sides[other] === sides[seat]) ? WON : -WON;
}

export class Study {
  readonly root: Knot;
  /** The knot that is looked at. */
  at: Knot;
  /** Of each knot, the child that was gone to last: stepping forward goes there. */
  private readonly onward = new Map<Knot, Knot>();

  /** `actions`: what was played; where it can't be gone on with, the trunk ends there. `winner`: who won that game. */
  constructor(
    game: Game,
    actions: readonly string[],
    readonly start: Position = game.start(),
    winner: readonly number[] | null = null,
  ) {
    this.root = new Knot(start);
    let last = this.root;
    for (const action of actions) last = this.grow(last, action, true);
    last.told = winner;
    this.at = last;
  }

  private grow(from: Knot, action: string, trunk: boolean): Knot {
    const made = new Knot(from.position.play(action), from, action, trunk);
    from.children.push(made);
    this.onward.set(from, made);
    return made;
  }

  /** Try an action out: the branch that begins with it, known already or new. Refused where the rules do not allow it. */
  play(action: string): Knot {
    const known = this.at.children.find((child) => child.action === action);
    if (known) this.onward.set(this.at, known);
    this.at = known ?? this.grow(this.at, action, false);
    return this.at;
  }

  /** Let chance decide, where it is to act. */
  draw(dice: BigInt64Array): Knot {
    return this.play(this.at.position.draw(dice)[0]);
  }

  go(to: Knot): void {
    this.at = to;
    for (let child = to; child.parent; child = child.parent) this.onward.set(child.parent, child);
  }

  back(): void {
    if (this.at.parent) this.at = this.at.parent;
  }

  forward(): void {
    this.at = this.onward.get(this.at) ?? this.at;
  }

  /** From the beginning over the present position to the end of its branch. */
  line(): Knot[] {
    const found = [this.at];
    for (let knot = this.at.parent; knot; knot = knot.parent) found.unshift(knot);
    for (let knot = this.onward.get(this.at); knot; knot = this.onward.get(knot)) found.push(knot);
    return found;
  }

  /** What was played. */
  trunk(): Knot[] {
    const found = [this.root];
    for (let knot = child(this.root); knot; knot = child(knot)) found.push(knot);
    return found;
  }

  /** Where the present line leaves what was played: the first knot that was only tried out; null in the game itself, and where nothing was played. */
  offTrunk(): Knot | null {
    if (this.trunk().length === 1) return null;
    return this.line().find((knot) => !knot.trunk) ?? null;
  }

  /** Back to what was played, where the present line has left it; stepping forward goes on with the game. */
  backToTrunk(): void {
    while (!this.at.trunk && this.at.parent) this.at = this.at.parent;
    for (const knot of this.trunk()) {
      const next = child(knot);
      if (next) this.onward.set(knot, next);
      else this.onward.delete(knot);
    }
  }

  /** Forget a branch that was tried out. */
  prune(branch: Knot): void {
    const { parent } = branch;
    if (!parent || branch.trunk) return;
    parent.children.splice(parent.children.indexOf(branch), 1);
    this.onward.delete(parent);
    const rest = child(parent) ?? parent.children[0];
    if (rest) this.onward.set(parent, rest);
    if (this.within(branch)) this.at = parent;
  }

  private within(branch: Knot): boolean {
    for (let knot: Knot | null = this.at; knot; knot = knot.parent) if (knot === branch) return true;
    return false;
  }
}

const child = (knot: Knot): Knot | undefined => knot.children.find((each) => each.trunk);
