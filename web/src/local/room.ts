// A room in this browser: it speaks the very messages that the server's rooms speak, so that the page shows it with the same parts.

import { type Game, type Position, Refused as RefusedByRules, SPECTATOR } from "../engine/contract";
import { Refused } from "../net/connection";
import type { Line } from "../net/room";
import type { PersonInfo, Phrase, SentScene } from "../net/types";
import type { Analyse } from "./analyst";
import { type KeptGame, newGame, ownSeats, type Played } from "./kept";
import { LocalMatch, sidesOf } from "./match";
import * as views from "./views";

const ADVISER = 8; // the level of the computer player who gives hints
const AGAIN = 3000; // milliseconds until a computer player that failed tries once more
const ELSEWHERE = 3000; // milliseconds that another window, where the game went on last, has for its computer players
const WATCHED = 5000; // milliseconds between two parts of a game where nobody has to say that they are ready

/** The rules of the game that is played, and its computer players: each is shown no more than what its seat may know. */
export interface Table {
  game: Game;
  /** Whether some may know more than others. */
  secrets: boolean;
  /** The side that each seat plays for. */
  sides?: readonly number[];
  /** What someone may have to decide, in some games, before they go on. */
  decisions?: readonly string[];
  /** How many points are much in this game. */
  scale: number;
  choose(seen: Position, level: number): Promise<string>;
  analyse: Analyse;
  /** The same beside it, about other positions. */
  glance: Analyse;
  /** That is all: the memory for it is given back. */
  analysed(): void;
  /** Stop thinking: nobody waits for the answer any more. */
  stop(): void;
}

/** What a room needs from around it. */
export interface Around {
  /** Who sits before this screen. */
  me(): PersonInfo;
  now(): number;
  /** A new key for what chance decides, which nobody can guess. */
  dice(): BigInt64Array;
  /** Do it in so many milliseconds; what is given back forbids it. */
  later(ms: number, doing: () => void): () => void;
  /** Milliseconds after which a computer player answers at the soonest: what happened before is to be seen. */
  pace: number;
  tell(event: string, payload: object): void;
  keep(game: KeptGame): void;
  /** The game as it is kept now: another window may have gone on with it. */
  stored(): KeptGame | null;
  /** Do something while no other window does something in this game. */
  alone<T>(doing: () => T): Promise<T>;
  /** Another game begins, in a room of its own. */
  another(game: KeptGame): void;
  newId(): string;
  /** A computer player can't think any more, by our fault. */
  fault(wrong: unknown): void;
}

function refused(code: string, values?: Record<string, string | number>): Refused {
  const phrase: Phrase = { key: `server.${code}`, ...(values ? { values } : {}) };
  return new Refused({ code, text: "", phrase });
}

/** Do what the rules may refuse, and say so as a room does. */
function byRules<T>(doing: () => T): T {
  try {
    return doing();
  } catch (wrong) {
    if (wrong instanceof RefusedByRules) throw new Refused({ code: wrong.code, text: "", phrase: wrong.phrase });
    throw wrong;
  }
}

type Payload = Record<string, unknown>;
type Answer = { ok: true } & Payload;

export class LocalRoom implements Line {
  private match: LocalMatch;
  private turn = 0; // counts whatever ends a computer player's turn: who thought before is not heard
  private waiting: (() => void)[] = [];
  private ready = false;
  private open = false;
  private elsewhere = false; // whether the game went on in another window last

  constructor(
    private kept: KeptGame,
    private readonly table: Table,
    private readonly around: Around,
  ) {
    this.match = this.load();
  }

  private get secret(): boolean {
    return this.table.secrets;
  }

  private load(): LocalMatch {
    const { actions, result, resigned } = this.kept;
    const match = new LocalMatch(this.table.game, this.secret, sidesOf(this.table.game, this.table.sides), actions);
    for (const seat of resigned) match.resigned.add(seat);
    match.result = result ?? match.ending();
    return match;
  }

  // --- a line to the room ---

