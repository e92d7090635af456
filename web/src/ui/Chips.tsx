// One of a few: radio buttons that look like chips.

import { useId } from "preact/hooks";

interface Chip<T> {
  value: T;
  label: string;
}

export function Chips<T extends string | number>({ label, chips, value, choose }: { label: string; chips: Chip<T>[]; value: T; choose: (value: T) => void }) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {chips.map((chip) => (
        <label key={chip.value}>
          <input type="radio" name={name} checked={chip.value === value} onChange={() => choose(chip.value)} />
          <span>{chip.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
