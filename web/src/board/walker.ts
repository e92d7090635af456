// Walks the click sequences that the server gives: which places can be pointed at next, and which action they make.

/** Every legal action with the places a person points at, in order, to play it. */
export type Clicks = Record<string, string[]>;

export type Step =
  | { kind: "play"; action: string } // the last place of an action
  | { kind: "step" } // one place further, or back
  | { kind: "refused"; places: string[] }; // no action goes on like this

export class Walker {
  /** The places pointed at so far. */
  path: string[] = [];
  readonly idle: boolean;
  private readonly after = new Map<string, Set<string>>(); // the targets of paths that were asked for

  private readonly groups = new Map<string, string[]>(); // of each place that means the same as others, those others and itself

  constructor(
    private readonly clicks: Clicks = {},
    alike: string[][] = [],
  ) {
    for (const group of alike) for (const place of group) this.groups.set(place, group);
    this.idle = Object.keys(clicks).length === 0;
  }

  /** The places that can be pointed at next. */
  targets(path: string[] = this.path): Set<string> {
    const key = path.join(" ");
    const known = this.after.get(key);
    if (known) return known;
    const found = new Set<string>(),
      meant = this.meant(path);
    this.after.set(key, found);
    for (const places of Object.values(this.clicks)) {
      const next = places[path.length];
      if (next === undefined || !begins(places, meant)) continue;
      const group = this.groups.get(next);
      if (!group) found.add(next);
      else for (const place of group) if (!path.includes(place)) found.add(place);
    }
    return found;
  }

  /** Whether an action's places go on from those pointed at so far. */
  goesOn(places: readonly string[], path: string[] = this.path): boolean {
    return begins(places, this.meant(path));
  }

  /** What a path means: of places that mean the same, the first, and then the next. */
  private meant(path: string[]): string[] {
    const used = new Map<string[], string[]>();
    return path.map((place) => {
      const group = this.groups.get(place);
      if (!group) return place;
      const before = used.get(group) ?? [];
      if (!before.includes(place)) before.push(place);
      used.set(group, before);
      return group[before.indexOf(place)] ?? place;
    });
  }

  /** The action that pointing at this place next would complete. */
  completes(place: string): string | null {
    const path = this.meant([...this.path, place]);
    for (const [action, places] of Object.entries(this.clicks)) if (places.length === path.length && begins(places, path)) return action;
    return null;
  }

  /** Point at a place: one step further; or another beginning, when the place does not go on from here. */
  point(place: string): Step {
    if (this.targets().has(place)) {
      const action = this.completes(place);
      if (action !== null) {
        this.path = [];
        return { kind: "play", action };
      }
      this.path = [...this.path, place];
      return { kind: "step" };
    }
    const tried = this.meant([...this.path, place]);
    const again = this.path.indexOf(place);
    if (again >= 0) {
      this.path = this.path.slice(0, again); // pointing at what was chosen takes it back
      return { kind: "step" };
    }
    if (this.path.length && this.targets([]).has(place)) {
      this.path = [];
      return this.point(place);
    }
    return { kind: "refused", places: tried };
  }

  /** One step back; false at the beginning. */
  back(): boolean {
    if (!this.path.length) return false;
    this.path = this.path.slice(0, -1);
    return true;
  }

  /** How an action would be walked. */
  pathOf(action: string): string[] | undefined {
    return this.clicks[action];
  }
}

function begins(places: readonly string[], path: readonly string[]): boolean {
  return path.every((place, n) => places[n] === place);
}