  /** Someone comes in: everything is told, and the game goes on. */
  enter(): void {
    this.open = true;
    this.letChanceAct();
    this.tellEverything();
    if (this.match.ply !== this.kept.actions.length || this.match.result !== this.kept.result) this.save(); // chance has acted
    this.goOn();
  }

  close(): void {
    this.open = false;
    this.rest();
  }

  /** Where another window has gone on with the game, go on from there, and leave the computer's turns to that window as long as it plays them. */
  catchUp(): void {
    const stored = this.around.stored();
    if (!stored || (stored.started === this.kept.started && stored.changed === this.kept.changed)) return;
    this.elsewhere = true;
    this.reload(stored);
  }

  /** Take it from there; from where it is, if who sits here is called otherwise now. */
  reload(kept: KeptGame = this.kept): void {
    this.rest();
    this.kept = kept;
    this.match = this.load();
    this.enter();
  }

  async call<T>(event: string, payload: object = {}): Promise<T & { ok: boolean }> {
    const { answer } = await this.around.alone(() => {
      this.catchUp(); // what was seen here may be out of date: a ply says so
      return { answer: this.answer(event, payload as Payload) };
    });
    return { ok: true, ...(await answer) } as T & Answer;
  }

  hint(): void {
    // nobody else sees an action that is only begun
  }

  async scenes(_: string, since: number): Promise<SentScene[]> {
    return this.match.scenes(this.eyes, since);
  }

  private async answer(event: string, payload: Payload): Promise<Payload> {
    switch (event) {
      case "play":
        return this.play(String(payload.action), Number(payload.ply));
      case "why":
        return this.whyNot(payload.clicks as string[], Number(payload.ply));
      case "preview":
        return { scene: byRules(() => this.mover(Number(payload.ply)).play(String(payload.action)).scene()) };
      case "hint":
        return this.advise(this.mover(Number(payload.ply)));
      case "ask takeback":
        return this.takeBack(payload.seat as number | undefined);
      case "resign":
        return this.resign(payload.seat as number | undefined);
      case "auto move":
        return this.autoMove(Number(payload.seat), payload.level as number | null);
      case "set ready":
        return this.setReady();
      case "restart":
        return this.restart();
      case "rematch":
        return this.rematch();
      case "req info":
        this.tellEverything();
        return {};
      default:
        throw refused("unknown-event", { event });
    }
  }

  private async advise(seen: Position): Promise<Payload> {
    const action = await this.table.choose(seen, ADVISER);
    return { action, ...seen.inWords(action) };
  }

  // --- who sits where ---

  private get own(): number[] {
    return ownSeats(this.kept);
  }

  /** Those that still play: whoever has resigned sits there, and acts no more. */
  private get active(): number[] {
    return this.own.filter((seat) => !this.match.resigned.has(seat));
  }

  /** Whose eyes this screen sees the game with. */
  private get eyes(): number {
    return views.eyes(this.kept);
  }

  /** The level of the computer player that acts on a seat. */
  private acting(seat: number): number | undefined {
    return this.kept.chairs[seat]?.bot ?? this.kept.chairs[seat]?.auto;
  }

  private ownSeat(seat: number | undefined): number {
    const found = seat ?? this.active[0] ?? this.own[0];
    if (found === undefined || !this.own.includes(found)) throw refused("not-your-seat");
    this.checkPlays(found);
    return found;
  }

  /** Refuse what only a seat may do that has not resigned. */
  private checkPlays(seat: number): void {
    if (this.match.resigned.has(seat)) throw refused("has-resigned");
  }

  private playing(): LocalMatch {
    if (this.match.result !== null) throw refused("no-game");
    return this.match;
  }

  // --- acting ---

  /** What the seat to act may know, if it is a person's turn at that ply. */
  private mover(ply: number): Position {
    const { seat, result } = this.match;
    if (result !== null) throw refused("game-over");
    if (this.paused) throw refused("between-rounds");
    if (seat === null) throw refused("our-fault");
    if (!this.own.includes(seat)) throw refused("not-your-turn", { seat: seat + 1 });
    this.checkPlays(seat);
    if (ply !== this.match.ply) throw refused("stale-ply", { ply, now: this.match.ply });
    return this.match.acting(seat);
  }

