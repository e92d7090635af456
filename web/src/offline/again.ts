// What a network that failed for a moment has kept away is asked for again: a page that is not loaded anew for hours would go without it.

type Wait = (ms: number) => Promise<void>;

const SOON = 5000; // milliseconds until the second time; each next one waits twice as long
const LATE = 5 * 60_000; // and none longer than this
const TIMES = 6;

/** Have a worker set up, until there is one. */
export async function setUp(workers: Pick<ServiceWorkerContainer, "register" | "ready">, script: string, later: Wait): Promise<ServiceWorkerRegistration> {
  for (let wait = SOON; ; wait = Math.min(2 * wait, LATE)) {
    await workers.register(script, { updateViaCache: "none" }).catch(() => undefined); // one that is being set up stays as it is
    const registered = await Promise.race([workers.ready, later(wait)]);
    if (registered) return registered;
  }
}

/** Ask for each path that is lacking, one after the other, a few times, as long as they are wanted. */
export async function askForAll(
  paths: readonly string[],
  { lacks, ask, wanted, later }: { lacks(path: string): Promise<boolean>; ask(path: string): Promise<unknown>; wanted(): boolean; later: Wait },
): Promise<void> {
  for (let wait = SOON, times = TIMES; times && wanted(); wait *= 2, times--) {
    let lacking = false;
    for (const path of paths) {
      if (!(await lacks(path))) continue;
      lacking = true;
      await ask(path).catch(() => undefined);
    }
    if (!lacking) return;
    await later(wait);
  }
}
