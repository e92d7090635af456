// What a visitor has chosen, or the browser for them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { preferred } from "../../src/lib/settings";

test("the browser's first known language is spoken", () => {
  assert.equal(preferred(["fr-FR", "ko-KR", "en"]), "ko");
  assert.equal(preferred(["zh-TW"]), "zh");
  assert.equal(preferred(["xx"]), "en");
});
