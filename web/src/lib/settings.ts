// What a visitor has chosen about the page itself; kept in the browser.

import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
export type Language = "en" | "ko" | "ja" | "zh";
export const LANGUAGES: Record<Language, string> = { en: "English", ko: "한국어", ja: "日本語", zh: "中文" };

function kept<T extends string>(key: string, otherwise: T, allowed: readonly T[]): T {
  try {
    const found = localStorage.getItem(`hanpan.${key}`) as T;
    return allowed.includes(found) ? found : otherwise;
  } catch {
    return otherwise;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`hanpan.${key}`, value);
  } catch {
    /* not allowed here: then for this visit only */
  }
}

/** The first of the browser's languages that is spoken here. */
export function preferred(wanted: readonly string[]): Language {
  const known = Object.keys(LANGUAGES) as Language[];
  for (const tag of wanted) {
    const found = known.find((language) => tag.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return "en";
}

export const theme = signal<Theme>(kept("theme", "auto", ["auto", "light", "dark"]));
/** What boards are made of. */
export const STUFFS = ["wood", "paper", "cloth"] as const;
export const stuff = signal<(typeof STUFFS)[number]>(kept("board", "wood", STUFFS));
/** How loud, from 0 to 100. */
const LOUDNESS = Array.from({ length: 101 }, (_, loud) => String(loud));
export const volume = signal(Number(kept("volume", kept("sound", "on", ["on", "off"]) === "off" ? "0" : "60", LOUDNESS)));
/** Whether to be told of one's turn while the page is hidden: not decided yet, yes, no. */
export const notify = signal<"ask" | "on" | "off">(kept("notify", "ask", ["ask", "on", "off"]));
/** Whether an action is played by itself when it is the only legal one. */
export const auto = signal<"on" | "off">(kept("auto", "off", ["on", "off"]));
/** How strong a computer player one likes to meet. */
export const level = signal(Number(kept("level", "2", ["1", "2", "3", "4", "5", "6", "7", "8"])));
export const language = signal<Language>(kept("language", preferred(globalThis.navigator?.languages ?? []), Object.keys(LANGUAGES) as Language[]));

/** Show the choices on the document and keep them. */
export function follow(): void {
  effect(() => {
    keep("theme", theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
  effect(() => {
    keep("board", stuff.value);
    document.documentElement.dataset.board = stuff.value;
  });
  effect(() => keep("volume", String(volume.value)));
  effect(() => keep("notify", notify.value));
  effect(() => keep("auto", auto.value));
  effect(() => keep("level", String(level.value)));
  effect(() => {
    document.documentElement.lang = language.value === "zh" ? "zh-Hans" : language.value;
  });
}

export function speak(chosen: Language): void {
  keep("language", chosen);
  language.value = chosen;
}
