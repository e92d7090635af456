// The connection to the server: who one is, a socket for the lobby and one for the room, requests that are answered, and coming back after a loss.

import { signal } from "@preact/signals";
import { Manager, type Socket } from "socket.io-client";
import { later } from "../lib/later";
import { remember, remembered } from "../lib/memory";
import { language } from "../lib/settings";
import { VERSION_HEADER, version } from "../lib/version";
import type { LoginInfo, PersonInfo, Refusal } from "./types";

/** A request that was refused; it has the server's own code and sentence. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.text);
  }
}

export const me = signal<PersonInfo | null>(null);
/** Guest or account; a new object whenever one has become someone. */
export const standing = signal<{ kind: string } | null>(null);
/** Since when a connection that is wanted is not there; null while there is none such. */
export const lostAt = signal<number | null>(null);
/** How many requests were made while there was no connection: they wait for one. */
export const queued = signal(0);
/** Whether the server has said that it is about to restart. */
export const restarting = signal(false);

/** A part of the server is away: play pauses, and goes on by itself. */
export const interrupted = signal(false);
/** Why the server lets nobody new in just now; null while it does. */
export const notYet = signal<Refusal | null>(null);
/** Why one may not come in at all. */
export const banned = signal<Refusal | null>(null);

/** The server wants to know again that it is oneself, before something goes on: `done` says whether that has been shown. */
export const proving = signal<{ done: (shown: boolean) => void } | null>(null);

let era = 0; // how often one has become someone

/** Ask the server's HTTP side for something in the reader's language; Refused says why not. Where one has to prove first who one is, that is asked for. */
export async function ask<T = unknown>(method: string, path: string, body?: object | string): Promise<T> {
  try {
    return await request<T>(method, path, body);
  } catch (wrong) {
    if (!(wrong instanceof Refused) || wrong.refusal.code !== "prove-again" || !(await prove())) throw wrong;
    return request<T>(method, path, body);
  }
}

/** Have it shown that it is oneself; whether it was. */
export function prove(): Promise<boolean> {
  proving.value?.done(false);
  return new Promise((given) => {
    proving.value = {
      done: (shown) => {
        proving.value = null;
        given(shown);
      },
    };
  });
}

