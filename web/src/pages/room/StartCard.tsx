// What is in the middle of a room's board before a game: the one next step. After a game the board stays bright: see Result.tsx.

import { DOT } from "../../lib/dot";
import { gameName, seatName, t } from "../../net/i18n";
import { request } from "../../net/requests";
import { board, game, info, master, mySeats, over, playing, seats, startsAt } from "../../net/room";
import { Icon } from "../../ui/Icon";
import { useSecond } from "../../ui/second";
import { timeText } from "../../ui/TimeChoice";
import { again } from "./Result";
import { RulesLink } from "./RulesLink";
import { Share } from "./Share";

export function StartCard() {
  const ended = over.value?.game_id;
  if (playing.value || (board.value?.over && (!ended || again.value !== ended))) return null;
  return (
    <div class="stage">
      <div class="card">
        <NextStep />
        {ended && (
          <button
            type="button"
            class="quiet close"
            aria-label={t("stage.look")}
            title={t("stage.look")}
            onClick={() => {
              again.value = "";
            }}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
    </div>
  );
}

/** Before a game: sit down, be ready, or wait for the others. */
function NextStep() {
  const now = useSecond(startsAt.value !== null);
  const mine = mySeats.value,
    chairs = seats.value;
  const [own] = mine;
  const empty = chairs.filter((chair) => !chair.person && !chair.bot);
  const ready = mine.length > 0 && mine.every((seat) => chairs[seat]?.ready);
  const countdown =
    startsAt.value === null ? null : (
      <p class="hint" role="status">
        {t("stage.starts", { s: Math.max(0, Math.ceil((startsAt.value - now) / 1000)) })}
      </p>
    );
  if (own === undefined) {
    const [free] = empty;
    if (!free)
      return (
        <>
          <h2>{t("stage.full")}</h2>
          <p>{t("stage.full_help")}</p>
          {countdown}
        </>
      );
    const play = async (): Promise<void> => {
      if (await request("sit on", { seat: free.seat })) await request("set ready");
    };
    if (master.value)
      return (
        <>
          <h2>{t("stage.yours")}</h2>
          <Facts />
          {info.value && <Share link={info.value.link} />}
          <button type="button" class="main big" onClick={() => void play()}>
            {t("stage.play")}
          </button>
          {countdown}
        </>
      );
    return (
      <>
        <h2>
          {t("stage.welcome", {
            name: info.value?.people.find((person) => person.id === info.value?.master)?.name ?? t("stage.someone"),
            game: gameName(game.value),
          })}
        </h2>
        <Facts />
        <button type="button" class="main big" onClick={() => void play()}>
          {t("stage.play")}
        </button>
        <RulesLink game={game.value} />
        {countdown}
      </>
    );
  }
  if (!ready)
    return (
      <>
        <h2>{t("stage.seated", { seat: seatName(game.value, own) })}</h2>
        <button type="button" class="main big" onClick={() => void request("set ready")}>
          {t("stage.ready")}
        </button>
        {countdown}
      </>
    );
  if (!empty.length)
    return (
      <>
        <h2>{t("stage.others")}</h2>
        {countdown}
      </>
    );
  const bots = async (): Promise<void> => {
    for (const chair of empty) await request("seat bot", { seat: chair.seat, level: 3 });
  };
  return (
    <>
      <h2>{t("stage.waiting", { n: empty.length })}</h2>
      <Facts />
      {info.value && <Share link={info.value.link} />}
      {master.value && (
        <button type="button" key="bots" class="quiet" onClick={() => void bots()}>
          <Icon name="bot" />
          {t("stage.bots")}
        </button>
      )}
    </>
  );
}

/** What one agrees to by sitting down: whether it counts, and the clock. */
function Facts() {
  if (!info.value) return null;
  const { rated, time } = info.value.settings;
  return (
    <p class="hint">
      {t(rated ? "stage.rated" : "stage.unrated")}
      {DOT}
      {timeText(time)}
    </p>
  );
}
