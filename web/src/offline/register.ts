// This page and the service worker: it is set up, told to keep what this visitor needs without a network, and makes way for a newer version.

import { computed, effect } from "@preact/signals";
import { later } from "../lib/later";
import { loadAnewIf, route } from "../lib/route";
import { language } from "../lib/settings";
import { version } from "../lib/version";
import { shelf } from "../local/kept";
import { addressesOf } from "../local/tables";
import { get, lostAt } from "../net/connection";
import { directMessages, games, searching } from "../net/lobby";
import { askForAll, setUp } from "./again";

const SCRIPT = "/service-worker.js";
const RESTING = ["front", "watch", "learn", "best", "archive", "person"]; // pages on which nothing is lost when they are loaded anew

let newer = false; // whether another version waits

/** Nothing goes on that another version could break. */
function resting(): boolean {
  return RESTING.includes(route.peek().page) && !searching.peek() && !Object.keys(directMessages.peek()).length && lostAt.peek() === null;
}

export async function register(): Promise<void> {
  const workers = globalThis.navigator.serviceWorker;
  if (!workers) return;
  loadAnewIf((next) => newer && RESTING.includes(next.page) && resting());
  workers.addEventListener("message", ({ data }) => {
    newer ||= data === "newer";
  });
  const registered = await setUp(workers, SCRIPT, later);
  const greet = (): void => registered.waiting?.postMessage({ page: version() });
  const follow = (): void => registered.installing?.addEventListener("statechange", greet);
  follow();
  registered.addEventListener("updatefound", follow);
  effect(() => void (route.value && greet())); // again and again: other pages may have been closed
  let lost = false;
  effect(() => {
    const back = lost && lostAt.value === null;
    lost = lostAt.value !== null;
    if (back) void registered.update().catch(() => undefined); // a server that was away may be another version now
  });
  if (!workers.controller) {
    const comes = new Promise((done) => workers.addEventListener("controllerchange", done, { once: true }));
    registered.active?.postMessage({ page: version() }); // where it came while this page was loading, it does not know of it
    await comes; // only then is anything kept
  }
  effect(() => {
    if (lostAt.value === null) void keep(needed.value);
  });
}

const known = computed(() => Object.keys(games.value ?? {}));
/** Games to be played without a network: those that are kept here; where the page is installed, all. */
const played = computed(() => {
  const installed = matchMedia("(display-mode: standalone)").matches;
  return known.value
    .filter((game) => installed || shelf.games.value.some((kept) => kept.game === game))
    .flatMap(addressesOf)
    .join(" "); // a text: what is the same again is nothing new
});
/** The addresses of what is needed then: all that can be read, and what games are played with. */
const needed = computed(() => [
  ...["/api/games", "/api/engines", "/api/stills", `/api/words/${language.value}`],
  ...known.value.flatMap((game) => [`/api/games/${game}/rules/${language.value}`, `/api/games/${game}/demo`]),
  ...played.value.split(" ").filter(Boolean),
]);

/** Ask for what is not kept yet: whatever is asked for is kept. */
function keep(paths: string[]): Promise<void> {
  const lacks = async (path: string): Promise<boolean> => !(await caches.match(path, { ignoreVary: true }));
  const wanted = (): boolean => needed.peek() === paths && lostAt.peek() === null;
  return askForAll(paths, { lacks, ask: get, wanted, later });
}
