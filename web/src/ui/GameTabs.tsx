// The games as links in a row: one page for each, and where there is one, a page for all of them before.

import { gameName, t } from "../net/i18n";
import { games } from "../net/lobby";
import { TabLinks } from "./TabLinks";

export function GameTabs({ at, path, all }: { at: string; path: string; all?: string }) {
  const each = Object.keys(games.value ?? {}).map((name) => [`/${path}/${name}`, gameName(name)] as const);
  return <TabLinks label={t("form.game")} links={all ? [[`/${path}`, all], ...each] : each} at={at ? `/${path}/${at}` : `/${path}`} />;
}
