// What a visitor has chosen about the page itself; stored in the browser.

import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
export type Language = "en" | "ko" | "ja" | "zh";
export const LANGUAGES: Record<Language, string> = { en: "English", ko: "한국어", ja: "日本語", zh: "中文" };

function stored<T extends string>(key: string, otherwise: T, allowed: readonly T[]): T {
  try {
    const found = localStorage.getItem(`hanpan.${key}`) as T;
    return allowed.includes(found) ? found : otherwise;
  } catch {
    return otherwise;
  }
}

function store(key: string, value: string): void {
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

export const theme = signal<Theme>(stored("theme", "auto", ["auto", "light", "dark"]));
/** What boards are made of. */
export const MATERIALS = ["wood", "paper", "cloth"] as const;
export const material = signal<(typeof MATERIALS)[number]>(stored("board", "wood", MATERIALS));
/** How loud, from 0 to 100. */
const LOUDNESS = Array.from({ length: 101 }, (_, loud) => String(loud));
export const volume = signal(Number(stored("volume", stored("sound", "on", ["on", "off"]) === "off" ? "0" : "60", LOUDNESS)));
/** Whether to be told of one's turn while the page is hidden: not decided yet, yes, no. */
export const notify = signal<"ask" | "on" | "off">(stored("notify", "ask", ["ask", "on", "off"]));
/** Whether an action is played by itself when it is the only legal one. */
export const auto = signal<"on" | "off">(stored("auto", "off", ["on", "off"]));
/** How strong a computer player one likes to meet. */
export const level = signal(Number(stored("level", "2", ["1", "2", "3", "4", "5", "6", "7", "8"])));
export const language = signal<Language>(stored("language", preferred(globalThis.navigator?.languages ?? []), Object.keys(LANGUAGES) as Language[]));

/** Show the choices on the document and store them. */
export function followSettings(): void {
  effect(() => {
    store("theme", theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
  effect(() => {
    store("board", material.value);
    document.documentElement.dataset.board = material.value;
  });
  effect(() => store("volume", String(volume.value)));
  effect(() => store("notify", notify.value));
  effect(() => store("auto", auto.value));
  effect(() => store("level", String(level.value)));
  effect(() => {
    document.documentElement.lang = language.value === "zh" ? "zh-Hans" : language.value;
  });
}

export function chooseLanguage(chosen: Language): void {
  store("language", chosen);
  language.value = chosen;
}
