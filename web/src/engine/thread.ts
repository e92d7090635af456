// The thread that computer players think in. It takes a while to begin, so a page that will need one lets it begin before it knows the game.

let idle: Worker | null = null;

/** The address of its script, as the page names it. */
export const workerAddress = (): string => document.querySelector<HTMLMetaElement>("meta[name=engine-worker]")?.content ?? "";

const begun = (address: string): Worker => new Worker(address, { type: "module", name: "computer players" });

/** Let one begin, for whoever takes it. */
export function beginThread(): void {
  if (idle || typeof WebAssembly !== "object" || typeof Worker !== "function") return;
  const made = begun(workerAddress());
  idle = made;
  made.onerror = () => {
    if (idle === made) idle = null; // nobody would hear of it later: whoever wants one begins another, and hears why not
  };
}

/** The one that has begun, or one that begins now. */
export function takeThread(address: string): Worker {
  const taken = idle && address === workerAddress() ? idle : begun(address);
  if (taken === idle) idle = null;
  return taken;
}
