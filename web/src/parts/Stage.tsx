// What is in the middle of a room's board when no game is being played: the one next step, or how the last game ended.

import { signal } from "@preact/signals";
import { seatName, t } from "../i18n";
import { me } from "../net";
import { board, game, info, master, mySeats, offers, over, playing, seats, startsAt, wish } from "../roomstore";
import { Icon } from "./Icon";
import { nameOf } from "./Name";
import { Share } from "./Share";
import { useSecond } from "./second";

/** The game whose result has been looked at and put aside. */
export const aside = signal("");
/** The game after which one is back at the table, for the next. */
const again = signal("");

export function Stage() {
  const ended = over.value?.game_id;
  if (playing.value || (board.value?.over && !ended) || (ended && aside.value === ended)) return null;
  return (
    <div class="stage">
      <div class="card">
        {ended && again.value !== ended ? <Result /> : <Waiting />}
        {ended && <button type="button" class="quiet close" aria-label={t("stage.look")} title={t("stage.look")} onClick={() => { aside.value = ended; }}><Icon name="close" /></button>}
      </div>
    </div>
  );
}

/** Before a game: sit down, be ready, or wait for the others. */
function Waiting() {
  const now = useSecond(startsAt.value !== null);
  const mine = mySeats.value, chairs = seats.value;
  const empty = chairs.filter((chair) => !chair.person && !chair.bot);
  const ready = mine.length > 0 && mine.every((seat) => chairs[seat].ready);
  const countdown = startsAt.value === null ? null : <p class="hint" role="status">{t("stage.starts", { s: Math.max(0, Math.ceil((startsAt.value - now) / 1000)) })}</p>;
  if (!mine.length) {
    if (!empty.length) return <><h2>{t("stage.full")}</h2><p>{t("stage.full_help")}</p>{countdown}</>;
    const play = async (): Promise<void> => { if (await wish("sit on", { seat: empty[0].seat })) await wish("set ready"); };
    return <><h2>{t("stage.welcome", { name: info.value?.people.find((person) => person.id === info.value?.master)?.name ?? t("stage.someone") })}</h2><button type="button" class="main big" onClick={() => void play()}>{t("stage.play")}</button>{countdown}</>;
  }
  if (!ready) return <><h2>{t("stage.seated", { seat: seatName(game.value, mine[0]) })}</h2><button type="button" class="main big" onClick={() => void wish("set ready")}>{t("stage.ready")}</button>{countdown}</>;
  if (!empty.length) return <><h2>{t("stage.others")}</h2>{countdown}</>;
  const bots = async (): Promise<void> => { for (const chair of empty) await wish("seat bot", { seat: chair.seat, level: 3 }); };
  return (
    <>
      <h2>{t("stage.waiting", { n: empty.length })}</h2>
      {info.value && <Share link={info.value.link} />}
      {master.value && <button type="button" class="quiet" onClick={() => void bots()}><Icon name="bot" />{t("stage.bots")}</button>}
    </>
  );
}

/** How the game ended, and what can come next. */
function Result() {
  const result = over.value!, mine = mySeats.value, chairs = seats.value;
  const who = (seat: number): string => (chairs[seat]?.person ? nameOf(chairs[seat].person) : seatName(game.value, seat));
  const draw = result.winner.length === 0;
  const won = mine.some((seat) => result.winner.includes(seat));
  const local = mine.length > 1;
  const title = draw ? t("over.draw") : mine.length && !local ? (won ? t("over.won") : t("over.lost")) : t("over.winner", { name: result.winner.map(who).join(t("over.and")) });
  const moved = me.value && result.ratings[me.value.id];
  const wanted = offers.value.filter((offer) => offer.kind === "rematch");
  const asked = wanted.some((offer) => mine.includes(offer.seat));
  const complete = chairs.every((chair) => chair.person || chair.bot);
  return (
    <>
      <h2>{title}</h2>
      <p>{t(`reasons.${result.reason}` as "reasons.rules")} {result.scores.some((score) => score !== 0) && <span class="scores">{result.scores.map((score, seat) => `${seatName(game.value, seat)} ${score}`).join(" · ")}</span>}</p>
      {moved && <p class="moved">{t("over.rating", { before: Math.round(moved.before), after: Math.round(moved.after) })}</p>}
      {wanted.length > 0 && !asked && <p role="status">{t("over.wants", { name: who(wanted[0].seat) })}</p>}
      <div class="row wrap">
        {mine.length > 0 && complete && <button type="button" class="main" disabled={asked} onClick={() => void wish("rematch")}>{asked ? t("over.asked") : t("over.rematch")}</button>}
        {mine.length > 0 && !complete && <button type="button" class="main" onClick={() => { again.value = result.game_id; }}>{t("over.again")}</button>}
        {board.value && <a class="button quiet" href={`/replay/${board.value.game_id}`}>{t("over.replay")}</a>}
        <a class="button quiet" href="/">{t("over.leave")}</a>
      </div>
    </>
  );
}
