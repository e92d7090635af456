// A game's rules page.

import { useEffect, useState } from "preact/hooks";
import { gameName, gameWords, t } from "../i18n";
import { get } from "../net";
import { language } from "../settings";
import { Lost } from "./Lost";

export function Learn({ game }: { game: string }) {
  const [rules, setRules] = useState("");
  const spoken = language.value;
  useEffect(() => { void get<string>(`/api/games/${game}/rules/${spoken}`).then(setRules, () => undefined); }, [game, spoken]);
  if (!gameWords(game)) return <Lost />;
  return (
    <main id="main" class="page narrow">
      <article class="rules" aria-label={t("learn.label", { game: gameName(game) })} dangerouslySetInnerHTML={{ __html: rules }} />
      <a class="button main" href="/">{t("learn.play")}</a>
    </main>
  );
}
