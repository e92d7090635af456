// The page begins here.

import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { App } from "./App";
import { beginThread } from "./engine/thread";
import { afterPaint } from "./lib/afterpaint";
import { holdPresses } from "./lib/focus";
import { later } from "./lib/later";
import { followLinks, route } from "./lib/route";
import { followSettings, language } from "./lib/settings";
import { allowSounds } from "./lib/sounds";
import { followGames } from "./local/following";
import { shelf } from "./local/kept";
import { fetchAhead, lookForEngines } from "./local/tables";
import { arrive, recall, standing } from "./net/connection";
import { loadWords } from "./net/i18n";
import { loadGames, lobby } from "./net/lobby";
import { stills } from "./net/scenes";
import { register } from "./offline/register";
import { fetchAhead as fetchLazyParts, lazyPartsFrom } from "./ui/lazy";
import { followTurns } from "./ui/notify";
import "./style/main.css";

lazyPartsFrom(() => import("./lazy"));
followSettings();
followLinks();
holdPresses();
allowSounds();
followTurns();
followGames();
addEventListener("storage", ({ key }) => shelf.hear(key));
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) shelf.look(); // a page that comes back by the back button has heard of nothing
});
render(<App />, document.getElementById("page") ?? document.body);

/** Do it until it works: the server may be away for a moment. */
async function insist(doing: () => Promise<void>): Promise<void> {
  for (let wait = 300; ; wait = Math.min(3000, wait * 2)) {
    try {
      return await doing();
    } catch {
      await later(wait);
    }
  }
}

effect(() => {
  const wanted = language.value;
  void insist(() => loadWords(wanted));
});
void insist(loadGames);
void insist(lookForEngines);
if (route.value.page === "analysis") {
  fetchLazyParts(); // beside the words, not after them
  beginThread();
}
const kept = "id" in route.value ? shelf.find(route.value.id) : null;
if (kept) {
  void fetchAhead(kept.game).catch(() => undefined); // who wants it then tries again
  recall();
}
if (route.value.page === "front") void stills().catch(() => undefined); // likewise
effect(() => {
  if (standing.value && !lobby.wanted) untracked(() => lobby.open());
}); // once one is someone
void arrive().catch(() => undefined); // whoever is banned sees why
addEventListener("load", () => afterPaint("offline", () => void register().catch(() => undefined))); // a browser that does not allow it goes without
