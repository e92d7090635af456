// Who judges a game: the position that is looked at first, then all that were played; looking elsewhere ends what is being thought about.
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
  const asked: { seen: Position; seconds: number; heard: (told: Judgement) => void; end: () => void; stopped: boolean }[] = [];
  const analyse: Analyse = (seen, seconds, heard) => {
    let end = (): void => undefined;
    const done = new Promise<void>((ended) => (end = ended));
    const thought = { seen, seconds, heard, end, stopped: false };
    asked.push(thought);
    const stop = (): void => {
      thought.stopped = true;
      end();
    };
    return { done, stop };
  };
  return { study, asked, analyst: new Analyst(study, analyse) };
}

const breath = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

test("the position that is looked at is judged first, then each that was played, then it again for longer", async () => {
  const { study, asked, analyst } = desk();
  study.back();
  const here = study.at;
  void analyst.look(here);
  for (let round = 1; round <= 4; round++) {
    await breath();
    const last = asked[asked.length - 1];
    last?.heard(judgement(round));
    last?.end();
  }
  await breath();
  assert.deepEqual(
    asked.map(({ seen }) => study.trunk().findIndex((knot) => knot.position === seen)),
    [3, 2, 1, 3],
  );
  assert.ok((asked[3]?.seconds ?? 0) > (asked[0]?.seconds ?? 0));
  assert.equal(here.judgement?.nodes, 4);
  assert.equal(analyst.news.value, 4);
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
  study.back();
  void analyst.look(study.at);
  assert.ok(asked[0]?.stopped);
  asked[0]?.heard(judgement(500));
  assert.equal(first.judgement.nodes, 100, "nobody waits for that any more");
  await breath();
  assert.equal(asked[1]?.seen, study.at.position);
  analyst.close();
  assert.ok(asked[1]?.stopped);
});

test("a player that can't think about a position is told, and nothing hangs", async () => {
  const { study } = desk();
  study.back();
  const analyst = new Analyst(study, () => ({ done: Promise.reject(new Error("broken")), stop: () => undefined }));
  await analyst.look(study.at);
  assert.ok(analyst.failed.value);
});

test("a position that nobody can think about says nothing of the next", async () => {
  const { study } = desk();
  study.back();
  const bad = study.at.position;
  const analyst = new Analyst(study, (seen) => ({ done: seen === bad ? Promise.reject(new Error("broken")) : Promise.resolve(), stop: () => undefined }));
  await analyst.look(study.at);
  study.back();
  const looked = analyst.look(study.at);
  assert.ok(!analyst.failed.value);
  analyst.close();
  await looked;
  assert.ok(!analyst.failed.value, "whoever has gone away hears nothing more");
});
