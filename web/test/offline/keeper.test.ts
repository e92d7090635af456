// What a browser keeps of this site: one exact version, and nothing of anyone's own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { VERSION_HEADER } from "../../src/lib/version";
import { type Around, Keeper } from "../../src/offline/keeper";

const ORIGIN = "https://games.example.org";

class Drawer {
  readonly held = new Map<string, Response>();
  match = async (path: string): Promise<Response | undefined> => this.held.get(path)?.clone();
  put = async (path: string, answer: Response): Promise<void> => void this.held.set(path, answer);
  delete = async (path: string): Promise<boolean> => this.held.delete(path);
  keys = async (): Promise<{ url: string }[]> => [...this.held.keys()].map((path) => ({ url: ORIGIN + path }));
}

class Drawers {
  readonly all = new Map<string, Drawer>();
  open = async (name: string): Promise<Drawer> => {
    const found = this.all.get(name) ?? new Drawer();
    this.all.set(name, found);
    return found;
  };
  keys = async (): Promise<string[]> => [...this.all.keys()];
  delete = async (name: string): Promise<boolean> => this.all.delete(name);
  match = async (path: string, { cacheName }: { cacheName?: string } = {}): Promise<Response | undefined> => {
    for (const [name, drawer] of this.all) if ((cacheName ?? name) === name && drawer.held.has(path)) return drawer.match(path);
    return undefined;
  };
  held = (name: string): string[] => [...(this.all.get(name)?.held.keys() ?? [])].sort();
}

/** An answer as a browser gets it from its own site. */
function answer(text: string, kind: string, more: { status?: number; type?: string; redirected?: boolean; cache?: string } = {}): Response {
  const made = new Response(text, { status: more.status ?? 200, headers: { "content-type": kind, ...(more.cache ? { "cache-control": more.cache } : {}) } });
  const as = (one: Response): Response => {
    Object.defineProperty(one, "type", { value: more.type ?? "basic" });
    Object.defineProperty(one, "redirected", { value: more.redirected ?? false });
    return one;
  };
  const clone = made.clone.bind(made);
  made.clone = () => as(clone());
  return as(made);
}

interface Site {
  [path: string]: () => Response;
}

const never = (): Promise<void> => new Promise(() => undefined);

/** A browser at a site; what the site does not have can't be reached. */
function browser(site: Site, later: Around["later"] = never) {
  const caches = new Drawers(),
    asked: string[] = [];
  const around: Around = {
    caches: caches as unknown as CacheStorage,
    origin: ORIGIN,
    later,
    fetch: async (what) => {
      const path = typeof what === "string" ? what : new URL((what as Request).url).pathname;
      asked.push(path);
      const found = site[path];
      if (!found) throw new TypeError("no network");
      return found();
    },
  };
  return { caches, asked, around };
}

const request = (path: string, more: object = {}): Request =>
  ({ url: ORIGIN + path, method: "GET", mode: "cors", headers: new Headers({ [VERSION_HEADER]: "one" }), ...more }) as Request;

const said = async (told: Promise<Response> | undefined): Promise<string | undefined> => (await told)?.text();

const FILES = { "/": "sha256-a", "/page/main-A.js": "sha256-b" };
const page = (name: string): Site => ({ "/": () => answer(`document ${name}`, "text/html"), "/page/main-A.js": () => answer("main", "text/javascript") });
const wasm = (version: string): string => `/api/engines/engine-toy-${version.repeat(16)}.wasm`;

test("without a network the kept version answers, at every address of the page", async () => {
  const site = page("one"),
    { caches, around } = browser(site);
  const keeper = new Keeper({ name: "one", files: FILES }, around);
  await keeper.install();
  assert.deepEqual(caches.held("hanpan one"), ["/", "/page/main-A.js"]);
  site["/"] = () => answer("a newer document", "text/html");
  assert.equal(await said(keeper.answer(request("/learn", { mode: "navigate" }))), "document one"); // the site does not know that one
  site["/lobby"] = () => answer("as the server says", "text/html");
  assert.equal(await said(keeper.answer(request("/lobby", { mode: "navigate" }))), "as the server says");
  site["/lobby"] = () => answer("bad gateway", "text/html", { status: 502 });
  assert.equal(await said(keeper.answer(request("/lobby", { mode: "navigate" }))), "document one");
  for (const name of Object.keys(site)) delete site[name];
  assert.equal(await said(keeper.answer(request("/local/abc", { mode: "navigate" }))), "document one");
  assert.equal(await said(keeper.answer(request("/page/main-A.js"))), "main");
  assert.equal(keeper.answer(request("/api/login/elsewhere", { mode: "navigate" })), undefined);
  assert.equal(keeper.answer(request("/docs", { mode: "navigate" })), undefined);
  assert.equal(keeper.answer(request("/login/elsewhere", { mode: "navigate" })), undefined);
});

test("what is nobody's is asked of the server, and without one the page says that nothing is there", async () => {
  const site = page("one"),
    { around } = browser(site);
  const keeper = new Keeper({ name: "one", files: FILES }, around),
    nowhere = (): Promise<string | undefined> => said(keeper.answer(request("/nothing/here", { mode: "navigate" })));
  await assert.rejects(nowhere(), "nothing is kept yet");
  await keeper.install();
  assert.equal(await nowhere(), "document one");
  site["/nothing/here"] = () => answer("something new", "text/html", { status: 503 });
  assert.equal(await nowhere(), "something new", "whatever it is");
});

