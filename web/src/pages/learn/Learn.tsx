// The rules of a game: in words, with a game to look through and the boards one can choose.

import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { language } from "../../lib/settings";
import { againstComputerHere } from "../../local/start";
import { fill, gameName, gameWords, t } from "../../net/i18n";
import { demo, type Scene } from "../../net/scenes";
import { GameLinks } from "../../ui/GameChooser";
import { GameTabs } from "../../ui/GameTabs";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { NotFound } from "../../ui/NotFound";
import { Playback } from "../../ui/Playback";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/title";
import { Film } from "./Film";

const TITLE = /^\s*<h1>.*?<\/h1>/s; // the page has said it already

export function Learn({ game }: { game: string }) {
  useTitle(game && gameWords(game) ? t("learn.label", { game: gameName(game) }) : t("learn.title"));
  if (!game)
    return (
      <main id="main" class="page">
        <div class="welcome">
          <h1>{t("learn.title")}</h1>
          <p>{t("learn.which")}</p>
        </div>
        <GameLinks path="learn" />
      </main>
    );
  return gameWords(game) ? <Rules key={game} game={game} /> : <NotFound />;
}

function Rules({ game }: { game: string }) {
  const [rules, again] = useLoaded<string>(`/api/games/${encodeURIComponent(game)}/rules/${language.value}`);
  const [scenes, setScenes] = useState<Scene[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [titles, setTitles] = useState<string[]>([]);
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    demo(game).then(setScenes, () => undefined);
  }, [game]);
  useEffect(() => {
    const found = [...(article.current?.querySelectorAll("h2") ?? [])];
    found.forEach((title, index) => {
      title.id = `part-${index}`;
      title.tabIndex = -1;
    });
    setTitles(found.map((title) => title.textContent ?? ""));
  }, [rules]);
  useEffect(() => {
    if (!scenes || !rules) return;
    const figures = [...(article.current?.querySelectorAll<HTMLElement>("figure[data-first]") ?? [])];
    const hosts = figures.map((figure) => {
      const host = document.createElement("div"),
        { first, last } = figure.dataset;
      figure.prepend(host);
      render(<Film scenes={scenes.slice(Number(first), Number(last) + 1)} game={game} label={figure.querySelector("figcaption")?.textContent ?? ""} />, host);
      return host;
    });
    return () => {
      for (const host of hosts) {
        render(null, host);
        host.remove();
      }
    };
  }, [scenes, rules]);
  const captions = useMemo(() => {
    const words = gameWords(game),
      names = Object.fromEntries((words?.seats ?? []).map((name, seat) => [String(seat + 1), name]));
    return new Map(Object.entries(words?.demo ?? {}).map(([at, sentence]) => [Number(at), fill(sentence, names)]));
  }, [game, gameWords(game)]);
  const turn =
    (index: number) =>
    (event: Event): void => {
      event.preventDefault();
      const title = document.getElementById(`part-${index}`);
      title?.scrollIntoView({ block: "start" });
      title?.focus({ preventScroll: true });
    };
  const tryIt = (): void => {
    setBusy(true);
    void againstComputerHere({ game }, 1, 0).finally(() => setBusy(false));
  };
  return (
    <main id="main" class="page learn">
      <GameTabs at={game} path="learn" />
      <div class="welcome">
        <h1>{gameName(game)}</h1>
        <p>{gameWords(game)?.tagline}</p>
      </div>
      <div class="learn-columns">
        <aside class="learn-side" aria-label={t("learn.example")}>
          <div class="card stack">
            {scenes ? (
              <Playback scenes={scenes} game={game} label={t("front.picture", { game: gameName(game) })} captions={captions} />
            ) : (
              <div class="skeleton-part square" />
            )}
            <p class="hint">{t("learn.example_help")}</p>
            <button type="button" class="main" aria-disabled={busy} onClick={tryIt}>
              {t("learn.try")}
            </button>
            <a class="button quiet" href="/">
              {t("learn.play")}
            </a>
            <a class="button quiet" href={`/analysis/${game}`}>
              {t("learn.analyse")}
            </a>
          </div>
          {titles.length > 1 && (
            <nav class="contents" aria-label={t("learn.contents")}>
              {titles.map((title, index) => (
                <a key={index} href={`#part-${index}`} onClick={turn(index)}>
                  {title}
                </a>
              ))}
            </nav>
          )}
        </aside>
        {rules === null ? (
          <LoadFailed again={again} />
        ) : rules === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <article
            ref={article}
            class="rules"
            aria-label={t("learn.label", { game: gameName(game) })}
            dangerouslySetInnerHTML={{ __html: rules.replace(TITLE, "") }}
          />
        )}
      </div>
    </main>
  );
}
