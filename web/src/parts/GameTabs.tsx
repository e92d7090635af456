// The games as links in a row: one page for each.

import { gameName, t } from "../i18n";
import { games } from "../store";

export function GameTabs({ at, path }: { at: string; path: string }) {
  return (
    <nav class="game-tabs" aria-label={t("form.game")}>
      {Object.keys(games.value ?? {}).map((name) => <a key={name} href={`/${path}/${name}`} aria-current={name === at ? "page" : undefined}>{gameName(name)}</a>)}
    </nav>
  );
}
