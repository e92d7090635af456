// A game and its positions in the browser: hanpan.game, member for member. Rules come as WebAssembly, what one sees and reads as translated Python.

import type { Scene } from "../net/scenes";
import type { Phrase, Value } from "../net/types";
import { CHANCE, type Game, OPEN, OVER, type Position, Refused, type RoundAccount, type Rules, SPECTATOR } from "./contract";
import * as py from "./python";
import { rng } from "./random";

type Any = py.Any;

/** What hanpan.engine.views makes of a game's folder. */
export type Views = (runtime: typeof py, host: Host) => Made;

interface Made {
  layout: py.Layout;
  options: Any[];
  check: (option: Any, value: Any) => Any;
  code: (option: Any, value: Any) => bigint;
  book: Any; // past, picture, meant: what a rulebook knows of pictures
  Scene: (...given: Any[]) => Any;
  Past: (...given: Any[]) => Any;
  scene: Any;
  text: Any;
  rounds?: Any;
}

/** Rules that translated functions leave to the module: they work on a record in place. */
class Host {
  constructor(private readonly rules: Rules) {}
  chance = (s: Any, dice: py.Array_): null => {
    const numbers = BigInt64Array.from(dice.tolist());
    s.bytes.set(this.rules.chance(s.bytes, numbers));
    dice.put(py.slice(null, null, null), [...numbers]);
    return null;
  };
  legal = (s: Any, out: py.Array_): bigint => {
    const found = this.rules.legal(s.bytes);
    for (const [at, action] of found.entries()) out.put(BigInt(at), BigInt(action));
    return BigInt(found.length);
  };
  apply = (s: Any, action: bigint): null => {
    s.bytes.set(this.rules.apply(s.bytes, Number(action)));
    return null;
  };
  outcome = (s: Any, out: py.Array_): bigint => {
    const { scores, winners } = this.rules.outcome(s.bytes);
    for (const [at, score] of scores.slice(0, out.length).entries()) out.put(BigInt(at), BigInt(score));
    return BigInt(winners);
  };
  hide = (s: Any, viewer: bigint): null => {
    s.bytes.set(this.rules.hide(s.bytes, Number(viewer)));
    return null;
  };
}

/** What goes wrong in translated Python, as the page knows it. */
function refusing<T>(done: () => T): T {
  try {
    return done();
  } catch (wrong) {
    if (wrong instanceof py.IllegalActionError || wrong instanceof py.UnfitError) throw new Refused(wrong.code, py.json(wrong.phrase));
    throw wrong;
  }
}

// A fraction stays what it is: the option itself refuses it.
const given = (value: Value): Any => (typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value);
const plain = (value: Any): Value => (typeof value === "bigint" ? Number(value) : value);

export class LocalGame implements Game {
  readonly options: Readonly<Record<string, Value>>;
  readonly seats: number;
  readonly made: Made;
  private readonly first: Uint8Array;

  constructor(
    readonly name: string,
    readonly rules: Rules,
    views: Views,
    options: Readonly<Record<string, Value>> = {},
  ) {
    this.made = views(py, new Host(rules));
    const chosen = refusing(() => this.check(options));
    this.options = Object.fromEntries(chosen.items().map(([name, value]) => [name, plain(value)]));
    const codes = this.made.options.map((option) => Number(this.made.code(option, chosen.get(option.name))));
    this.first = rules.start(codes);
    refusing(() => this.made.text.prepare(this.record(this.first), chosen));
    this.seats = rules.seats(this.first);
  }

  private check(options: Readonly<Record<string, Value>>): py.Dict {
    const known = new Map(this.made.options.map((option) => [option.name, option]));
    for (const name of Object.keys(options)) {
      if (!known.has(name)) throw py.named(py.Unfit, ["no-option"], { option: name, game: this.name, options: [...known.keys()].join(", ") || "–" });
    }
    const asked = py.dict(Object.entries(options).map(([name, value]) => [name, given(value)]));
    const checked = py.dict([...known].map(([name, option]) => [name, this.made.check(option, asked.get(name, option.default))]));
    return this.made.text.settle(checked, asked);
  }

  /** A record over bytes, as translated Python reads it. */
  record(bytes: Uint8Array): Any {
    return this.made.layout.over(bytes);
  }

  start(seed?: bigint): LocalPosition {
    let position = new LocalPosition(this, this.first.slice(), OPEN, this.made.Past());
    if (seed === undefined) return position;
    const dice = rng(seed);
    while (position.chance) position = position.draw(dice)[1];
    return position;
  }

