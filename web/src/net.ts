// The lines to the server: one socket for all namespaces, wishes that are answered, and coming back after a loss.

import { signal } from "@preact/signals";
import { Manager, type Socket } from "socket.io-client";
import type { Person, Refusal } from "./types";

/** A wish that was refused; it has the server's own code and sentence. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.text);
  }
}

export const me = signal<Person | null>(null);
/** Since when there is no connection; null while there is one. */
export const lostAt = signal<number | null>(null);

let token = "";

const manager = new Manager(globalThis.location?.origin ?? "", {
  autoConnect: false, reconnectionDelay: 300, reconnectionDelayMax: 3000, transports: ["websocket", "polling"], tryAllTransports: true,
});
manager.on("open", () => { lostAt.value = null; });
manager.on("close", () => { lostAt.value ??= Date.now(); });

/** Be someone: whoever the cookie names, or a new guest. Tried again until the server answers. */
export async function login(): Promise<void> {
  for (let wait = 300; ; wait = Math.min(3000, wait * 2)) {
    try {
      const answer = await fetch("/api/guest", { method: "POST" });
      if (answer.ok) {
        const told = (await answer.json()) as { person: Person; token: string };
        me.value = told.person;
        token = told.token;
        return;
      }
    } catch { /* not reachable just now */ }
    lostAt.value ??= Date.now();
    await new Promise((done) => setTimeout(done, wait));
  }
}

type Answer = { ok: boolean } & Record<string, unknown>;

/** One namespace. */
export class Line {
  private readonly socket: Socket;
  private auth: Record<string, unknown> = {};

  constructor(namespace: string) {
    this.socket = manager.socket(namespace, { auth: (give: (auth: object) => void) => give({ ...this.auth, token }) });
  }

  open(auth: Record<string, unknown> = {}): void {
    this.close();
    this.auth = auth;
    this.socket.connect();
  }

  close(): void {
    if (this.socket.active) this.socket.disconnect();
  }

  on(event: string, heard: (payload: any) => void): void {
    this.socket.on(event, heard);
  }

  /** Wish something. Refused says why not; a wish that a loss swallowed is sent again after coming back. */
  async call<T = Answer>(event: string, payload: object = {}): Promise<T & Answer> {
    const answer = (await this.socket.emitWithAck(event, payload)) as Answer;
    if (!answer.ok) throw new Refused(answer as unknown as Refusal);
    return answer as T & Answer;
  }

  /** Say something that need not arrive. */
  hint(event: string, payload: object): void {
    if (this.socket.connected) this.socket.emit(event, payload);
  }
}

/** Something from the server's HTTP side. */
export async function get<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (answer.headers.get("content-type")?.includes("json") ? answer.json() : answer.text()) as Promise<T>;
}

export async function rename(name: string): Promise<void> {
  const answer = await fetch("/api/me", { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }) });
  if (!answer.ok) throw new Refused({ code: "bad-name", text: "" });
  me.value = (await answer.json()) as Person;
}
