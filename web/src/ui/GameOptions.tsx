// The options of a game, each with its own words; the page knows only their kinds.

import type { Option } from "../net/http";
import { gameWords, t } from "../net/i18n";
import { gameInfo } from "../net/lobby";
import type { Value } from "../net/types";
import { lazy } from "./lazy";

const OwnText = lazy((parts) => parts.OwnText);

interface Props {
  game: string;
  values: Record<string, Value>;
  change: (values: Record<string, Value>) => void;
}

export function GameOptions({ game, values, change }: Props) {
  const options = gameInfo(game)?.options ?? [];
  const chosen = (option: Option): Value => values[option.name] ?? option.default;
  const fixes = (option: Option, value: Value): Record<string, Value> => option.fixes?.[String(value)] ?? {};
  const fixed: Record<string, Value> = Object.assign({}, ...options.map((option) => fixes(option, chosen(option))));
  function choose(option: Option, value: Value): void {
    const decided = fixes(option, value),
      rest = Object.entries(values).filter(([name]) => !(name in decided)); // what one had chosen there does not go with it
    change({ ...Object.fromEntries(rest), [option.name]: value });
  }
  return (
    <>
      {options.map((option) => (
        <OneOption
          key={`${game} ${option.name}`}
          game={game}
          option={option}
          value={fixed[option.name] ?? chosen(option)}
          fixed={option.name in fixed}
          change={(value) => choose(option, value)}
        />
      ))}
    </>
  );
}

interface OneProps {
  game: string;
  option: Option;
  value: Value;
  /** Another option says what it is. */
  fixed: boolean;
  change: (value: Value) => void;
}

function OneOption({ game, option, value, fixed, change }: OneProps) {
  const words = gameWords(game)?.options?.[option.name];
  const name = words?.name ?? option.name,
    help = words?.help;
  if (typeof option.default === "boolean") {
    return (
      <label class="switch">
        <input type="checkbox" checked={value as boolean} disabled={fixed} onChange={(event) => change(event.currentTarget.checked)} />
        <span>
          {name}
          {help && <small>{help}</small>}
        </span>
      </label>
    );
  }
  const low = option.low ?? 0,
    high = option.high ?? 0;
  const choices = option.choices ?? (high - low <= 10 ? Array.from({ length: high - low + 1 }, (_, index) => String(low + index)) : null);
  const number = typeof option.default === "number";
  const own = Boolean(option.free) && !choices?.includes(String(value));
  const field = (
    <label class="field">
      {name}
      {choices ? (
        <select
          value={own ? "" : String(value)}
          disabled={fixed}
          onChange={(event) => change(number ? Number(event.currentTarget.value) : event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words?.values?.[choice] ?? choice}
            </option>
          ))}
          {option.free && <option value="">{t("form.own")}</option>}
        </select>
      ) : (
        <input
          type="number"
          min={low}
          max={high}
          value={value as number}
          disabled={fixed}
          onChange={(event) => {
            if (event.currentTarget.validity.valid) change(Number(event.currentTarget.value));
          }}
        />
      )}
      {help && <small>{help}</small>}
    </label>
  );
  return own ? (
    <div class="stack">
      {field}
      <OwnText key={game} game={game} option={option} value={String(value)} change={change} />
    </div>
  ) : (
    field
  );
}
