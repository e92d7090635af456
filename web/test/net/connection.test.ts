// Coming back: what is done after the server has closed a line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { afterwards } from "../../src/net/connection";

test("a refusal of a connection that passes by itself is tried again, others are not", () => {
  const said = (code: string): string => afterwards({ code, text: "", event: "connect" });
  for (const code of ["closing", "our-fault", "too-fast", "too-many-connections"]) assert.equal(said(code), "again", code);
  assert.equal(afterwards(null), "again");
  assert.equal(said("banned"), "banned");
  assert.equal(said("unauthorized"), "expelled");
  for (const code of ["no-such-room", "wrong-password", "room-closed", "no-spectators"]) assert.equal(said(code), "out", code);
});
