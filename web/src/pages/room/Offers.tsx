// What stands at the table, answered where it appears.

import { me } from "../../net/connection";
import { t } from "../../net/i18n";
import { gameInfo } from "../../net/lobby";
import { answered, request } from "../../net/requests";
import { activeSeats, declined, game, mySeats, type OpenOffer, offers, seats, sittingIn } from "../../net/room";
import type { Offer } from "../../net/types";
import { chairName } from "../../ui/Name";
import { SeatOffers } from "./SeatOffers";

export function Offers() {
  const mine = mySeats.value;
  const name = (seat: number): string => (seats.value[seat] ? chairName(game.value, seats.value[seat]) : "");
  const sides = gameInfo(game.value)?.sides ?? [];
  const shown = offers.value.filter((offer) => offer.kind !== "rematch" && (offer.kind !== "seat" || mine.some((seat) => sides[seat] === sides[offer.seat])));
  /** Whoever has declined knows it; whether somebody may sit in concerns them alone. */
  const forMe = (answer: Offer): boolean => (answer.kind === "seat" ? answer.who?.id === me.value?.id : mine.length !== 1 || !mine.includes(answer.seat));
  return (
    <div class="offers" role="status">
      <SeatOffers />
      {shown.map((offer) => (
        <p class="offer card" key={`${offer.kind}${offer.seat}`}>
          <OfferLine
            offer={offer}
            own={offer.kind !== "seat" && mine.includes(offer.seat)}
            name={offer.who ? offer.who.name : name(offer.seat)}
            seated={activeSeats.value.length > 0 && !sittingIn.value}
          />
        </p>
      ))}
      {declined.value && forMe(declined.value) && (
        <p class="offer hint">{t(`offers.${declined.value.kind}_declined` as "offers.draw_declined", { name: name(declined.value.seat) })}</p>
      )}
    </div>
  );
}

function OfferLine({ offer, own, name, seated }: { offer: OpenOffer; own: boolean; name: string; seated: boolean }) {
  const answer = async (yes: boolean): Promise<void> => {
    if (await request(`answer ${offer.kind}`, offer.kind === "seat" ? { seat: offer.seat, yes } : { yes })) answered(offer);
  };
  if (own || !seated || offer.answered)
    return (
      <>
        <span>{t(`offers.${offer.kind}_${own ? "own" : "theirs"}` as "offers.draw_theirs", { name })}</span>
        {own && offer.kind === "resign" && (
          <button type="button" class="quiet" onClick={() => void answer(false)}>
            {t("actions.play_on")}
          </button>
        )}
      </>
    );
  return (
    <>
      <span>{t(`offers.${offer.kind}` as "offers.draw", { name })}</span>
      <button type="button" class="main" onClick={() => void answer(true)}>
        {t(`offers.${offer.kind}_yes` as "offers.draw_yes")}
      </button>
      <button type="button" class="quiet" onClick={() => void answer(false)}>
        {t("offers.no")}
      </button>
    </>
  );
}
