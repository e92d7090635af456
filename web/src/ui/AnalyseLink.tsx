// From a finished game to taking it apart: a link, and the key A.

import { useEffect } from "preact/hooks";
import { go } from "../lib/route";
import { playable } from "../local/tables";
import { t } from "../net/i18n";
import { gameInfo } from "../net/lobby";
import { Icon } from "./Icon";
import { fetchAhead } from "./lazy";

export function AnalyseLink({ path, game }: { path: string; game: string }) {
  const possible = playable(game) && gameInfo(game)?.secrets === false; // who could not see everything then, did not play by what is seen now
  useEffect(() => {
    if (!possible) return;
    fetchAhead();
    const pressed = (event: KeyboardEvent): void => {
      const on = event.target as HTMLElement;
      if (event.key.toLowerCase() !== "a" || event.altKey || event.ctrlKey || event.metaKey || on.closest("input, textarea, select, dialog, .menu")) return;
      go(path);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [possible, path]);
  if (!possible) return null;
  return (
    <a class="button quiet" href={path} title={t("analysis.key")}>
      <Icon name="bulb" />
      {t("analysis.open")}
    </a>
  );
}
