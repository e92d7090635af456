// What one can request in a room, of the server's or in this browser.

import { later } from "../lib/later";
import { Refused } from "./connection";
import { refusalText, t } from "./i18n";
import { tell } from "./lobby";
import { refuse, sending } from "./prompt";
import { board, game, info, line, offers, secrets, showAhead } from "./room";
import type { Offer, Refusal, SentScene, Told } from "./types";

/** What is requested beside the board, where its line is not seen: such refusals are told for everyone to see. */
const ASIDE = new Set(["send msg", "send invitation", "change config"]);

/** What one has answered is not asked again; whether it happens, others still have to say. */
export function answered(offer: Offer): void {
  offers.value = offers.value.map((other) => (other === offer ? { ...other, answered: true } : other));
}

const unanswered = new Map<string, Promise<boolean>>();

/** Request something in the room; why it was not done is told to the visitor. Whoever presses twice before the answer has come has requested it once; what is
 * said twice is two messages. */
export function request(event: string, payload: object = {}): Promise<boolean> {
  if (event === "send msg") return requested(event, payload);
  const key = `${info.peek()?.id} ${event} ${JSON.stringify(payload)}`;
  const same = unanswered.get(key) ?? requested(event, payload).finally(() => unanswered.delete(key));
  unanswered.set(key, same);
  return same;
}

async function requested(event: string, payload: object): Promise<boolean> {
  const at = info.peek()?.id;
  const say = (why: string): void => (ASIDE.has(event) ? tell(why, true) : refuse(why));
  try {
    await line.value.call(event, payload);
    return true;
  } catch (wrong) {
    if (wrong instanceof Refused) say(refusalText(game.value, wrong.refusal));
    else if (at !== undefined && at === info.peek()?.id) say(t("notice.unanswered")); // else one has left, and it is of no concern any more
    return false;
  }
}

const SLOW = 1500; // milliseconds after which an action that nobody has answered is said to be on its way

/** Play an action; repeated after a lost connection, since the same ply counts once. */
export async function play(action: string): Promise<boolean> {
  const now = board.value;
  if (!now) return false;
  const payload = { ply: now.ply, action, game_id: now.game_id };
  const takeBack = showAhead(action);
  const slow = setTimeout(() => {
    sending.value = true;
  }, SLOW);
  try {
    return await played(payload, takeBack);
  } finally {
    clearTimeout(slow);
    sending.value = false;
  }
}

async function played(payload: object, takeBack: (() => void) | null): Promise<boolean> {
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

/** An action that a computer player advises; in words, where the game has some for it. */
export type Hint = Pick<Told, "action" | "say" | "heard">;

/** What a strong computer player would do. */
export async function askHint(): Promise<Hint | null> {
  if (!board.value) return null;
  try {
    return await line.value.call<Hint>("hint", { ply: board.value.ply });
  } catch (wrong) {
    if (wrong instanceof Refused) refuse(refusalText(game.value, wrong.refusal));
    return null;
  }
}
