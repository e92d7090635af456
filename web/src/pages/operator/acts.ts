// What operators did, in words.

import { dotted } from "../../lib/dot";
import type { Act } from "../../net/http";
import { t } from "../../net/i18n";
import { span } from "./ModerationTools";

/** Where nobody comes in from. */
export const placeText = ({ kind, value }: { kind: string; value: string }): string =>
  kind === "address" ? t("operator.address_is", { value }) : t("operator.browser_is", { value });
const role = (name: unknown): string => (name === "operator" ? t("operator.is_operator") : t("operator.no_role"));

/** What else was said about an act: for how long, from which name to which, which role, which addresses. */
export function actText({ verb, document: told, places = [] }: Pick<Act, "verb" | "document" | "places">): string {
  const meant = verb === "propose" ? told.verb : verb;
  const long =
    told.minutes === null ? t("operator.without_end") : typeof told.minutes !== "number" ? "" : told.minutes ? span(told.minutes) : t("operator.ended");
  const name =
    meant !== "rename" || !told.name
      ? ""
      : told.before
        ? t("operator.from_to", { from: String(told.before), to: String(told.name) })
        : t("operator.to", { to: String(told.name) });
  const office =
    meant !== "role" || told.role === undefined
      ? ""
      : told.was === undefined
        ? t("operator.to", { to: role(told.role) })
        : t("operator.from_to", { from: role(told.was), to: role(told.role) });
  return dotted([name, office, ...places.map(placeText), long]);
}
