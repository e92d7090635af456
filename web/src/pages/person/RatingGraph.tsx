// How a rating has moved, as a line.

import { language } from "../../lib/settings";
import type { RatingStep } from "../../net/http";
import { t } from "../../net/i18n";

const W = 640,
  H = 180,
  LEFT = 48,
  RIGHT = 12,
  TOP = 14,
  BOTTOM = 26;

export function RatingGraph({ steps }: { steps: RatingStep[] }) {
  const first = steps[0],
    last = steps[steps.length - 1];
  if (!first || !last) return null;
  const values = [first.before, ...steps.map((step) => step.after)];
  const low = Math.floor((Math.min(...values) - 5) / 20) * 20,
    high = Math.ceil((Math.max(...values) + 5) / 20) * 20;
  const x = (index: number): number => LEFT + ((W - LEFT - RIGHT) * index) / Math.max(1, values.length - 1);
  const y = (value: number): number => TOP + ((H - TOP - BOTTOM) * (high - value)) / (high - low);
  const line = values.map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const day = (at: number): string => new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(at);
  const end = values.length - 1;
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${W} ${H}`}
      role="img"
      aria-label={t("person.graph", { from: Math.round(first.before), to: Math.round(last.after), n: steps.length })}
    >
      {[low, (low + high) / 2, high].map((mark) => (
        <g key={mark}>
          <path class="rule" d={`M${LEFT} ${y(mark)}H${W - RIGHT}`} />
          <text x={LEFT - 8} y={y(mark) + 4} text-anchor="end">
            {Math.round(mark)}
          </text>
        </g>
      ))}
      <path class="under" d={`${line}L${x(end)} ${y(low)}L${LEFT} ${y(low)}Z`} />
      <path class="curve" d={line} />
      <circle cx={x(end)} cy={y(last.after)} r="4.5" />
      <text x={LEFT} y={H - 6}>
        {day(first.at)}
      </text>
      <text x={W - RIGHT} y={H - 6} text-anchor="end">
        {day(last.at)}
      </text>
    </svg>
  );
}
