// Bundles the page into the Python package: node build.mjs [--watch]
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "..", "src", "hanpan", "server", "page");
const watching = process.argv.includes("--watch");

const icon = readFileSync(join(here, "src", "icon.svg"), "utf8");

/** Writes index.html with the names that the bundle got, and removes what an older build left. */
function finish(outputs, metafile) {
  mkdirSync(page, { recursive: true });
  const old = new Set(readdirSync(page));
  let script = "",
    style = "",
    worker = "";
  for (const file of outputs) {
    const name = file.path.split(/[\\/]/).pop();
    writeFileSync(join(page, name), file.contents);
    old.delete(name);
    if (/^main-.*\.js$/.test(name)) script = name;
    if (/^main-.*\.css$/.test(name)) style = name;
    if (/^worker-.*\.js$/.test(name)) worker = name;
  }
  // What the script needs at once is fetched beside it, not after it.
  const entry = Object.values(metafile.outputs).find((output) => output.entryPoint?.endsWith("main.tsx"));
  const needed = entry.imports.filter((each) => each.kind === "import-statement").map((each) => each.path.split("/").pop());
  const picture = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  writeFileSync(join(page, picture), icon);
  writeFileSync(
    join(page, "index.html"),
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f7f3ea" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#171a1f" media="(prefers-color-scheme: dark)">
<meta name="engine-worker" content="/page/${worker}">
<title>Hanpan 한판</title>
<link rel="icon" href="/page/${picture}">
<link rel="stylesheet" href="/page/${style}">
${needed.map((name) => `<link rel="modulepreload" href="/page/${name}">\n`).join("")}<script type="module" src="/page/${script}"></script>
</head>
<body><div id="page"></div></body>
</html>
`,
  );
  for (const name of old) if (name !== picture && name !== "index.html" && name !== ".digest") rmSync(join(page, name));
}

const bundle = await context({
  entryPoints: [join(here, "src", "main.tsx"), join(here, "src", "engine", "worker.ts")],
  bundle: true,
  minify: !watching,
  sourcemap: watching ? "inline" : false,
  format: "esm",
  target: "es2021",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: page,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  splitting: true,
  write: false,
  metafile: true,
  logLevel: "warning",
  legalComments: "none",
  plugins: [
    {
      name: "finish",
      setup: (build) =>
        build.onEnd((result) => {
          if (result.errors.length === 0) finish(result.outputFiles, result.metafile);
        }),
    },
  ],
});

if (watching) {
  await bundle.watch();
  console.log("building again whenever a file changes; Ctrl-C ends it");
} else {
  const result = await bundle.rebuild();
  await bundle.dispose();
  process.exitCode = result.errors.length ? 1 : 0;
}
