// Names as servers and records write them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { words } from "../../src/net/i18n";
import { playerName } from "../../src/ui/Name";

test("programs are marked where there is nothing but a name", () => {
  words.value = { house: JSON.parse(readFileSync("../src/hanpan/words/en.json", "utf8")), games: {} };
  assert.equal(playerName("Ann"), "Ann");
  assert.equal(playerName("bot 3"), "Brook · level 3");
  assert.deepEqual(["bot 2", "Ann", "bot 2", "bot 2"].map(playerName), ["Sprout · level 2", "Ann", "Clover · level 2", "Acorn · level 2"]);
  assert.equal(playerName("computer, level 8"), "Mountain · level 8"); // as records say it
  assert.equal(playerName("bot Deep Fox"), "Deep Fox (bot)");
  assert.equal(playerName(null), "Empty seat");
});
