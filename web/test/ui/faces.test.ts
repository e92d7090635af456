// Faces: the same for the same person, another for another, and no colour that is not a token.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { computerFace, digest, personFace } from "../../src/ui/faces";

test("a face belongs to who someone is", () => {
  assert.equal(personFace("1 Ann"), personFace("1 Ann"));
  const crowd = Array.from({ length: 300 }, (_, id) => personFace(`${id.toString(16)} Ann`));
  assert.ok(new Set(crowd).size > 280, `${new Set(crowd).size}`);
  assert.notEqual(digest("한판"), digest("한 판"));
});

test("every level has a face, and three of a level can be told apart", () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((level) => [0, 1, 2].map((nth) => computerFace(level, nth)));
  assert.equal(new Set(all).size, 24);
});

test("faces are drawn in tokens only", () => {
  const tokens = readFileSync("src/style/tokens.css", "utf8");
  const drawn = [
    ...Array.from({ length: 400 }, (_, id) => personFace(String(id))),
    computerFace(1),
    computerFace(2),
    computerFace(3),
    computerFace(4),
    computerFace(5),
    computerFace(6),
    computerFace(7),
    computerFace(8),
  ].join("");
  for (const [, name] of drawn.matchAll(/var\((--[\w-]+)\)/g)) assert.ok(tokens.includes(`${name}:`), String(name));
  for (const [, value] of drawn.matchAll(/(?:fill|stroke)="([^"]+)"/g)) assert.match(String(value), /^(?:none|var\(--[\w-]+\))$/);
});
