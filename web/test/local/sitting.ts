// For tests of a room in the browser: someone who sits at a table there.
import assert from "node:assert/strict";
import type { Position } from "../../src/engine/contract";
import { type KeptGame, newGame, Pocket, Shelf } from "../../src/local/kept";
import { LocalRoom } from "../../src/local/room";
import { Refused } from "../../src/net/connection";
import type { BoardInfo, GameOver, HistoryInfo, PlayerInfo, PrivateBoardInfo, RoomInfo } from "../../src/net/types";
import { ToyGame } from "./toy";

interface Heard {
  info: RoomInfo;
  "player info": PlayerInfo;
  "board info": BoardInfo;
  "private board info": PrivateBoardInfo;
  "game history info": HistoryInfo;
  "game over": GameOver;
}

let now = 1500; // one clock for all windows

/** A room at a table where everything that happens later happens when the test says so. */
export class Sitting {
  readonly heard: [string, object][] = [];
  readonly asked: { seen: Position; level: number }[] = [];
  readonly others: KeptGame[] = [];
  readonly faults: unknown[] = [];
  readonly due = new Set<() => void>();
  stopped = 0;
  decisions: string[] = [];
  alone = async <T>(doing: () => T): Promise<T> => doing();
  thinks: (seen: Position, level: number) => Promise<string> = async () => "take 1";
  readonly game: ToyGame;
  room: LocalRoom;

  constructor(
    shape: Partial<ToyGame["shape"]>,
    chairs: KeptGame["chairs"],
    readonly shelf = new Shelf(new Pocket()),
  ) {
    const kept = shelf.find("one") ?? newGame("one", "toy", {}, chairs, 1000); // another window may have begun it
    this.game = new ToyGame({ seats: kept.chairs.length, rounds: 1, secrets: false, ...shape });
    this.room = this.open(kept);
  }

  get table() {
    const now = (): string[] => this.decisions;
    return {
      get decisions() {
        return now();
      },
      game: this.game,
      secrets: this.game.shape.secrets,
      scale: 100,
      analyse: () => ({ done: Promise.resolve(), stop: () => undefined }),
      glance: () => ({ done: Promise.resolve(), stop: () => undefined }),
      analysed: () => undefined,
      sides: this.game.shape.teams ? [0, 1, 0, 1] : undefined,
      choose: (seen: Position, level: number) => {
        this.asked.push({ seen, level });
        return this.thinks(seen, level);
      },
      stop: () => {
        this.stopped++;
      },
    };
  }

  open(kept: KeptGame): LocalRoom {
    let dice = 40n;
    const room = new LocalRoom(kept, this.table, {
      me: () => ({ id: "me", name: "Ann" }),
      now: () => ++now,
      dice: () => BigInt64Array.of(++dice, 0n, 0n),
      later: (_, doing) => {
        this.due.add(doing);
        return () => this.due.delete(doing);
      },
      pace: 300,
      tell: (event, payload) => this.heard.push([event, structuredClone(payload)]),
      keep: (game) => void this.shelf.keep(game),
      stored: () => this.shelf.find(kept.id),
      alone: (doing) => this.alone(doing),
      another: (game) => void this.others.push(game),
      newId: () => "two",
      fault: (wrong) => void this.faults.push(wrong),
    });
    room.enter();
    return room;
  }

  /** What was said last of a kind. */
  last<K extends keyof Heard>(event: K): Heard[K] {
    const found = [...this.heard].reverse().find(([name]) => name === event);
    assert.ok(found, event);
    return found[1] as Heard[K];
  }

  kinds(): string[] {
    return this.heard.map(([name]) => name);
  }

  /** Everything that waits happens, and what follows from it in the same breath. */
  async breathe(): Promise<void> {
    const waiting = [...this.due];
    this.due.clear();
    for (const doing of waiting) doing();
    await new Promise((done) => setTimeout(done, 0));
  }

  play(action: string): Promise<unknown> {
    return this.room.call("play", { ply: this.last("board info").ply, action });
  }

  get kept(): KeptGame {
    const found = this.shelf.find("one");
    assert.ok(found);
    return found;
  }
}

/** Why a request is refused. */
export const why = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => "",
    (wrong) => (wrong instanceof Refused ? wrong.refusal.code : String(wrong)),
  );
