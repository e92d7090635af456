// Who stands how well: a bar that the sides share.

import { dotted } from "../../lib/dot";
import type { Knot } from "../../local/study";
import { t } from "../../net/i18n";
import { parts, percent, worthText } from "./worth";

const NARROW = 0.14; // of the bar: no number has room there on a phone

interface Props {
  knot: Knot;
  sides: readonly number[];
  scale: number;
  colours: readonly string[];
  called: (seat: number) => string;
  /** What there is to say where nobody knows. */
  unknown: string;
}

/** A seat and its partners. */
const allied = (sides: readonly number[], seat: number): number[] => sides.flatMap((side, other) => (side === sides[seat] ? other : []));

export function Bar({ knot, sides, scale, colours, called, unknown }: Props) {
  const shares = parts(knot, sides, scale),
    two = new Set(sides).size <= 2,
    drawn = shares ?? (two ? [0.5] : sides.map(() => 1 / sides.length)), // nobody knows: to each the same
    worth = two && shares ? knot.worth(0, sides) : null;
  const side = (seat: number): string => allied(sides, seat).map(called).join(t("over.and"));
  const standing = (value: number): string =>
    worthText(value) === "0" ? t("analysis.even") : t("analysis.stands", { name: side(value > 0 ? 0 : 1), value: worthText(Math.abs(value)) });
  const each = (shares ?? []).map((share, seat) => t("analysis.chance", { name: called(seat), percent: percent(share) }));
  const text = !shares ? unknown : worth === null ? t("analysis.chances", { list: dotted(each) }) : standing(worth);
  return (
    <div class="eval" role="img" aria-label={text} title={text}>
      {drawn.slice(0, two ? 1 : undefined).map((share, seat) => (
        <span key={seat} class="eval-part" style={{ width: `${(100 * share).toFixed(1)}%`, background: `var(--${colours[seat] ?? "ink"})` }}>
          {shares && !two && share > NARROW && <b>{percent(share)}</b>}
        </span>
      ))}
      {worth !== null && <b>{worthText(worth)}</b>}
    </div>
  );
}
