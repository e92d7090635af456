// The line between the board and one's own seat: what to do now, what is being waited for, why that was not possible.

import { deferred } from "../../lib/afterpaint";
import { queued } from "../../net/connection";
import { find, gameWords, say, seatName, t } from "../../net/i18n";
import { said, sending } from "../../net/prompt";
import { actingSeat, board, clicks, decision, endSeats, game, lostSince, mySeats, over, paused, playing, recorded, scene, seats, yours } from "../../net/room";
import { seatedName } from "../../ui/Name";
import { planned } from "./planned";
import { sayHere } from "./who";

/** What is said when nothing special has happened; it follows the board a frame later. */
export const usual = deferred("prompt", () => {
  if (lostSince.value !== null) return t(queued.value || sending.value ? "notice.waits" : "prompt.lost");
  if (sending.value) return t("prompt.sending");
  return !playing.value ? between() : clicks.value ? todo() : waits();
});

/** The same said again is another text to whoever listens. */
export function Prompt() {
  const special = said.value;
  return (
    <p class={`prompt${special?.bad ? " bad" : ""}${!special && yours.value ? " yours" : ""}`} role="status" aria-live="polite">
      <span key={special?.time ?? 0}>{special?.text ?? usual.value}</span>
    </p>
  );
}

/** What to do now, in the game's own words; at one screen, for whom. */
function todo(): string {
  const seat = actingSeat.value ?? 0,
    what = next() ?? t("prompt.yours");
  if (rolled() && !planned.value.path.length)
    return mySeats.value.length > 1 ? t("prompt.first_do", { name: seatName(game.value, seat), what }) : t("prompt.first_you", { what });
  return mySeats.value.length > 1 ? t("prompt.seat", { seat: seatName(game.value, seat), what }) : what;
}

/** The next step of an action that is begun, or its first. */
function next(): string | undefined {
  const { path, mode, aimed } = planned.value,
    words = gameWords(game.value);
  if (aimed) return t("prompt.again");
  if (!path.length) return (mode && find(words, `modes.${mode}.prompt`)) || (scene.value?.prompt && sayHere(scene.value.prompt)) || undefined;
  const last = scene.value?.board.places.find((place) => place.id === path[path.length - 1]);
  const key = `steps.${path.length}`;
  return find(words, key) ? say(game.value, { key, values: last ? { at: say(game.value, last.say) } : {} }) : undefined;
}

/** Whether dice have just decided who goes first: later they decide something else. */
const rolled = (): boolean => Boolean(scene.value?.motions?.some((motion) => motion.kind === "dice") && recorded.value.every(({ seat }) => seat === null));

/** Whom the game waits for. */
function waits(): string {
  const { seat = null, ply } = board.value ?? {};
  if (paused.value) return t(mySeats.value.some((mine) => !seats.value[mine]?.ready) ? "prompt.next_round" : "prompt.others");
  // The game says what is being decided, and by whom.
  if (decision.value && decision.value.ply === ply && scene.value?.prompt) return sayHere(scene.value.prompt);
  if (seat === null) return t("prompt.chance");
  const chair = seats.value[seat];
  if (chair?.resigned) return t("prompt.resigned", { name: seatedName(game.value, seat) });
  if (chair?.auto !== undefined) return t("prompt.auto", { name: mySeats.value.length > 1 ? seatName(game.value, seat) : seatedName(game.value, seat) });
  if (mySeats.value.includes(seat)) return t("prompt.yours"); // what can be done is on its way
  const name = seatedName(game.value, seat);
  if (rolled()) return t("prompt.first", { name });
  if (chair?.bot || chair?.person?.bot) return t("prompt.thinking", { name });
  return t(chair?.person && !chair.connected ? "prompt.away" : "prompt.waiting", { name });
}

/** Before a game and after it. */
function between(): string {
  if (board.value?.over)
    return over.value?.winner.length
      ? t("over.winner", { name: over.value.winner.map((seat) => seatedName(game.value, seat, endSeats.value)).join(t("over.and")) })
      : t(over.value ? "over.draw" : "prompt.over");
  const mine = mySeats.value,
    chairs = seats.value,
    empty = chairs.filter((chair) => !chair.person && !chair.bot).length;
  if (!mine.length) return t(empty ? "prompt.sit" : "prompt.soon");
  if (!mine.every((seat) => chairs[seat]?.ready)) return t("prompt.ready");
  return empty ? t("prompt.more", { n: empty }) : t("prompt.others");
}
