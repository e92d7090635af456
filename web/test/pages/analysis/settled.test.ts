// What the analysis tells aloud while it thinks on.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Window } from "happy-dom";
import { h, render } from "preact";
import { act } from "preact/test-utils";
import { useSettled } from "../../../src/pages/analysis/settled";

const { document } = new Window();
Object.assign(globalThis, { document });

test("a line is told once it has stayed the same for two seconds, or at once if it stays", async () => {
  const told: string[] = [];
  const Line = ({ text, stays = false }: { text: string; stays?: boolean }) => {
    useSettled(text, stays, (settled) => told.push(settled));
    return null;
  };
  const host = document.createElement("div") as unknown as Element;
  const show = (text: string, stays = false): Promise<void> => act(() => render(h(Line, { text, stays }), host));
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const text of ["thinking", "a1", "b1"]) {
    await show(text);
    mock.timers.tick(1500);
  }
  assert.deepEqual(told, []);
  mock.timers.tick(500);
  await show("b1");
  mock.timers.tick(5000);
  assert.deepEqual(told, ["b1"]);
  await show("c1", true);
  mock.timers.tick(0);
  assert.deepEqual(told, ["b1", "c1"]);
  await show("d1");
  await act(() => render(null, host));
  mock.timers.tick(5000);
  assert.deepEqual(told, ["b1", "c1"]);
  mock.timers.reset();
});
