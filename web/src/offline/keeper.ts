// What a browser keeps of this site, so that the page opens without a network: one exact version of the page, and what is the same for everyone.
// Nothing that depends on who asks is kept: others may use the same device.

import { read } from "../lib/address";
import { VERSION_HEADER } from "../lib/version";

/** A version of the page: its name, and the digest of each of its files. */
export interface Version {
  name: string;
  files: Readonly<Record<string, string>>;
}

/** What a keeper needs from around it. */
export interface Around {
  caches: CacheStorage;
  fetch: typeof fetch;
  origin: string;
  /** Done after so many milliseconds. */
  later(ms: number): Promise<void>;
}

const OURS = "hanpan ";
const MODULES = `${OURS}modules`; // their names change with what is in them, so all versions share them
const PATIENCE = 5000; // milliseconds for an answer, where one is kept
const ENGINES = "/api/engines";
const PLAIN = { ignoreVary: true };

const ELSEWHERE = /^\/(?:(?:api|page|login)\/|docs$)/; // what only the server has: without it, the browser says that it is away

const JSON_TEXT = /^application\/json\b/;
const HTML = /^text\/html\b/;
const SCRIPT = /^(text|application)\/javascript\b/;
const KINDS: Record<string, RegExp> = {
  js: SCRIPT,
  css: /^text\/css\b/,
  svg: /^image\/svg\+xml\b/,
  png: /^image\/png\b/,
  webmanifest: /^application\/manifest\+json\b/,
  json: JSON_TEXT,
  wasm: /^application\/wasm\b/,
};
const ENDING = /\.(\w+)$/;
const PUBLIC: readonly [RegExp, RegExp][] = [
  [/^\/api\/(games|stills|engines|words\/[a-z]+|games\/\w+\/demo)$/, JSON_TEXT],
  [/^\/api\/games\/\w+\/rules\/[a-z]+$/, HTML],
];
const MODULE = /^\/api\/engines\/(?:engine|facts|views)-(\w+)-[0-9a-f]{16}\.(?:wasm|json|js)$/; // which game's; the version

/** What kind of answer belongs to an address that everyone is told the same at; undefined: nothing of it is kept. */
function publicKind(path: string): RegExp | undefined {
  return PUBLIC.find(([address]) => address.test(path))?.[1];
}

const kindOf = (path: string): RegExp => KINDS[ENDING.exec(path)?.[1] ?? ""] ?? HTML;

/** Whether an answer may be kept: a whole one of this site, of the right kind, which the server does not call someone's own. */
function sound(answer: Response, kind: RegExp): boolean {
  return (
    answer.status === 200 &&
    answer.type === "basic" &&
    !answer.redirected &&
    kind.test(answer.headers.get("content-type") ?? "") &&
    !/no-store|private/.test(answer.headers.get("cache-control") ?? "")
  );
}

export class Keeper {
  private readonly name: string;

  constructor(
    readonly version: Version,
    private readonly around: Around,
  ) {
    this.name = OURS + version.name;
  }

  // --- answers ---

  /** The answer to a request of a page; undefined: it is none of ours. */
  answer(request: Request): Promise<Response> | undefined {
    const { origin, pathname, search } = new URL(request.url);
    if (request.method !== "GET" || origin !== this.around.origin) return undefined;
    if (request.mode === "navigate" && read(pathname).page !== "lost") return this.fresh(request, "/");
    if (request.mode === "navigate") return ELSEWHERE.test(pathname) ? undefined : this.unknown(request);
    if (search) return undefined;
    if (pathname.startsWith("/page/")) return this.named(request, pathname);
    if (MODULE.test(pathname)) return this.named(request, pathname, MODULES);
    const kind = publicKind(pathname);
    return kind && this.fresh(request, pathname, request.headers.get(VERSION_HEADER) === this.version.name ? kind : undefined);
  }

  /** What has the name of its version: as it is kept, whichever version it is of. */
  private async named(request: Request, path: string, keep?: string): Promise<Response> {
    const kept = await this.around.caches.match(path, PLAIN);
    if (kept) return kept;
    const answer = await this.around.fetch(request);
    if (keep && sound(answer, kindOf(path))) await this.put(keep, path, answer);
    return answer;
  }

