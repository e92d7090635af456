// What one can request in a room, of the server's or in this browser.

import { later } from "../lib/later";
import { Refused } from "./connection";
import { refusalText } from "./i18n";
import { tell } from "./lobby";
import { refuse } from "./prompt";
import { board, game, line, offers, secrets, showAhead } from "./room";
import type { Offer, Refusal, SentScene } from "./types";

/** What is requested beside the board, where its line is not seen: such refusals are told for everyone to see. */
const ASIDE = new Set(["send msg", "send invitation", "change config"]);

/** What one has answered is not asked again; whether it happens, others still have to say. */
export function answered(offer: Offer): void {
  offers.value = offers.value.map((other) => (other === offer ? { ...other, answered: true } : other));
}

/** Request something in the room; a refusal is told to the visitor. */
export async function request(event: string, payload: object = {}): Promise<boolean> {
  try {
    await line.value.call(event, payload);
    return true;
  } catch (wrong) {
    if (wrong instanceof Refused) {
      const why = refusalText(game.value, wrong.refusal);
      ASIDE.has(event) ? tell(why, true) : refuse(why);
    }
    return false;
  }
}

/** Play an action; repeated after a lost connection, since the same ply counts once. */
export async function play(action: string): Promise<boolean> {
  const now = board.value;
  if (!now) return false;
  const payload = { ply: now.ply, action, game_id: now.game_id };
  const takeBack = showAhead(action);
  for (;;) {
    try {
      await line.value.call("play", payload);
      return true;
    } catch (wrong) {
      if (wrong instanceof Refused && wrong.refusal.code !== "closing") {
        takeBack?.();
        refuse(refusalText(game.value, wrong.refusal));
        return false;
      }
      await later(200); // lost on the way, or the server restarts: the next try waits for the connection
    }
  }
}

/** The steps of an unfinished action, for the others to see. */
export function sendDraft(places: string[]): void {
  if (board.value && !secrets.value) line.value.hint("draft", { ply: board.value.ply, clicks: places });
}

/** Why an action can't begin like this, in the visitor's language. */
export async function whyNot(places: string[]): Promise<string> {
  if (!board.value) return "";
  try {
    const answer = await line.value.call<Partial<Refusal>>("why", { ply: board.value.ply, clicks: places });
    return answer.code ? refusalText(game.value, answer as unknown as Refusal) : "";
  } catch {
    return "";
  }
}

/** The picture after an action; null if there is none. */
export async function preview(action: string): Promise<SentScene | null> {
  if (!board.value) return null;
  try {
    return (await line.value.call<{ scene: SentScene }>("preview", { ply: board.value.ply, action })).scene;
  } catch {
    return null;
  }
}

/** The positions of the present game from one on, as one saw them then. */
export const pastScenes = (since: number): Promise<SentScene[]> => line.value.scenes(board.peek()?.game_id ?? "", since);

/** What a strong computer player would do. */
export async function askHint(): Promise<string | null> {
  if (!board.value) return null;
  try {
    return (await line.value.call<{ action: string }>("hint", { ply: board.value.ply })).action;
  } catch (wrong) {
    if (wrong instanceof Refused) refuse(refusalText(game.value, wrong.refusal));
    return null;
  }
}
