// What may wait until the next frame has been painted: words to be spoken, sounds, lists beside the board. What is seen at once does not wait for it.

import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";

const waiting = new Map<string, () => void>();
let timer: ReturnType<typeof setTimeout> | undefined; // set when a frame is being painted
let postponed = false;

/** Do it after the next frame; of several works of the same name only the last. */
export function afterPaint(name: string, work: () => void): void {
  if (!waiting.size) arm();
  else if (timer !== undefined && !postponed) {
    // more has come after that frame: it is to be seen first, too
    postponed = true;
    clearTimeout(timer);
    arm();
  }
  waiting.delete(name);
  waiting.set(name, work);
}

function arm(): void {
  timer = undefined;
  const soon = (): void => {
    timer = setTimeout(run);
  };
  document.hidden ? soon() : requestAnimationFrame(soon); // nothing is painted while nobody looks
}

function run(): void {
  const works = [...waiting.values()];
  waiting.clear();
  timer = undefined;
  postponed = false;
  batch(() => {
    for (const work of works) {
      try {
        work();
      } catch (wrong) {
        // the others still get their turn
        reportError(wrong);
      }
    }
  });
}

/** A value of signals, one frame later: for what stands beside the board and need not change with it. It is made only then, too. */
export function deferred<T>(name: string, make: () => T): ReadonlySignal<T> {
  const follows = signal<T>(undefined as T),
    seen = signal(0);
  let made = -1;
  effect(() => {
    if (made === seen.value)
      return afterPaint(name, () => {
        seen.value++;
      }); // something that it is made of has changed
    made = seen.value;
    follows.value = make();
  });
  return follows;
}
