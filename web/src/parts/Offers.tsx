// What stands at the table, answered where it appears.

import { t } from "../i18n";
import { declined, game, mySeats, offers, seats, wish } from "../roomstore";
import type { Offer } from "../types";
import { chairName } from "./Name";

export function Offers() {
  const mine = mySeats.value;
  const name = (seat: number): string => (seats.value[seat] ? chairName(game.value, seats.value[seat]) : "");
  const shown = offers.value.filter((offer) => offer.kind !== "rematch");
  return (
    <div class="offers" role="status">
      {shown.map((offer) => <p class="offer card" key={`${offer.kind}${offer.seat}`}><OfferLine offer={offer} own={mine.includes(offer.seat)} name={name(offer.seat)} seated={mine.length > 0} /></p>)}
      {declined.value && <p class="offer hint">{t(`offers.${declined.value.kind}_declined` as "offers.draw_declined", { name: name(declined.value.seat) })}</p>}
    </div>
  );
}

function OfferLine({ offer, own, name, seated }: { offer: Offer; own: boolean; name: string; seated: boolean }) {
  if (own || !seated) return <>{t(`offers.${offer.kind}_own` as "offers.draw_own", { name })}</>;
  const answer = (yes: boolean): Promise<boolean> => (offer.kind === "resign" ? wish("resign") : wish(`answer ${offer.kind}`, { yes }));
  return (
    <>
      <span>{t(`offers.${offer.kind}` as "offers.draw", { name })}</span>
      <button type="button" class="main" onClick={() => void answer(true)}>{t(`offers.${offer.kind}_yes` as "offers.draw_yes")}</button>
      {offer.kind !== "resign" && <button type="button" class="quiet" onClick={() => void answer(false)}>{t("offers.no")}</button>}
    </>
  );
}
