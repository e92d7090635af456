// Four languages: every key in every one of them, with the same values; no bare text in components.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import en from "../src/words/en.json";
import ja from "../src/words/ja.json";
import ko from "../src/words/ko.json";
import zh from "../src/words/zh.json";

const source = join(process.cwd(), "src");

function flat(tree: object, above = ""): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(tree).map(([key, value]) => (typeof value === "string" ? { [above + key]: value } : flat(value, `${above}${key}.`))),
  );
}
const values = (sentence: string): string[] => [...new Set([...sentence.matchAll(/\{(\w+)(?::[^{}]*)?\}/g)].map((found) => found[1] ?? ""))].sort();
const files = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? files(join(folder, each.name)) : [join(folder, each.name)]));

test("every key is in every language, with the same values", () => {
  const english = flat(en);
  for (const words of [ko, ja, zh].map((tree) => flat(tree))) {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
    for (const [key, sentence] of Object.entries(words)) {
      assert.deepEqual(values(sentence), values(english[key] ?? ""), key);
      assert.ok(sentence.length > 0, key);
    }
  }
});

test("every key that is used exists, and every key is used", () => {
  const text = files(source)
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(name, "utf8"))
    .join("\n");
  const used = new Set([...text.matchAll(/["'`]([a-z_]+(?:\.[a-z0-9_]+)+)["'`]/g)].map((found) => found[1]));
  const families = [...text.matchAll(/`([a-z_]+(?:\.[a-z_]+)*\.)\$\{/g)].map((found) => String(found[1]));
  for (const key of Object.keys(flat(en))) assert.ok(used.has(key) || families.some((family) => key.startsWith(family)), `${key} is not used`);
});

test("no bare text in components", () => {
  for (const name of files(source).filter((each) => each.endsWith(".tsx"))) {
    const text = readFileSync(name, "utf8")
      .replace(/\/\/.*$/gm, "")
      .replace(/\/\*[\s\S]*?\*\//g, "");
    const bare = [...text.matchAll(/>([^<>{}=;()]*[A-Za-z]{2,}[^<>{}=;()]*)<\//g)].map((found) => String(found[1]).trim()).filter(Boolean);
    assert.deepEqual(bare, [], name);
    const labels = [...text.matchAll(/(?:aria-label|title|placeholder|alt)="([^"]*[A-Za-z]{2,}[^"]*)"/g)]
      .map((found) => found[1])
      .filter((label) => label !== "Hanpan");
    assert.deepEqual(labels, [], name);
  }
});
