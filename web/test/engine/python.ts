// Calls functions that were translated from Python, and tells what came of it: [module, [[function, arguments], …]] → [[kind, text], …]

import { readFileSync } from "node:fs";
import * as py from "../../src/engine/python";

const [module, calls] = JSON.parse(readFileSync(0, "utf8"));
const made = (await import(module)).default(py, { doubled: (n: bigint) => 2n * n });

/** JSON has one kind of number: a whole one is a text that says so. It has no tuples, either. */
function given(value: py.Any): py.Any {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== "object" || value === null) return value;
  return "tuple" in value ? py.tuple(value.tuple.map(given)) : BigInt(value.int);
}

const answers = calls.map(([name, values]: [string, py.Any[]]) => {
  try {
    return ["gives", py.shown(made[name](...values.map(given)))];
  } catch (wrong) {
    if (wrong instanceof py.IllegalActionError || wrong instanceof py.UnfitError) return ["refuses", JSON.stringify(py.json(wrong.phrase))];
    if (wrong instanceof py.PythonError) return ["fails", ""];
    return ["throws", String(wrong)];
  }
});
console.log(JSON.stringify(answers));
