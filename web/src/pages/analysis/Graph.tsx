// How a game went, as a line: above the middle the first seat's side stands better.

import type { Knot } from "../../local/study";
import { t } from "../../net/i18n";
import { share } from "./worth";

const W = 320,
  H = 72;

interface Props {
  knots: Knot[];
  at: Knot;
  sides: readonly number[];
  scale: number;
  /** Counts what has been found out: with it the line grows. */
  news: number;
  go: (to: Knot) => void;
}

export function Graph({ knots, at, sides, scale, go }: Props) {
  const x = (index: number): number => (W * index) / Math.max(1, knots.length - 1);
  const points = knots.flatMap((knot, index) => {
    const worth = knot.worth(0, sides);
    return worth === null ? [] : [[x(index), H * (1 - share(worth, scale))] as const];
  });
  const line = points.map(([px, py], index) => `${index ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const here = knots.indexOf(at);
  const clicked = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const to = knots[Math.round(((event.clientX - box.left) / box.width) * (knots.length - 1))];
    if (to) go(to);
  };
  return (
    <svg class="graph course" viewBox={`0 0 ${W} ${H}`} role="img" aria-label={t("analysis.graph")} preserveAspectRatio="none" onClick={clicked}>
      <path class="rule" d={`M0 ${H / 2}H${W}`} />
      {here >= 0 && <path class="here" d={`M${x(here)} 0V${H}`} />}
      {line && <path class="curve" d={line} />}
    </svg>
  );
}