test("a version is kept whole or not at all", async () => {
  for (const wrong of [
    answer("main", "text/html"),
    answer("main", "text/javascript", { status: 404 }),
    answer("main", "text/javascript", { type: "opaque" }),
    answer("main", "text/javascript", { redirected: true }),
  ]) {
    const { caches, around } = browser({ ...page("one"), "/page/main-A.js": () => wrong });
    await assert.rejects(new Keeper({ name: "one", files: FILES }, around).install());
    assert.deepEqual(await caches.keys(), []);
  }
});

test("each file is asked for by its digest, and from the server where the browser has another", async () => {
  const { around } = browser(page("one")),
    plain = around.fetch,
    seen: RequestInit[] = [];
  around.fetch = async (what, how = {}) => {
    seen.push(how);
    if (how.cache === "default") throw new TypeError("another digest");
    return plain(what, how);
  };
  await new Keeper({ name: "one", files: FILES }, around).install();
  assert.deepEqual(
    seen.map(({ integrity, cache }) => [integrity, cache]),
    [
      ["sha256-a", "no-cache"],
      ["sha256-b", "default"],
      ["sha256-b", "reload"],
    ],
  );
});

test("what everyone is told alike is kept, and only that", async () => {
  const json = (text: string) => () => answer(text, "application/json");
  const site: Site = {
    ...page("one"),
    "/api/games": json("{}"),
    "/api/words/en": json("words"),
    "/api/games/toy/rules/en": () => answer("<h1>", "text/html"),
    "/api/stills": () => answer("{}", "application/json", { cache: "private, no-store" }), // as if it were someone's own
    "/api/games/toy/demo": () => answer("<script>", "text/html"),
    "/api/me": json("secret"),
    "/api/people/x/games": json("secret"),
    "/api/records/x.json": json("secret"),
    "/api/games/toy/table": json("{}"),
    [wasm("a")]: () => answer("module", "application/wasm"),
    [wasm("b")]: () => answer("error", "text/html"),
  };
  const { caches, around } = browser(site);
  const keeper = new Keeper({ name: "one", files: FILES }, around);
  await keeper.install();
  for (const path of Object.keys(site)) if (path.startsWith("/api/")) await keeper.answer(request(path));
  assert.equal(keeper.answer(request("/api/me")), undefined);
  assert.equal(keeper.answer(request("/api/games?x=1")), undefined);
  assert.equal(keeper.answer(request("/api/games", { method: "POST" })), undefined);
  assert.equal(keeper.answer(request("/api/games", { url: "https://elsewhere.example/api/games" })), undefined);
  assert.deepEqual(caches.held("hanpan one"), ["/", "/api/games", "/api/games/toy/rules/en", "/api/words/en", "/page/main-A.js"]);
  assert.deepEqual(caches.held("hanpan modules"), [wasm("a")]);
  delete site["/api/words/en"];
  assert.equal(await said(keeper.answer(request("/api/words/en"))), "words");
  await assert.rejects(async () => keeper.answer(request("/api/words/ko")));
});

test("a page of another version keeps nothing for this one", async () => {
  const { caches, around } = browser({ ...page("one"), "/api/games": () => answer("{}", "application/json") });
  const keeper = new Keeper({ name: "one", files: FILES }, around);
  await keeper.answer(request("/api/games", { headers: new Headers({ [VERSION_HEADER]: "two" }) }));
  assert.deepEqual(caches.held("hanpan one"), []);
});

test("who waits too long for the server sees what is kept", async () => {
  const site = page("one"),
    { around } = browser(site, async () => undefined);
  const keeper = new Keeper({ name: "one", files: FILES }, around);
  await keeper.install();
  around.fetch = () => new Promise(() => undefined);
  assert.equal(await said(keeper.answer(request("/", { mode: "navigate" }))), "document one");
});

test("a new version brings along what the one before has kept, as it is now, and lets the old go when it comes", async () => {
  const engines = (version: string) => () => answer(JSON.stringify({ toy: { engine: wasm(version) }, other: null }), "application/json");
  const module = () => answer("module", "application/wasm");
  const site: Site = { ...page("one"), "/api/games": () => answer("old", "application/json"), "/api/engines": engines("a"), [wasm("a")]: module };
  const { caches, around } = browser(site);
  const one = new Keeper({ name: "one", files: FILES }, around);
  await one.install();
  await one.activate();
  for (const path of ["/api/games", "/api/engines", wasm("a")]) await one.answer(request(path));
  Object.assign(site, page("two"), { "/api/games": () => answer("new", "application/json"), "/api/engines": engines("b"), [wasm("b")]: module });
  const two = new Keeper({ name: "two", files: FILES }, around);
  await two.install();
  assert.deepEqual(caches.held("hanpan modules"), [wasm("a"), wasm("b")]);
  for (const path of Object.keys(site)) delete site[path];
  assert.equal(await said(one.answer(request("/", { mode: "navigate" }))), "document one"); // whoever has it open goes on with it
  assert.equal(await said(one.answer(request("/api/games"))), "old");
  await two.activate();
  assert.deepEqual((await caches.keys()).sort(), ["hanpan modules", "hanpan two"]);
  assert.deepEqual(caches.held("hanpan modules"), [wasm("b")]);
  assert.equal(await said(two.answer(request("/", { mode: "navigate" }))), "document two");
  assert.equal(await said(two.answer(request("/api/games"))), "new");
  assert.equal(await said(two.answer(request(wasm("b")))), "module");
  site["/api/games"] = () => answer("newer", "application/json");
  const late = request("/api/games", { headers: new Headers({ [VERSION_HEADER]: "two" }) });
  assert.equal(await said(one.answer(late)), "newer"); // the older one was asked just before it ended
  assert.deepEqual((await caches.keys()).sort(), ["hanpan modules", "hanpan two"]);
});