  private play(action: string, ply: number): Payload {
    const seen = this.mover(ply);
    if (!seen.actions.has(action)) byRules(() => seen.play(action)); // it says why not
    this.act(action);
    return {};
  }

  private act(action: string, forced?: true): void {
    const match = this.match,
      since = match.ply;
    const solved = views.decision(match, this.table.decisions ?? []);
    const played: Played = { action, seat: match.seat, at: this.around.now() - this.kept.started };
    match.put(forced ? { ...played, forced } : played, match.position.play(action));
    if (solved) this.tell("goshi solve", { ...solved, choices: [action] });
    this.wentOn(since);
  }

  /** Something was played: chance's part, the end if it is one, and what comes next. */
  private wentOn(since: number): void {
    this.rest();
    this.ready = false;
    this.letChanceAct();
    this.tellPosition(since);
    this.save();
    this.goOn();
  }

  private letChanceAct(): void {
    const match = this.match;
    match.result ??= match.ending();
    while (match.result === null && match.position.chance && !this.paused) {
      const [action, following] = match.position.draw(this.around.dice());
      match.put({ action, seat: null, at: this.around.now() - this.kept.started }, following);
      match.result = match.ending();
    }
  }

  /** Whether a part of the game has ended, and the next one waits. */
  private get paused(): boolean {
    const { position, result, ply } = this.match;
    return result === null && position.chance && position.closing !== null && this.kept.wentOn !== ply;
  }

  /** Wake the computer player whose turn it is; or wait for the next part of the game. */
  private goOn(): void {
    const { match, elsewhere } = this,
      seat = match.seat;
    this.elsewhere = false;
    if (!this.open) return;
    if (elsewhere) return this.wait(ELSEWHERE, () => this.goOn());
    if (this.paused) {
      if (!this.own.length) this.wait(WATCHED, () => this.nextPart());
      return;
    }
    if (seat === null) return;
    const level = this.acting(seat);
    if (match.resigned.has(seat)) {
      const [number = 0n] = this.around.dice();
      this.wait(this.around.pace, () => this.act(match.position.forced(number), true));
    } else if (level !== undefined) {
      const soonest = new Promise<void>((done) => this.waiting.push(this.around.later(this.around.pace, done)));
      void Promise.all([this.table.choose(match.acting(seat), level), soonest]).then(
        this.inTurn(([action]) => this.act(action)),
        this.inTurn((wrong) => {
          this.around.fault(wrong);
          this.wait(AGAIN, () => this.goOn());
        }),
      );
    }
  }

  private wait(ms: number, doing: () => void): void {
    this.waiting.push(this.around.later(ms, this.inTurn<void>(doing)));
  }

  /** Do something with what comes, unless the game has gone on meanwhile, here or in another window. */
  private inTurn<T>(doing: (what: T) => void): (what: T) => void {
    const { turn } = this,
      still = (): boolean => turn === this.turn && this.open;
    return (what) => {
      if (!still()) return;
      void this.around.alone(() => {
        if (still()) this.catchUp();
        if (still()) doing(what);
      });
    };
  }

  /** Whoever thinks, or waits, does so no more. */
  private rest(): void {
    this.turn++;
    for (const forbid of this.waiting.splice(0)) forbid();
    this.table.stop();
  }

  // --- beside the board ---

  private whyNot(places: readonly string[], ply: number): Payload {
    const why = this.mover(ply).whyNot(places);
    return why ? { code: why.code, text: "", phrase: why.phrase } : {};
  }

  private takeBack(wanted: number | undefined): Payload {
    const match = this.playing(),
      seat = this.ownSeat(wanted);
    if (this.secret) throw refused("secrets-no-takeback"); // what was seen can't be unseen
    const ply = match.played.map((each) => each.seat).lastIndexOf(seat);
    if (ply < 0) throw refused("nothing-to-take-back");
    this.rest();
    match.takeBack(ply);
    this.save();
    this.tell("answer takeback", { kind: "takeback", seat, state: "accepted" });
    this.tellHistory();
    this.tellPosition(ply);
    this.goOn();
    return {};
  }

