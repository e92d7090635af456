// A short sentence for everyone to see, and what is spoken to those who listen.

import { signal } from "@preact/signals";
import { notice } from "../net/lobby";

/** What a screen reader says next. */
export const spoken = signal("");

export function Notices() {
  return (
    <>
      <div class="notices" role="status">
        {notice.value && <p class={`notice${notice.value.bad ? " bad" : ""}`}>{notice.value.text}</p>}
      </div>
      <div class="unseen" aria-live="polite" role="log" aria-label="Hanpan">
        {spoken.value}
      </div>
    </>
  );
}
