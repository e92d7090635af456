// What may wait until the next frame has been painted: words to be spoken, sounds, lists beside the board. What is seen at once does not wait for it.

const waiting = new Map<string, () => void>();

/** Do it after the next frame; of several works of the same name only the last. */
export function whenPainted(name: string, work: () => void): void {
  if (!waiting.size) document.hidden ? setTimeout(run) : requestAnimationFrame(() => setTimeout(run)); // nothing is painted while nobody looks
  waiting.delete(name);
  waiting.set(name, work);
}

function run(): void {
  const works = [...waiting.values()];
  waiting.clear();
  for (const work of works) work();
}