  parse(text: string, viewer = OPEN): LocalPosition {
    return refusing(() => {
      const own = this.made.text.foreign_position(text) ?? text;
      const bytes = this.first.slice();
      this.made.text.parse_position(this.record(bytes), own, BigInt(viewer));
      const position = new LocalPosition(this, bytes, viewer, this.made.Past());
      if (position.text !== own) throw py.named(py.Unfit, ["canonical"], { text: py.repr(position.text) });
      return position;
    });
  }

  /** What a viewer (a seat, SPECTATOR) may know of a record, where the last action is seen, and how it moved things. */
  seen(record: Uint8Array, viewer: number, trail: readonly string[], motions: readonly object[]): LocalPosition {
    const past = py.named(this.made.Past, [], { trail: py.tuple(trail), motions: py.tuple(motions.map((motion) => py.dict(Object.entries(motion)))) });
    return new LocalPosition(this, this.rules.hide(record, viewer), viewer, past);
  }

  /** The places of a viewer's own board. */
  places(record: Uint8Array, viewer: number): string[] {
    return [...this.made.scene.board(this.record(record), BigInt(viewer)).places].map((place: Any) => place.id);
  }
}

export class LocalPosition implements Position {
  closing: LocalPosition | null = null;
  private readonly mover: number;
  private readonly s: Any; // the record, as translated Python reads it
  private known: Map<string, number> | null = null;

  constructor(
    readonly game: LocalGame,
    readonly record: Uint8Array,
    readonly viewer: number,
    private readonly past: Any,
  ) {
    this.mover = game.rules.mover(record);
    this.s = game.record(record);
  }

  get seat(): number | null {
    return this.mover >= 0 ? this.mover : null;
  }

  get chance(): boolean {
    return this.mover === CHANCE;
  }

  get over(): boolean {
    return this.mover === OVER;
  }

  get scores(): number[] {
    return this.game.rules.outcome(this.record).scores.slice(0, this.game.seats);
  }

  get winner(): number[] | null {
    const { winners } = this.game.rules.outcome(this.record);
    return this.over ? this.seats(winners) : null;
  }

  winnerAmong(seats: readonly number[]): number[] {
    return this.seats(
      this.game.rules.outcomeAmong(
        this.record,
        seats.reduce((bits, seat) => bits | (1 << seat), 0),
      ),
    );
  }

  private seats(bits: number): number[] {
    return Array.from({ length: this.game.seats }, (_, seat) => seat).filter((seat) => (bits >> seat) & 1);
  }

  get text(): string {
    return this.hooks.text.format_position(this.s);
  }

  /** Whether this is what the seat to act sees, or everything. */
  private get acting(): boolean {
    return this.mover >= 0 && (this.viewer === OPEN || this.viewer === this.mover);
  }

