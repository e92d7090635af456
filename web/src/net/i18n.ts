// Words: the page's own from words/*.json; the games' and the server's are fetched.

import { signal } from "@preact/signals";
import { own as named } from "../lib/own";
import { type Language, language } from "../lib/settings";
import en from "../words/en.json";
import { get } from "./connection";
import type { GameWords, Words } from "./http";
import type { Phrase } from "./types";

type Leaves<T, Before extends string = ""> = { [K in keyof T & string]: T[K] extends string ? `${Before}${K}` : Leaves<T[K], `${Before}${K}.`> }[keyof T &
  string];
export type Key = Leaves<typeof en>;
type Tree = { [key: string]: string | Tree };
type Values = Record<string, string | number>;

const own = signal<Tree>(en);
export const words = signal<Words | null>(null);

const loaders: Record<Language, () => Promise<{ default: Tree }>> = {
  en: async () => ({ default: en }),
  ko: () => import("../words/ko.json"),
  ja: () => import("../words/ja.json"),
  zh: () => import("../words/zh.json"),
};

/** Load everything that can be said in a language. */
export async function loadWords(wanted: Language): Promise<void> {
  const [page, server] = await Promise.all([loaders[wanted](), get<Words>(`/api/words/${wanted}`)]);
  if (language.value !== wanted) return;
  own.value = page.default;
  words.value = server;
}

export function find(tree: unknown, key: string): string | undefined {
  let found = tree;
  for (const part of key.split(".")) found = typeof found === "object" ? named(found as Record<string, unknown> | null, part) : undefined;
  return typeof found === "string" ? found : undefined;
}

const CLOSED = "013678bcklmnpqt王玉角金銀香"; // digits, letters and komas that Koreans end with a consonant

/** Whether a word is spoken with a consonant at its end, as Koreans read it; before 으로 an ㄹ does not count. */
function closed(word: string, particle: string): boolean {
  const last = [...word.toLowerCase()].reverse().find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? "";
  const l = particle.startsWith("으");
  if (last >= "가" && last <= "힣") {
    const final = (last.charCodeAt(0) - 0xac00) % 28;
    return final !== 0 && !(l && final === 8);
  }
  return last !== "" && CLOSED.includes(last) && !(l && "178l".includes(last));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A word that is written from right to left, kept together: it does not change places with what stands beside it. */
const isolated = (word: string): string => (RIGHT_TO_LEFT.test(word) ? `\u2068${word}\u2069` : word);

/** Put values into a sentence. `{n}` is a value; `{n:one/other}` is one of two words, as the language's grammar wants it beside that value:
 * singular and plural, or in Korean the particle that goes with the sound the value ends in. hanpan.core.words says it to programs the same way. */
export function fill(sentence: string, values: Values = {}, spoken: Language = language.value): string {
  return sentence.replace(/\{(\w+)(?::([^{}/]*)\/([^{}]*))?\}/g, (whole, name: string, first?: string, second?: string) => {
    if (!Object.hasOwn(values, name)) return whole;
    if (first === undefined || second === undefined) return isolated(String(values[name]));
    const wanted = spoken === "ko" ? closed(String(values[name]), first) : new Intl.PluralRules(spoken).select(Number(values[name])) === "one";
    return wanted ? first : second;
  });
}

/** The page's own words. */
export function t(key: Key, values?: Values): string {
  return fill(find(own.value, key) ?? find(en, key) ?? key, values);
}

/** A phrase in a game's words, or else in the server's; seats are called as told. */
export function say(game: string | undefined, phrase: Phrase, called?: (seat: number) => string): string {
  const seat = called && /^seats\.(\d+)$/.exec(phrase.key);
  if (called && seat) return called(Number(seat[1]));
  const known = words.value;
  const sentence = (game && find(gameWords(game), phrase.key)) || find(known?.house, phrase.key) || "";
  const values = Object.fromEntries(
    Object.entries(phrase.values ?? {}).map(([name, value]) => [name, typeof value === "object" ? say(game, value, called) : value]),
  );
  return fill(sentence, values);
}

/** What a game says of itself. */
export function gameWords(game: string): GameWords | undefined {
  return named(words.value?.games, game);
}

export function gameName(game: string): string {
  return gameWords(game)?.name ?? game;
}

export function seatName(game: string, seat: number): string {
  return gameWords(game)?.seats[seat] ?? String(seat + 1);
}

/** A refusal in the reader's language. */
export function refusalText(game: string | undefined, refusal: { text: string; phrase?: Phrase }): string {
  return (refusal.phrase && say(game, refusal.phrase)) || refusal.text || t("notice.fault");
}

/** A word of the server's that programs use, too. */
export const serverWord = (key: string): string => find(words.value?.house, key) ?? "";

export function rankName(rank: string): string {
  return serverWord(`ranks.${rank}`);
}
