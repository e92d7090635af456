// Asks computer players about one position after the other, and tells what each answers: {module, facts, players} → [answer, …]

import { readFileSync } from "node:fs";
import { Code, type Facts } from "../../src/engine/module";
import { Player } from "../../src/engine/player";

interface Asked {
  level: number;
  seed: string;
  megabytes: number;
  nodes: number;
  positions: { record: string; text: string; patient: boolean }[];
}

const { module, facts, players } = JSON.parse(readFileSync(0, "utf8")) as { module: string; facts: Facts; players: Asked[] };
const code = await Code.load(readFileSync(module));
const answers: unknown[] = [];
for (const { level, seed, megabytes, nodes, positions } of players) {
  const player = new Player(code, facts, { level, seed: BigInt(seed), megabytes, nodes });
  for (const { record, text, patient } of positions) {
    const seen = { record: new Uint8Array(Buffer.from(record, "hex")), text };
    if (!patient) {
      answers.push(await player.choose(seen));
      continue;
    }
    const thoughts: unknown[] = [];
    for await (const thought of player.analyse(seen)) thoughts.push({ ...thought, values: [...thought.values] });
    answers.push(thoughts);
  }
}
console.log(JSON.stringify(answers));