  get actions(): Map<string, number> {
    if (!this.acting) return new Map();
    if (!this.known) {
      const s = this.s;
      const named = this.game.rules.legal(this.record).map((action): [string, number] => [this.hooks.text.format_action(s, BigInt(action)), action]);
      this.known = new Map(named.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
    }
    return this.known;
  }

  private get hooks(): Made {
    return this.game.made;
  }

  /** The legal action that a text names; where the others are not known yet, only this one is written out. Refused where the text can't be read. */
  private called(text: string): number | undefined {
    if (this.known) return this.known.get(text);
    const { parse_action, format_action } = this.hooks.text;
    const action = Number(parse_action(this.s, text));
    return this.game.rules.legal(this.record).includes(action) && format_action(this.s, BigInt(action)) === text ? action : undefined;
  }

  private action(text: string): number {
    const action = this.acting ? this.called(text) : undefined;
    if (action === undefined) throw new Error(`${text} is not legal here`);
    return action;
  }

  play(text: string): LocalPosition {
    return refusing(() => {
      if (this.over) throw py.IllegalAction("over");
      const { text: notation, book } = this.hooks;
      if (this.chance) {
        const after = this.record.slice();
        notation.parse_chance(this.game.record(after), text);
        return this.next(text, this.viewer === OPEN ? after : this.game.rules.hide(after, this.viewer), this.drawn(after, text));
      }
      if (!this.acting) throw py.named(py.IllegalAction, ["not-your-turn"], { seat: BigInt(this.mover + 1) });
      const action = this.called(text);
      if (action === undefined) throw notation.refusal(this.s, notation.parse_action(this.s, text));
      const past = book.past({ scene: this.hooks.scene }, this.s, BigInt(action), BigInt(this.mover), this.past);
      return this.next(text, this.game.rules.apply(this.record, action), past);
    });
  }

  draw(dice: BigInt64Array): [string, LocalPosition] {
    const after = this.record.slice();
    const numbers = py.ndarray([...dice]);
    const text = this.hooks.text.draw_chance(this.game.record(after), numbers);
    dice.set(numbers.tolist());
    return [text, this.next(text, after, this.drawn(after, text))];
  }

  /** How what chance decided is shown. */
  private drawn(after: Uint8Array, text: string): Any {
    return py.named(this.hooks.Past, [], { motions: py.tuple(this.hooks.scene.chance_motions(this.game.record(after), text)), builders: this.past.builders });
  }

  /** The position after an action, with how the part of the game lay that it ended. */
  private next(text: string, record: Uint8Array, past: Any): LocalPosition {
    const following = new LocalPosition(this.game, record, this.viewer, past);
    if (this.hooks.rounds && following.seat === null) {
      const lay = this.record.slice();
      if (this.hooks.rounds.closed(this.game.record(lay), text)) {
        const seen = this.viewer === OPEN ? lay : this.game.rules.hide(lay, this.viewer);
        following.closing = new LocalPosition(this.game, seen, this.viewer, past);
      }
    }
    return following;
  }

  forced(seed: bigint, draft: readonly string[] = []): string {
    if (!this.acting) throw new Error("forced: no seat that is seen here is to act");
    if (draft.length > 1 && draft[0] !== draft[1]) {
      const kept = [...this.actions.keys()].filter((text) => begins(this.clicks(text), draft));
      const chosen = kept[Number((rng(seed, 1n)[0] ?? 0n) % BigInt(kept.length || 1))];
      if (chosen !== undefined) return chosen;
    }
    return this.hooks.text.format_action(this.s, BigInt(this.game.rules.forced(this.record, rng(seed))));
  }

  view(viewer: number): LocalPosition {
    if (this.viewer !== OPEN && this.viewer !== viewer) throw new Error("this is someone else's view already");
    if (viewer !== SPECTATOR && !(viewer >= 0 && viewer < this.game.seats)) throw new Error(`there is no seat ${viewer}`);
    const seen = new LocalPosition(this.game, this.game.rules.hide(this.record, viewer), viewer, this.past);
    seen.closing = this.closing?.view(viewer) ?? null;
    return seen;
  }

  told(text: string, viewer: number): string {
    const action = this.action(text);
    const tell = this.hooks.text.told;
    return viewer === this.mover || tell === null ? text : tell(this.s, BigInt(action));
  }

  toldChance(text: string): string {
    return this.hooks.text.told_chance(text);
  }

  inWords(text: string): { say?: Phrase; heard?: Phrase } {
    const { spoken, heard } = this.hooks.text,
      say: Phrase | null = py.json(spoken(text)),
      aloud: Phrase | null = py.json(heard(text));
    return { ...(say ? { say } : {}), ...(aloud ? { heard: aloud } : {}) };
  }

  clicks(text: string): string[] {
    return py.list(this.hooks.scene.clicks(this.s, BigInt(this.action(text))));
  }

  whyNot(places: readonly string[]): Refused | null {
    if (!this.acting || [...this.actions.keys()].some((text) => begins(this.clicks(text), places))) return null;
    const meant = this.hooks.book.meant({ scene: this.hooks.scene, rules: this.hooks.book }, this.s, py.tuple(places));
    if (meant === null) return null;
    const refused = this.hooks.text.refusal(this.s, meant);
    return new Refused(refused.code, py.json(refused.phrase));
  }

  scene(targets = false): Scene {
    return py.json(this.picture(targets));
  }

  private picture(targets: boolean): Any {
    const { scene, book, Scene } = this.hooks;
    const [s, viewer] = [this.s, BigInt(this.viewer)];
    const reason = this.over ? scene.reason(s, viewer) : null;
    if (this.closing) return py.replaced(this.closing.picture(false), { reason });
    const [board, look] = book.picture({ scene }, s, viewer, this.past);
    const first = targets ? [...new Set([...this.actions.keys()].map((text) => this.clicks(text)[0]))].sort() : [];
    const prompt = this.mover >= 0 ? scene.prompt(s, viewer) : null;
    const colours = py.tuple(scene.COLOURS.slice(0, this.game.seats));
    return Scene(board, look, colours, this.seat === null ? null : BigInt(this.seat), py.tuple(first), this.past.motions, reason, prompt);
  }

  account(): RoundAccount | null {
    if (!this.closing || !this.hooks.rounds) return null;
    const { dealer, out, points, why } = this.hooks.rounds.account(this.closing.s);
    return { dealer: Number(dealer), out: out === null ? null : Number(out), points: Number(points), why: why.map(py.json) };
  }
}

const begins = (path: readonly string[], places: readonly string[]): boolean => places.every((place, at) => path[at] === place);