async function request<T>(method: string, path: string, body?: object | string): Promise<T> {
  const text = typeof body === "string",
    kind = text ? "text/plain" : "application/json";
  const answer = await fetch(path, {
    method,
    headers: { "Accept-Language": language.value, ...(body ? { "Content-Type": kind } : {}) },
    body: text ? body : body && JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused({ code: told.code ?? "", text: told.text ?? "", phrase: told.phrase });
  return told as T;
}

/** What the HTTP side did not give. */
export class Unanswered extends Error {
  constructor(
    path: string,
    readonly status: number,
  ) {
    super(`${path}: ${status}`);
  }
}

/** Something from the server's HTTP side. */
export async function get<T>(path: string): Promise<T> {
  const answer = await fetch(path, { headers: { [VERSION_HEADER]: version() } });
  if (!answer.ok) throw new Unanswered(path, answer.status);
  return (answer.headers.get("content-type")?.includes("json") ? answer.json() : answer.text()) as Promise<T>;
}

// --- who one is ---

const NOBODY: PersonInfo = { id: "me", name: "" }; // whom no server has named yet

/** Be who one was when the server was last there, if anyone: what needs no server does not wait for it. */
export function recall(): void {
  me.value ??= recalled() ?? NOBODY;
}

function recalled(): PersonInfo | null {
  try {
    return JSON.parse(remembered("me") ?? "null") as PersonInfo | null;
  } catch {
    return null;
  }
}

let changing: Promise<unknown> = Promise.resolve(); // one becomes someone else, one change after the other

/** Be whom the server names; null: stay. Open namespaces are opened again as that person. */
export function become(asking: () => Promise<LoginInfo | null>): Promise<void> {
  const done = changing.then(async () => {
    const told = await asking();
    if (!told) return;
    const open = [...namespaces].filter((namespace) => namespace.wanted);
    era++;
    notYet.value = null;
    me.value = told.person;
    remember("me", JSON.stringify({ id: told.person.id, name: told.person.name }));
    standing.value = { kind: told.kind };
    for (const namespace of open) namespace.close(); // all of them: the cookie is sent when a connection begins
    for (const namespace of open) namespace.reopen();
  });
  changing = done.catch(() => undefined);
  return done;
}

/** Be whoever the cookie names, or a new guest, unless one has become someone since. Tried again until the server answers, and no sooner than it says. */
export async function arrive(held = era): Promise<void> {
  for (let wait = 300; ; wait = Math.min(3000, wait * 2)) {
    try {
      return await become(async () => (era === held ? ask<LoginInfo>("POST", "/api/guest") : null));
    } catch (wrong) {
      const refusal = wrong instanceof Refused && wrong.refusal.code ? wrong.refusal : null;
      if (refusal?.code === "banned") {
        banned.value = refusal;
        throw wrong;
      }
      notYet.value = refusal;
    }
    lostAt.value ??= Date.now();
    recall();
    await later(1000 * Number(notYet.value?.phrase?.values?.seconds ?? 0) || wait); // meanwhile one may log in
  }
}

/** The server does not know us by our cookie any more: someone logged in or out, here or in another window. */
async function expelled(held: number): Promise<void> {
  await later(1000); // the answer that brings the new cookie may still be on its way to that window
  await arrive(held).catch(() => undefined);
}

export async function rename(name: string): Promise<void> {
  me.value = await ask<PersonInfo>("PATCH", "/api/me", { name });
}

// --- sockets ---

/** What one does when the server has closed a namespace, by what it said before: some refusals of a connection pass by themselves, and it is tried again. */
export function afterwards(why: Refusal | null): "again" | "banned" | "expelled" | "out" {
  if (!why || ["closing", "interrupted", "our-fault", "room-moves", "too-fast", "too-many-connections"].includes(why.code)) return "again";
  return why.code === "banned" ? "banned" : why.code === "unauthorized" ? "expelled" : "out";
}

const namespaces = new Set<Namespace>();
const away = new Set<Namespace>(); // those of them whose connection is lost

const WITH_SOCKETS = "WebSocket" in globalThis ? ["websocket"] : [];
const OPENING = 10_000; // milliseconds that a connection may take to open
const NAMED = 64; // letters of a room that an address names: no id is longer, and a server reads no endless address
const UNSEEN = new Set(["preview", "req info", "why"]); // what nobody has pressed a button for

type Answer = { ok: boolean } & Record<string, unknown>;

/** One namespace, on a connection of its own: its address names the room, so that everyone who goes there can be sent to the process that has it. */
export class Namespace {
  /** Since when there is no connection; null while there is one, or none is wanted. */
  readonly lostAt = signal<number | null>(null);
  private readonly manager = new Manager(globalThis.location?.origin ?? "", {
    autoConnect: false,
    reconnectionDelay: 300,
    reconnectionDelayMax: 3000,
    timeout: OPENING,
    transports: [...WITH_SOCKETS, "polling"],
    tryAllTransports: true,
  });
  private readonly socket: Socket;
  private auth: Record<string, unknown> = {};
  wanted = false;
  private held = 0; // the era it was opened in
  private why: Refusal | null = null; // what was said before one was shown out

  /** `shownOut` is told why, when the server closes the namespace and there is nothing to be done about it here. */
  constructor(
    namespace: string,
    private readonly shownOut: (why: Refusal) => void = () => undefined,
  ) {
    this.manager.on("open", () => this.found());
    this.manager.on("error", (wrong) => {
      this.lost();
      // A proxy that swallows WebSockets lets them neither open nor fail: from now on one begins without, and goes over to one that opens.
      if (wrong.message === "timeout") this.manager.opts.transports = ["polling", ...WITH_SOCKETS];
    });
    this.manager.on("close", (reason) => {
      if (reason !== "forced close") this.lost(); // else it has ended because nobody is in the namespace any more
    });
    this.socket = this.manager.socket(namespace, {
      auth: (give: (auth: object) => void) => {
        this.held = era;
        give(this.auth);
      },
    });
    const heard = (refusal: Refusal): void => {
      if (!refusal.event || refusal.event === "connect") this.why = refusal;
    };
    this.socket.on("unauthorized", heard);
    this.socket.on("invalid action", heard); // an answer to a request comes with the request; only what nobody waits for is meant here
    this.socket.on("connect", () => {
      this.why = null;
    }); // what was said on an earlier connection
    this.socket.on("come back", () => {
      restarting.value = true;
    });
    this.socket.on("interrupted", ({ yes }: { yes: boolean }) => {
      interrupted.value = yes;
    });
    this.socket.on("disconnect", (reason: string) => {
      if (reason === "io server disconnect") this.ended();
    });
    namespaces.add(this);
  }

  /** One is shown out right after a refusal; only then can another try begin. */
  private ended(): void {
    const why = this.why;
    this.why = null;
    switch (afterwards(why)) {
      case "banned":
        banned.value = why;
        break;
      case "expelled":
        void expelled(this.held);
        break;
      case "out":
        if (why) this.shownOut(why);
        break;
      default:
        void later(1000).then(() => {
          if (this.wanted && !this.socket.active) this.reopen();
        });
    }
  }

  private lost(): void {
    if (!this.wanted) return;
    away.add(this);
    this.lostAt.value ??= Date.now();
    lostAt.value ??= Date.now();
  }

  private found(): void {
    away.delete(this);
    this.lostAt.value = null;
    if (away.size) return;
    lostAt.value = null;
    queued.value = 0;
    restarting.value = false;
    interrupted.value = false;
  }

  open(auth: Record<string, unknown> = {}): void {
    this.close();
    this.auth = auth;
    this.manager.opts.query = typeof auth.room === "string" ? { room: auth.room.slice(0, NAMED) } : {};
    this.wanted = true;
    this.why = null;
    this.socket.connect();
  }

  /** Once more, as whoever one is now. */
  reopen(): void {
    this.open(this.auth);
  }

  /** Whenever it is opened again, with this, too. */
  also(auth: Record<string, unknown>): void {
    this.auth = { ...this.auth, ...auth };
  }

  close(): void {
    this.wanted = false;
    if (this.socket.active) this.socket.disconnect();
    if (away.has(this)) this.found(); // nobody misses it any more
  }

  on<T>(event: string, heard: (payload: T) => void): void {
    this.socket.on(event, heard as (payload: unknown) => void);
  }

  /** Request something. Refused says why not, any other error that it was lost on the way; what is requested while there is no connection waits for one. */
  async call<T = Answer>(event: string, payload: object = {}): Promise<T & Answer> {
    if (this.lostAt.value !== null && !UNSEEN.has(event)) queued.value++;
    const answer = (await this.socket.emitWithAck(event, payload)) as Answer;
    if (!answer.ok) throw new Refused(answer as unknown as Refusal);
    return answer as T & Answer;
  }

  /** Say something that need not arrive. */
  hint(event: string, payload: object): void {
    if (this.socket.connected) this.socket.emit(event, payload);
  }
}
