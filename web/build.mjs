// Bundles the page into the Python package: node build.mjs [--watch]
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";
import { withoutLightDark } from "./colours.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "..", "src", "hanpan", "server", "page");
const watching = process.argv.includes("--watch");

const icons = { icon: "src/icon.svg", small: "icons/192.png", large: "icons/512.png", masked: "icons/masked.png", apple: "icons/apple.png" };
const digest = (contents, form = "hex") => createHash("sha256").update(contents).digest(form);
const sri = (contents) => `sha256-${digest(contents, "base64")}`;

const LIGHT = "#f7f3ea",
  DARK = "#171a1f"; // as in src/style/tokens.css

const WITHOUT_SCRIPTS = `<p>Hanpan 한판: five board games to play here. The page needs JavaScript; please allow it and load the page again.</p>
<p lang="ko">이 페이지에는 자바스크립트가 필요합니다. 허용하고 다시 불러와 주세요.</p>
<p lang="ja">このページには JavaScript が必要です。許可してから、もう一度読み込んでください。</p>
<p lang="zh">本页面需要 JavaScript。请启用后重新加载。</p>`;

const manifest = (at) => ({
  id: "/",
  name: "Hanpan 한판",
  short_name: "Hanpan",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: LIGHT,
  theme_color: LIGHT,
  icons: [
    { src: at.small, sizes: "192x192", type: "image/png" },
    { src: at.large, sizes: "512x512", type: "image/png" },
    { src: at.masked, sizes: "512x512", type: "image/png", purpose: "maskable" },
    { src: at.icon, sizes: "any", type: "image/svg+xml" },
  ],
});

const index = (at, needed, version) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${LIGHT}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${DARK}" media="(prefers-color-scheme: dark)">
<meta name="page-version" content="${version}">
<meta name="engine-worker" content="${at.worker}">
<title>Hanpan 한판</title>
<link rel="icon" href="${at.icon}">
<link rel="apple-touch-icon" href="${at.apple}">
<link rel="manifest" href="${at.manifest}">
<link rel="stylesheet" href="${at.style}">
${needed.map((address) => `<link rel="modulepreload" href="${address}">\n`).join("")}<script type="module" src="${at.script}"></script>
</head>
<body><div id="page"></div><noscript>${WITHOUT_SCRIPTS}</noscript></body>
</html>
`;

/** Writes everything that the bundle got, the document that names it and the service worker that keeps it, and removes what an older build left. */
async function finish(outputs, metafile) {
  const files = new Map(outputs.map((file) => [basename(file.path), file.contents]));
  const address = (name) => `/page/${name}`;
  /** A file whose name changes with what is in it; its address. */
  const add = (stem, ending, contents) => {
    const name = `${stem}-${digest(contents).slice(0, 8)}.${ending}`;
    files.set(name, contents);
    return address(name);
  };
  const bundled = (pattern) => address([...files.keys()].find((name) => pattern.test(name)));
  const at = { script: bundled(/^main-.*\.js$/), style: bundled(/^main-.*\.css$/), worker: bundled(/^worker-.*\.js$/) };
  for (const [name, path] of Object.entries(icons)) at[name] = add(name, path.split(".").pop(), readFileSync(join(here, path)));
  at.manifest = add("manifest", "webmanifest", JSON.stringify(manifest(at)));
  // What the script needs at once is fetched beside it, not after it.
  const entry = Object.values(metafile.outputs).find((output) => output.entryPoint?.endsWith("main.tsx"));
  const needed = entry.imports.filter((each) => each.kind === "import-statement").map((each) => address(basename(each.path)));
  const service = await build({ ...shared, entryPoints: [join(here, "src", "offline", "service.ts")], format: "iife" });
  const keeper = service.outputFiles[0].text;
  const version = digest(index(at, needed, "") + [...files.keys()].sort().join() + keeper).slice(0, 16);
  const exact = Object.fromEntries([...files].map(([name, contents]) => [address(name), sri(contents)]));
  files.set("index.html", index(at, needed, version));
  exact["/"] = sri(files.get("index.html"));
  files.set("service-worker.js", `const VERSION=${JSON.stringify({ name: version, files: exact })};\n${keeper}`);

  mkdirSync(page, { recursive: true });
  for (const [name, contents] of files) writeFileSync(join(page, name), contents);
  for (const name of readdirSync(page)) if (!files.has(name) && name !== ".digest") rmSync(join(page, name));
}

const shared = {
  bundle: true,
  minify: !watching,
  sourcemap: watching ? "inline" : false,
  target: "es2021",
  outdir: page,
  write: false,
  logLevel: "warning",
  legalComments: "none",
};

const bundle = await context({
  entryPoints: [join(here, "src", "main.tsx"), join(here, "src", "engine", "worker.ts")],
  ...shared,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  splitting: true,
  metafile: true,
  plugins: [
    {
      name: "colours",
      setup: (running) =>
        running.onLoad({ filter: /tokens\.css$/ }, ({ path }) => ({ contents: withoutLightDark(readFileSync(path, "utf-8")), loader: "css" })),
    },
    {
      name: "finish",
      setup: (running) =>
        running.onEnd(async (result) => {
          if (result.errors.length === 0) await finish(result.outputFiles, result.metafile);
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
