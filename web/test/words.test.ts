// Four languages: every key in every one of them, with the same values; no bare text in components.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fill, words } from "../src/i18n";
import { preferred } from "../src/settings";
import { left, shown } from "../src/parts/Clock";
import { sitter } from "../src/parts/Name";
import { read } from "../src/route";
import en from "../src/words/en.json";
import ja from "../src/words/ja.json";
import ko from "../src/words/ko.json";
import zh from "../src/words/zh.json";

const source = join(process.cwd(), "src");

function flat(tree: object, above = ""): Record<string, string> {
  return Object.assign({}, ...Object.entries(tree).map(([key, value]) => (typeof value === "string" ? { [above + key]: value } : flat(value, `${above}${key}.`))));
}
const values = (sentence: string): string[] => [...new Set([...sentence.matchAll(/\{(\w+)(?::[^{}]*)?\}/g)].map((found) => found[1]))].sort();
const files = (folder: string): string[] => readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? files(join(folder, each.name)) : [join(folder, each.name)]));

test("every key is in every language, with the same values", () => {
  const english = flat(en);
  for (const words of [ko, ja, zh].map((tree) => flat(tree))) {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
    for (const [key, sentence] of Object.entries(words)) {
      assert.deepEqual(values(sentence), values(english[key]), key);
      assert.ok(sentence.length > 0, key);
    }
  }
});

test("every key that is used exists, and every key is used", () => {
  const text = files(source).filter((name) => /\.tsx?$/.test(name)).map((name) => readFileSync(name, "utf8")).join("\n");
  const used = new Set([...text.matchAll(/["'`]([a-z_]+(?:\.[a-z0-9_]+)+)["'`]/g)].map((found) => found[1]));
  const families = [...text.matchAll(/`([a-z_]+(?:\.[a-z_]+)*\.)\$\{/g)].map((found) => found[1]);
  for (const key of Object.keys(flat(en))) assert.ok(used.has(key) || families.some((family) => key.startsWith(family)), `${key} is not used`);
});

test("no bare text in components", () => {
  for (const name of files(source).filter((each) => each.endsWith(".tsx"))) {
    const text = readFileSync(name, "utf8").replace(/\/\/.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
    const bare = [...text.matchAll(/>([^<>{}=;()]*[A-Za-z]{2,}[^<>{}=;()]*)<\//g)].map((found) => found[1].trim()).filter(Boolean);
    assert.deepEqual(bare, [], name);
    const labels = [...text.matchAll(/(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z]{2,}[^"]*)"/g)].map((found) => found[1]).filter((label) => label !== "Hanpan");
    assert.deepEqual(labels, [], name);
  }
});

test("values are put into sentences", () => assert.equal(fill("{a} and {b}", { a: 1, b: "<x>" }), "1 and <x>"));
test("words agree with the value beside them", () => {
  assert.equal(fill("{n} {n:wall/walls}", { n: 1 }, "en"), "1 wall");
  assert.equal(fill("{n} {n:wall/walls}", { n: 0 }, "en"), "0 walls");
  const sat = (who: string | number): string => fill("{who}{who:이/가}, {who}{who:을/를}, {who}{who:으로/로}", { who }, "ko");
  assert.equal(sat("한판"), "한판이, 한판을, 한판으로");
  assert.equal(sat("바다"), "바다가, 바다를, 바다로");
  assert.equal(sat("별"), "별이, 별을, 별로");
  assert.equal(sat("Google"), "Google가, Google를, Google로");
  assert.equal(sat("Sam"), "Sam이, Sam을, Sam으로");
  assert.equal(sat(3), "3이, 3을, 3으로");
  assert.equal(sat("x".length), "1이, 1을, 1로");
});
test("the browser's first known language is spoken", () => {
  assert.equal(preferred(["fr-FR", "ko-KR", "en"]), "ko");
  assert.equal(preferred(["zh-TW"]), "zh");
  assert.equal(preferred(["xx"]), "en");
});

test("addresses lead to their pages", () => {
  assert.deepEqual(read("/"), { page: "front" });
  assert.deepEqual(read("/r/abc123"), { page: "room", id: "abc123" });
  assert.deepEqual(read("/learn/x"), { page: "learn", game: "x" });
  assert.deepEqual(read("/login/password"), { page: "password" });
  assert.deepEqual(read("/login/google"), { page: "lost" }); // the server's: it leads to another site
  assert.deepEqual(read("/operator/log"), { page: "operator", part: "log" });
  assert.deepEqual(read("/r"), { page: "lost" });
  assert.deepEqual(read("/r/a/b"), { page: "lost" });
});

test("programs are marked where there is nothing but a name", () => {
  words.value = { house: JSON.parse(readFileSync("../src/hanpan/words/en.json", "utf8")), games: {} };
  assert.equal(sitter("Ann"), "Ann");
  assert.equal(sitter("bot 3"), "Brook · level 3");
  assert.deepEqual(["bot 2", "Ann", "bot 2", "bot 2"].map(sitter), ["Sprout · level 2", "Ann", "Clover · level 2", "Acorn · level 2"]);
  assert.equal(sitter("computer, level 8"), "Mountain · level 8"); // as records say it
  assert.equal(sitter("bot Deep Fox"), "Deep Fox (bot)");
  assert.equal(sitter(null), "Empty seat");
});

test("a clock counts main time first, then byo-yomi; only for the seat to act", () => {
  const told = { now: 0, seat: 0, deadline: 1, heardAt: 1000, remaining: [{ main: 5000, byoyomi: 20000, turn: 0 }, { main: 0, byoyomi: 20000, turn: 0 }] };
  assert.deepEqual(left(told, "byoyomi", 0, 3000), { ms: 3000, extra: 20000 });
  assert.deepEqual(left(told, "byoyomi", 0, 8000), { ms: 18000, extra: 0 });
  assert.deepEqual(left(told, "byoyomi", 1, 9000), { ms: 20000, extra: 0 });
  assert.equal(left(told, "none", 0, 3000), null);
  assert.equal(shown(61_200), "1:02");
});
