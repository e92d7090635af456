// The page's voice at the board: one line for what to do now, what is being waited for, and why something was not possible.

import { signal } from "@preact/signals";

/** What is said for a while instead of the usual: a refusal (bad), or a hint; the how many-th it is. */
export const said = signal<{ text: string; bad: boolean; time: number } | null>(null);

/** Whether an action of one's own is on its way for so long that it should be said. */
export const sending = signal(false);

const LONG = 8000; // milliseconds, enough to read two lines
let times = 0;
let fading: ReturnType<typeof setTimeout> | undefined;

function put(text: string, bad: boolean): void {
  said.value = { text, bad, time: ++times };
  clearTimeout(fading);
  fading = setTimeout(hush, LONG);
}

/** Why that was not possible. */
export function refuse(text: string): void {
  put(text, true);
}

export function hint(text: string): void {
  put(text, false);
}

/** Back to what is usually said: something else has happened. */
export function hush(): void {
  clearTimeout(fading);
  said.value = null;
}
