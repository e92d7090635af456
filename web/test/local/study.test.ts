// A game taken apart: stepping, trying out, coming back to what was played.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../../src/engine/contract";
import { Study, WON } from "../../src/local/study";
import { ToyGame } from "./toy";

const PLAYED = ["5", "take 2", "take 1", "take 2"];
const study = (): Study => new Study(new ToyGame({ seats: 2, rounds: 1, secrets: false }), PLAYED);
const actions = (knots: { action: string | null }[]): (string | null)[] => knots.map((knot) => knot.action).slice(1);

test("one begins at the end of what was played, and steps through it", () => {
  const game = study();
  assert.ok(game.at.position.over);
  assert.deepEqual(actions(game.trunk()), PLAYED);
  game.forward();
  assert.equal(game.at.ply, 4);
  for (let step = 0; step < 9; step++) game.back();
  assert.equal(game.at, game.root);
  game.forward();
  game.forward();
  assert.equal(game.at.action, "take 2");
  assert.deepEqual(actions(game.line()), PLAYED);
});

test("what is tried out branches off, is found again, and can be forgotten", () => {
  const game = study();
  game.back();
  game.back();
  const from = game.at;
  assert.throws(() => game.play("take 9"), Refused);
  assert.equal(game.at, from);
  const tried = game.play("take 2");
  game.play("take 1");
  assert.deepEqual(actions(game.line()), ["5", "take 2", "take 2", "take 1"]);
  assert.deepEqual(actions(game.trunk()), PLAYED, "what was played stays");
  assert.equal(game.offTrunk(), tried);
  game.go(from);
  assert.equal(game.offTrunk(), tried, "what lies ahead is not the game");
  game.forward();
  assert.equal(game.at, tried, "forward goes where one was last");
  game.backToTrunk();
  assert.equal(game.at, from);
  assert.equal(game.offTrunk(), null);
  assert.deepEqual(actions(game.line()), PLAYED, "forward goes on with the game");
  game.back();
  game.go(tried);
  game.go(game.root);
  game.backToTrunk();
  assert.equal(game.at, game.root, "who is in the game stays there");
  assert.deepEqual(actions(game.line()), PLAYED);
  game.go(from);
  assert.equal(game.play("take 1").trunk, true, "what was played is no branch");
  game.go(tried);
  game.prune(tried);
  assert.equal(game.at, from);
  assert.equal(from.children.length, 1);
  game.forward();
  assert.equal(game.at.action, "take 1");
  game.prune(game.at);
  assert.equal(from.children.length, 1, "what was played is not forgotten");
});

test("a branch that was forgotten is not stepped into again", () => {
  const game = study();
  game.back();
  game.back();
  const tried = game.play("take 2");
  const further = game.play("take 1");
  game.prune(further);
  assert.equal(game.at, tried);
  game.forward();
  assert.equal(game.at, tried, "nothing comes after it");
  assert.deepEqual(actions(game.line()), ["5", "take 2", "take 2"]);
});

test("where chance is to act, it can be let", () => {
  const game = study();
  game.go(game.root);
  const drawn = game.draw(BigInt64Array.of(3n, 4n));
  assert.equal(drawn.parent, game.root);
  assert.equal(drawn.position.seat, 0);
});

test("what a position is worth is seen from either side", () => {
  const game = study();
  assert.equal(game.at.worth(0, [0, 1]), WON);
  assert.equal(game.at.worth(1, [0, 1]), -WON);
  game.back();
  assert.equal(game.at.worth(0, [0, 1]), null);
  game.at.judgement = { values: new Map([["take 2", 300]]), line: ["take 2"], depth: 1, nodes: 1, sure: false };
  assert.equal(game.at.worth(0, [0, 1]), 300);
  assert.equal(game.at.worth(1, [0, 1]), -300);
});

test("among three, each has a chance of its own; what one hopes for says nothing of the others", () => {
  const game = new Study(new ToyGame({ seats: 3, rounds: 1, secrets: false }), PLAYED);
  assert.deepEqual(game.at.chances(3), [0, 0, 1]);
  game.back();
  assert.equal(game.at.chances(3), null);
  game.at.judgement = { values: new Map([["take 2", -2]]), line: [], depth: 0, nodes: 1, sure: false, chances: [0.2, 0.5, 0.3, 0] };
  assert.deepEqual(game.at.chances(3), [0.2, 0.5, 0.3]);
});

test("a game that someone gave up on the way was won by who is said to have won it, and what is tried out by whom the rules say", () => {
  const game = new Study(new ToyGame({ seats: 3, rounds: 1, secrets: false }), PLAYED, undefined, [1]);
  assert.deepEqual(game.at.position.winner, [2], "by the rules");
  assert.deepEqual(game.at.chances(3), [0, 1, 0]);
  game.back();
  assert.equal(game.at.chances(3), null, "there it went on");
  game.play("take 1");
  assert.deepEqual(game.play("take 1").chances(3), [1, 0, 0]);
});
