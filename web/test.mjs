// Runs the unit tests: bundles test/**/*.test.ts with esbuild and gives them to Node's own test runner.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const built = join(here, "built");
const tests = readdirSync(join(here, "test"), { recursive: true }).filter((name) => /\.test\.tsx?$/.test(name));
rmSync(built, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => join(here, "test", name)),
  bundle: true,
  platform: "node",
  format: "esm",
  outdir: built,
  outbase: join(here, "test"),
  outExtension: { ".js": ".mjs" },
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  packages: "external",
});
const done = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...tests.map((name) => join(built, name.replace(/\.tsx?$/, ".mjs")))], {
  stdio: "inherit",
  cwd: here,
});
process.exitCode = done.status ?? 1;
