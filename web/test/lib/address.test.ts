// Which page an address shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../src/lib/address";

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

test("an address that can't be read leads nowhere", () => {
  for (const path of ["/learn/100%", "/people/%zz", "/r/%E0%A4%A"]) assert.deepEqual(read(path), { page: "lost" }, path);
  assert.deepEqual(read("/learn/100%25"), { page: "learn", game: "100%" });
});
