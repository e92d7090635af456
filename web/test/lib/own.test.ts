// Names that anybody can have made up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { own } from "../../src/lib/own";
import { addressesOf, playable } from "../../src/local/tables";
import { fill, find, gameName, gameWords, words } from "../../src/net/i18n";
import { gameInfo, games } from "../../src/net/lobby";

const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

test("what every object has is not among what we have named", () => {
  for (const name of NAMES) assert.equal(own({ go: 1 }, name), undefined);
  assert.equal(own({ go: 1 }, "go"), 1);
  assert.equal(own(null, "go"), undefined);
  assert.equal(own(JSON.parse('{"__proto__": 5}') as Record<string, number>, "__proto__"), 5, "what a server has named so is there");
});

test("no game, word or sentence is called so", () => {
  words.value = { games: {}, house: {} } as unknown as typeof words.value;
  games.value = {};
  for (const name of NAMES) {
    assert.deepEqual([gameWords(name), gameName(name), gameInfo(name), playable(name), addressesOf(name)], [undefined, name, undefined, false, []]);
    assert.equal(find({ a: {} }, `a.${name}.name`), undefined);
    assert.equal(fill(`{${name}}`, { n: 1 }), `{${name}}`);
  }
});