  private resign(wanted: number | undefined): Payload {
    const match = this.playing(),
      turn = match.seat !== null && this.active.includes(match.seat) ? match.seat : undefined;
    if (!this.active.length || match.resigned.has(wanted ?? -1)) return {}; // once is enough
    const seat = this.ownSeat(wanted ?? turn);
    this.rest();
    match.giveUp(seat);
    this.save();
    this.tellPlayers();
    this.tellPosition(match.ply);
    this.goOn();
    return {};
  }

  private autoMove(seat: number, level: number | null): Payload {
    this.playing();
    const chair = this.kept.chairs[this.ownSeat(seat)];
    if (chair) {
      delete chair.auto;
      if (level !== null) chair.auto = level;
    }
    this.rest();
    this.save();
    this.tellPlayers();
    this.goOn();
    return {};
  }

  private setReady(): Payload {
    if (!this.paused) return {};
    this.ready = true;
    this.tellPlayers();
    this.nextPart();
    return {};
  }

  private nextPart(): void {
    if (!this.paused) return;
    const since = this.match.ply;
    this.kept.wentOn = since;
    this.wentOn(since);
    this.tellPlayers();
  }

  /** Begin anew: what was played here is not kept. */
  private restart(): Payload {
    this.playing();
    const { id, game, options, chairs } = this.kept;
    this.reload(newGame(id, game, options, chairs, this.around.now()));
    this.save();
    return {};
  }

  /** Play again, with the seats moved on by one; the game that has ended is kept. */
  private rematch(): Payload {
    if (this.match.result === null) throw refused("during-game");
    const { game, options, chairs } = this.kept;
    this.around.another(newGame(this.around.newId(), game, options, [...chairs.slice(1), ...chairs.slice(0, 1)], this.around.now()));
    return {};
  }

  // --- what is told ---

  private tell(event: string, payload: object): void {
    if (this.open) this.around.tell(event, payload);
  }

  private save(): void {
    const { match, kept } = this;
    const changed = this.around.now();
    const picture = match.result === null ? match.scene(match.secret ? this.eyes : SPECTATOR) : undefined;
    this.kept = { ...kept, changed, actions: [...match.played], resigned: match.gaveUp(), result: match.result, picture };
    this.around.keep(this.kept);
  }

  private get at(): views.Seen {
    return { kept: this.kept, match: this.match, me: this.around.me(), ready: this.ready };
  }

  private tellPlayers(): void {
    this.tell("player info", views.players(this.at));
  }

  private tellEverything(): void {
    this.tell("info", views.info(this.at));
    this.tellPlayers();
    this.tellBoard();
    this.tellHistory();
    this.tellDecision();
    this.tellEnd();
  }

  private tellPosition(since: number): void {
    const { match } = this;
    this.tellBoard(since);
    if (match.result !== null || match.positions.slice(since + 1).some((position) => position.closing)) this.tellHistory();
    if (this.paused) this.tellPlayers();
    this.tellDecision();
    this.tellEnd();
  }

  private tellDecision(): void {
    const asked = views.decision(this.match, this.table.decisions ?? []);
    if (asked && !this.paused) this.tell(this.active.includes(asked.seat) ? "goshi decision" : "goshi wait", asked);
  }

  private tellBoard(since?: number): void {
    const told = views.board(this.match, views.gameId(this.kept), this.own.length > 0, since);
    this.tell("board info", this.paused ? { ...told, paused: true } : told);
    const seen = this.secret ? this.own : this.active.filter((seat) => seat === this.match.seat);
    for (const seat of seen) this.tell("private board info", views.privately(this.match, seat));
  }

  private tellHistory(): void {
    this.tell("game history info", views.history(this.at));
  }

  private tellEnd(): void {
    if (this.match.result === null) return;
    this.tell("game over", views.over(this.at, this.match.result));
    this.tell("room updated", views.info(this.at));
  }
}
