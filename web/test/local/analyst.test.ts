// Who judges a game: the position that is looked at, and beside it all that were played; looking elsewhere ends what is being thought about.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Position } from "../../src/engine/contract";
import { type Analyse, Analyst } from "../../src/local/analyst";
import { type Judgement, Study } from "../../src/local/study";
import { ToyGame } from "./toy";

const judgement = (nodes: number): Judgement => ({ values: new Map([["take 1", nodes]]), line: ["take 1"], depth: 1, nodes, sure: false });

/** An analyst whose thoughts end when the test says so. */
function desk() {
  const study = new Study(new ToyGame({ seats: 2, rounds: 1, secrets: false }), ["5", "take 2", "take 1", "take 2"]);
  const asked: { seen: Position; seconds: number; beside: boolean; heard: (told: Judgement) => void; end: () => void; stopped: boolean }[] = [];
  const thinking =
    (beside: boolean): Analyse =>
    (seen, seconds, heard) => {
      let end = (): void => undefined;
      const done = new Promise<void>((ended) => (end = ended));
      const thought = { seen, seconds, beside, heard, end, stopped: false };
      asked.push(thought);
      const stop = (): void => {
        thought.stopped = true;
        end();
      };
      return { done, stop };
    };
  return { study, asked, analyst: new Analyst(study, thinking(false), thinking(true)) };
}

const breath = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

test("the position that is looked at is thought about until it ends, and from its first word on, a little each, all that were played", async () => {
  const { study, asked, analyst } = desk();
  study.back();
  const here = study.at;
  const looked = analyst.look(here);
  await breath();
  assert.equal(asked.length, 1, "first the position itself");
  const [first] = asked;
  first?.heard(judgement(1));
  for (let other = 1; other <= 2; other++) {
    await breath();
    assert.equal(asked.length, 1 + other);
    asked[other]?.heard(judgement(other));
    asked[other]?.end();
  }
  await breath();
  assert.deepEqual(
    asked.map(({ seen, beside }) => [study.trunk().findIndex((knot) => knot.position === seen), beside]),
    [
      [3, false],
      [2, true],
      [1, true],
    ],
  );
  assert.ok(!first?.stopped, "it goes on all the while");
  first?.heard(judgement(9));
  assert.equal(here.judgement?.nodes, 9);
  assert.equal(analyst.news.value, 4);
  assert.ok((first?.seconds ?? 0) > (asked[1]?.seconds ?? 0));
  first?.end();
  await looked;
});

test("where nobody is to act those that were played are thought about at once", async () => {
  const { study, asked, analyst } = desk();
  void analyst.look(study.root); // chance is to act
  await breath();
  assert.deepEqual(
    asked.map(({ beside }) => beside),
    [true],
  );
  analyst.close();
});

test("a position of the game that can't be thought about is left out, and asked about once", async () => {
  const { study } = desk();
  const asked: Position[] = [];
  const glance: Analyse = (seen) => {
    asked.push(seen);
    return { done: Promise.reject(new Error("broken")), stop: () => undefined };
  };
  const analyst = new Analyst(study, () => ({ done: Promise.resolve(), stop: () => undefined }), glance);
  study.back();
  await analyst.look(study.at);
  assert.ok(!analyst.failed.value, "the position that is looked at can be thought about");
  assert.equal(asked.length, 2);
  study.back();
  await analyst.look(study.at);
  assert.equal(new Set(asked).size, asked.length);
});

test("looking elsewhere stops what is thought about, and a shallower thought does not replace a deeper one", async () => {
  const { study, asked, analyst } = desk();
  study.back();
  const first = study.at;
  first.judgement = judgement(100);
  void analyst.look(first);
  await breath();
  asked[0]?.heard(judgement(5));
  assert.equal(first.judgement.nodes, 100);
  await breath();
  const beside = asked[1];
  assert.ok(beside?.beside);
  study.back();
  void analyst.look(study.at);
  assert.ok(asked[0]?.stopped && beside?.stopped);
  asked[0]?.heard(judgement(500));
  assert.equal(first.judgement.nodes, 100, "nobody waits for that any more");
  await breath();
  assert.equal(asked[2]?.seen, study.at.position);
  analyst.close();
  assert.ok(asked[2]?.stopped);
});

test("a player that can't think about a position is told, and nothing hangs", async () => {
  const { study } = desk();
  study.back();
  const broken: Analyse = () => ({ done: Promise.reject(new Error("broken")), stop: () => undefined });
  const analyst = new Analyst(study, broken, broken);
  await analyst.look(study.at);
  assert.ok(analyst.failed.value);
});

test("a position that nobody can think about says nothing of the next", async () => {
  const { study } = desk();
  study.back();
  const bad = study.at.position;
  const one: Analyse = (seen) => ({ done: seen === bad ? Promise.reject(new Error("broken")) : Promise.resolve(), stop: () => undefined });
  const analyst = new Analyst(study, one, one);
  await analyst.look(study.at);
  study.back();
  const looked = analyst.look(study.at);
  assert.ok(!analyst.failed.value);
  analyst.close();
  await looked;
  assert.ok(!analyst.failed.value, "whoever has gone away hears nothing more");
});
