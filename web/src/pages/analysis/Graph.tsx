// How a game went, as a line: above the middle the first seat's side stands better. Where more than two play, each has a line of its own.

import { boxOf } from "../../lib/box";
import type { Knot } from "../../local/study";
import { t } from "../../net/i18n";
import { parts } from "./worth";

const W = 320,
  H = 72;

interface Props {
  knots: Knot[];
  at: Knot;
  sides: readonly number[];
  scale: number;
  colours: readonly string[];
  /** Counts what has been found out: with it the line grows. */
  news: number;
  go: (to: Knot) => void;
}

export function Graph({ knots, at, sides, scale, colours, go }: Props) {
  const x = (index: number): number => (W * index) / Math.max(1, knots.length - 1);
  const points = knots.flatMap((knot, index) => {
    const shares = parts(knot, sides, scale);
    return shares ? [{ at: x(index), shares }] : [];
  });
  const curve = (side: number): string =>
    points.map(({ at, shares }, index) => `${index ? "L" : "M"}${at.toFixed(1)} ${(H * (1 - (shares[side] ?? 0))).toFixed(1)}`).join("");
  const curves = points[0]?.shares.length === 2 ? [undefined] : colours; // of two sides the second has what the first has not
  const here = knots.indexOf(at);
  const clicked = (event: MouseEvent): void => {
    const box = boxOf(event.currentTarget as Element);
    const to = knots[Math.round(((event.clientX - box.left) / box.width) * (knots.length - 1))];
    if (to) go(to);
  };
  return (
    <svg class="graph course" viewBox={`0 0 ${W} ${H}`} role="img" aria-label={t("analysis.graph")} preserveAspectRatio="none" onClick={clicked}>
      <path class="rule" d={`M0 ${H / 2}H${W}`} />
      {here >= 0 && <path class="here" d={`M${x(here)} 0V${H}`} />}
      {points.length > 0 && curves.map((colour, side) => <path key={side} class="curve" d={curve(side)} style={colour && { stroke: `var(--${colour})` }} />)}
    </svg>
  );
}
