// What comes of someone's absence, said to those it concerns: how long the others wait, a seat that is free, one's own seat to take back.

import { me, standing } from "../../net/connection";
import { seatName, t } from "../../net/i18n";
import { request } from "../../net/requests";
import { activeSeats, game, lostSince, mySeats, offers, playing, rated, seats, seatsHeardAt, sittingIn } from "../../net/room";
import type { SeatInfo } from "../../net/types";
import { chairName } from "../../ui/Name";
import { useSecond } from "../../ui/second";
import { clockText } from "./Clock";

export function SeatOffers() {
  if (!playing.value) return null;
  return (
    <>
      {seats.value.map((chair) => (
        <About key={chair.seat} chair={chair} />
      ))}
    </>
  );
}

function About({ chair }: { chair: SeatInfo }) {
  const own = chair.first === me.value?.id && chair.person?.id !== me.value?.id && !chair.resigned;
  if (own)
    return (
      <SeatNotice text={t("seat.kept", { name: chairName(game.value, chair) })} button={t("seat.back")} act={() => request("sit on", { seat: chair.seat })} />
    );
  if (mySeats.value.includes(chair.seat)) return sittingIn.value ? <SeatNotice text={t("seat.sitting_in")} /> : null;
  if (chair.free_for_spectators && !mySeats.value.length) return <Free chair={chair} />;
  return chair.away ? <Away chair={chair} away={chair.away} /> : null;
}

/** A seat that those who watch may take. */
function Free({ chair }: { chair: SeatInfo }) {
  const who = { seat: seatName(game.value, chair.seat), name: chairName(game.value, chair) };
  if (seats.value.some((other) => other.first === me.value?.id)) return null; // one's own seat and no other
  if (rated.value && standing.value?.kind !== "account")
    return <SeatNotice text={t("seat.free_account", who)} link={{ text: t("login.title"), path: "/login" }} />;
  if (offers.value.some((offer) => offer.kind === "seat" && offer.who?.id === me.value?.id)) return <SeatNotice text={t("seat.asked", who)} />;
  return <SeatNotice text={t("seat.free", who)} button={t("seat.take_over")} act={() => request("sit on", { seat: chair.seat })} />;
}

/** How long someone has to come back, and what one may do then. */
function Away({ chair, away: { then, in_ms } }: { chair: SeatInfo; away: NonNullable<SeatInfo["away"]> }) {
  const now = useSecond(lostSince.value === null);
  const left = Math.max(0, in_ms - Math.max(0, (lostSince.value ?? now) - seatsHeardAt.value));
  const values = { name: chairName(game.value, chair), time: clockText(left) };
  const two = seats.value.length === 2;
  if (then === "claim" && (!activeSeats.value.length || sittingIn.value)) return null; // for those at the table
  if (then === "claim" && left === 0) {
    return (
      <SeatNotice
        text={t(two ? "seat.claim" : "seat.claim_bot", values)}
        button={t(two ? "seat.claim_go" : "seat.claim_bot_go")}
        act={() => request("resign", { seat: chair.seat })}
      />
    );
  }
  return <SeatNotice text={t(then === "resign" ? "seat.resigns_in" : two ? "seat.claim_in" : "seat.claim_bot_in", values)} quiet />;
}

function SeatNotice({
  text,
  button,
  act,
  link,
  quiet = false,
}: {
  text: string;
  button?: string;
  act?: () => Promise<boolean>;
  link?: { text: string; path: string };
  quiet?: boolean;
}) {
  return (
    <p class="offer card seat-offer">
      <span aria-live={quiet ? "off" : undefined}>{text}</span>
      {button && act && (
        <button type="button" class="main" onClick={() => void act()}>
          {button}
        </button>
      )}
      {link && (
        <a class="button quiet" href={link.path}>
          {link.text}
        </a>
      )}
    </p>
  );
}
