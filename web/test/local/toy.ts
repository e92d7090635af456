// A tiny game for tests, as the engine's positions are: seats take one or two sticks in turn, whoever takes the last scores as many points as chance had
// laid sticks there; a game goes over so many rounds. With secrets, each seat has a number that chance gave it, and only that seat may see it.

import { type Game, OPEN, type Position, Refused, type RoundAccount } from "../../src/engine/contract";
import type { Scene } from "../../src/net/scenes";
import type { Phrase } from "../../src/net/types";

interface Shape {
  seats: number;
  rounds: number;
  secrets: boolean;
  teams?: boolean;
  /** Sticks that lie there at the start, without chance. */
  laid?: number;
}

/** The bytes: sticks (0: to be laid), who is to act, how many rounds are left, then the scores, then the secrets (255: unknown). */
class Toy implements Position {
  constructor(
    readonly game: ToyGame,
    readonly record: Uint8Array,
    readonly viewer: number = OPEN,
    readonly closing: Toy | null = null,
  ) {}

  private at(index: number): number {
    return this.record[index] ?? 0;
  }
  get seat(): number | null {
    return this.chance || this.over ? null : this.at(1);
  }
  get chance(): boolean {
    return this.at(0) === 0 && this.at(2) > 0;
  }
  get over(): boolean {
    return this.at(0) === 0 && this.at(2) === 0;
  }
  get scores(): number[] {
    return [...this.record.slice(3, 3 + this.game.seats)];
  }
  get winner(): number[] | null {
    const best = Math.max(...this.scores);
    return this.over ? this.scores.flatMap((score, seat) => (score === best ? seat : [])) : null;
  }
  winnerAmong(seats: readonly number[]): number[] {
    const best = Math.max(...seats.map((seat) => this.scores[seat] ?? 0));
    return seats.filter((seat) => this.scores[seat] === best);
  }
  get text(): string {
    return [...this.record].join(" ");
  }
  get actions(): ReadonlyMap<string, number> {
    const mine = this.seat !== null && (this.viewer === OPEN || this.viewer === this.seat);
    return new Map(mine ? [1, 2].filter((n) => n <= this.at(0)).map((n) => [`take ${n}`, n]) : []);
  }

  play(text: string): Toy {
    if (this.over) throw new Refused("over", { key: "refusals.over" });
    const next = this.record.slice();
    if (this.chance) {
      const [sticks = 0, ...secrets] = text.split(" ").map(Number);
      next[0] = sticks;
      secrets.forEach((secret, seat) => {
        next[3 + this.game.seats + seat] = this.viewer === OPEN || this.viewer === seat ? secret : 255;
      });
      return new Toy(this.game, next, this.viewer);
    }
    const n = this.actions.get(text);
    if (n === undefined) throw new Refused("no-such-move", { key: "refusals.no-such-move", values: { text } });
    next[0] = this.at(0) - n;
    if (next[0] > 0) next[1] = (this.at(1) + 1) % this.game.seats;
    else {
      next[2] = this.at(2) - 1;
      next[3 + this.at(1)] = this.at(3 + this.at(1)) + 5;
    }
    return new Toy(this.game, next, this.viewer, next[0] === 0 && this.game.shape.rounds > 1 ? this : null);
  }

  draw(dice: BigInt64Array): [string, Toy] {
    const { seats, secrets } = this.game.shape;
    const text = ["5", ...(secrets ? Array.from({ length: seats }, (_, seat) => String((Number(dice[0] ?? 0n) + seat) % 200)) : [])].join(" ");
    return [text, this.play(text)];
  }

  forced(): string {
    return "take 1";
  }

  view(viewer: number): Toy {
    const record = this.record.slice();
    for (let seat = 0; seat < this.game.seats; seat++)
      if (this.game.shape.secrets && seat !== viewer && viewer !== OPEN) record[3 + this.game.seats + seat] = 255;
    return new Toy(this.game, record, viewer, this.closing?.view(viewer) ?? null);
  }

  told = (text: string, viewer: number): string => (this.game.shape.secrets && viewer !== this.seat ? "take ?" : text);
  toldChance = (text: string): string => text.split(" ")[0] ?? "";
  inWords = (text: string): { say: Phrase } => ({ say: { key: `moves.${text}` } });
  clicks = (text: string): string[] => text.split(" ");
  whyNot = (places: readonly string[]): Refused | null => (places[0] === "take" ? null : new Refused("no-such-move", { key: "refusals.no-such-move" }));

  scene(): Scene {
    return {
      board: { width: 1, height: 1, grounds: [], places: [] },
      look: { pieces: [{ id: "text", kind: "disc", x: 0, y: 0, w: 1, h: 1, text: this.text }] },
      colours: [],
    };
  }

  account(): RoundAccount | null {
    return this.closing ? { dealer: 0, out: this.closing.seat, points: 5, why: [] } : null;
  }
}

export class ToyGame implements Game {
  readonly name = "toy";
  readonly options = { rounds: 1 };
  readonly seats: number;
  constructor(readonly shape: Shape) {
    this.seats = shape.seats;
  }
  start(seed?: bigint): Toy {
    const first = new Toy(this, Uint8Array.from([this.shape.laid ?? 0, 0, this.shape.rounds, ...Array(2 * this.seats).fill(0)]));
    return seed === undefined ? first : first.draw(BigInt64Array.of(seed, 0n, 0n))[1];
  }
  parse(text: string, viewer = OPEN): Toy {
    return new Toy(this, Uint8Array.from(text.split(" ").map(Number)), viewer);
  }
}
