import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error: a part of the build, without types
import { withoutLightDark } from "../colours.mjs";

test("a colour by day and by night is told three times, the rest once", () => {
  const made: string = withoutLightDark(`/* All. */
:root { --ink: light-dark(#111, #eee); --edge: #4d493f; }
:root[data-board="paper"] { --ink: light-dark(#222, #ddd); }
p { color: var(--ink); }`);
  assert.ok(!made.includes("light-dark"));
  assert.equal(made.match(/--edge/g)?.length, 1);
  assert.match(made, /:root \{ --ink: #111; --edge: #4d493f; \}/);
  assert.match(made, /@media \(prefers-color-scheme: dark\)\{:root:not\(\[data-theme="light"\]\)\{--ink: #eee;\}\}/);
  assert.match(made, /\n:root\[data-theme="dark"\]\{--ink: #eee;\}/);
  assert.match(made, /\{:root\[data-board="paper"\]:not\(\[data-theme="light"\]\)\{--ink: #ddd;\}\}/);
  assert.ok(made.endsWith("p { color: var(--ink); }"));
});