  /** As the server says it now; without a server, as it is kept. */
  private async fresh(request: Request, path: string, kind?: RegExp): Promise<Response> {
    const { caches, fetch, later } = this.around;
    const kept = await caches.match(path, { ...PLAIN, cacheName: this.name }); // opening it would make it anew, where a newer version has removed it
    const asked = fetch(request).then(async (answer) => {
      if (answer.status >= 500 && kept) return kept.clone(); // said by a proxy that does not reach it
      if (kind && sound(answer, kind)) await this.put(this.name, path, answer);
      return answer;
    });
    if (!kept) return asked;
    const otherwise = (): Response => kept.clone();
    return Promise.race([asked.catch(otherwise), later(PATIENCE).then(otherwise)]);
  }

  /** What may be the server's or nobody's: the server says it; where it can't be reached, the page says that there is nothing here. */
  private async unknown(request: Request): Promise<Response> {
    const { caches, fetch } = this.around;
    return fetch(request).catch(async (away) => {
      const kept = await caches.match("/", { ...PLAIN, cacheName: this.name });
      if (kept) return kept;
      throw away;
    });
  }

  /** Keep a copy; a browser that has no room for it goes without. */
  private async put(name: string, path: string, answer: Response): Promise<void> {
    const cache = await this.around.caches.open(name);
    await cache.put(path, answer.clone()).catch(() => undefined);
  }

  // --- versions ---

  /** Fetch all of this version, or nothing; and what the version before has kept, as it is now. */
  async install(): Promise<void> {
    try {
      const cache = await this.around.caches.open(this.name);
      await Promise.all(Object.entries(this.version.files).map(async ([path, digest]) => cache.put(path, await this.exact(path, digest))));
      await this.renew(cache);
    } catch (wrong) {
      await this.around.caches.delete(this.name);
      throw wrong;
    }
  }

  /** A file with the very digest; where the browser has kept another, from the server. */
  private async exact(path: string, integrity: string): Promise<Response> {
    const asked = (cache: RequestCache): Promise<Response> => this.around.fetch(path, { integrity, cache });
    const answer = await (path === "/" ? asked("no-cache") : asked("default").catch(() => asked("reload")));
    if (!sound(answer, kindOf(path))) throw new Error(`${path} is not what it should be`);
    return answer;
  }

  private async renew(cache: Cache): Promise<void> {
    const { caches } = this.around;
    const paths = new Set<string>();
    for (const name of await this.others()) for (const path of await this.paths(name)) if (publicKind(path)) paths.add(path);
    await Promise.all([...paths].map((path) => this.fetched(cache, path, publicKind(path) ?? HTML)));
    const modules = await caches.open(MODULES),
      games = new Set((await this.paths(MODULES)).map((path) => MODULE.exec(path)?.[1]));
    const wanted = Object.entries(await this.engines()).flatMap(([game, parts]) => (games.has(game) ? parts : []));
    await Promise.all(wanted.map(async (path) => (await modules.match(path, PLAIN)) ?? this.fetched(modules, path, kindOf(path))));
  }

  private async fetched(cache: Cache, path: string, kind: RegExp): Promise<void> {
    const answer = await this.around.fetch(path, { cache: "no-cache" });
    if (sound(answer, kind)) await cache.put(path, answer);
  }

  /** From now on this version is the one: what others have kept goes. */
  async activate(): Promise<void> {
    const { caches } = this.around;
    for (const name of await this.others()) await caches.delete(name);
    const wanted = Object.values(await this.engines()).flat();
    if (!wanted.length) return;
    const modules = await caches.open(MODULES);
    for (const path of await this.paths(MODULES)) if (!wanted.includes(path)) await modules.delete(path, PLAIN);
  }

  /** What each game is played with, as it is kept. */
  private async engines(): Promise<Record<string, string[]>> {
    const cache = await this.around.caches.open(this.name),
      kept = await cache.match(ENGINES, PLAIN);
    const told: Record<string, object | null> = kept ? await kept.json() : {};
    return Object.fromEntries(Object.entries(told).map(([game, parts]) => [game, Object.values(parts ?? {}).filter((path) => MODULE.test(path))]));
  }

  private async others(): Promise<string[]> {
    return (await this.around.caches.keys()).filter((name) => name.startsWith(OURS) && name !== this.name && name !== MODULES);
  }

  private async paths(name: string): Promise<string[]> {
    const cache = await this.around.caches.open(name);
    return (await cache.keys()).map((request) => new URL(request.url).pathname);
  }
}
