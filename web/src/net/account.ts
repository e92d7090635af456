// Oneself: logins, blocked people, bots; logging in and out.

import { effect, signal } from "@preact/signals";
import { arrive, ask, become, prove, standing } from "./connection";
import type { Mine, Proofs } from "./http";
import { t } from "./i18n";
import { tell } from "./lobby";
import type { LoginInfo } from "./types";

export const mine = signal<Mine | null>(null);

export async function reload(): Promise<void> {
  mine.value = await ask<Mine>("GET", "/api/me");
}

let before: string | undefined;
effect(() => {
  if (!standing.value) return;
  if (before === "account" && standing.value.kind === "guest") queueMicrotask(() => tell(t("account.out"))); // also when it was done in another window
  before = standing.value.kind;
  void reload().catch(() => undefined);
});

/** Whether one may do what operators do: that needs a second factor. */
export const isOperator = (): boolean => mine.value?.role === "operator" && mine.value.second.on;
export const isBlocked = (id: string): boolean => mine.value?.blocked.some((person) => person.id === id) ?? false;

// --- in and out ---

/** Log in by one of the server's ways; false: the second factor is still to be shown, at /login/second. */
export async function logInAt(path: string, body: object): Promise<boolean> {
  let entered = false;
  await become(async () => {
    const told = await ask<LoginInfo | { second: string[] }>("POST", path, body);
    if ("second" in told) return null;
    entered = true;
    return told;
  });
  return entered;
}
export const logIn = (email: string, password: string): Promise<boolean> => logInAt("/api/login/email", { email, password });
export const choosePassword = (ticket: string, password: string): Promise<boolean> => logInAt("/api/login/email/password", { ticket, password });
export const logInByToken = (token: string): Promise<boolean> => logInAt("/api/login/token", { token });
/** Mail a link to choose a password: for a new account, or for one whose password is forgotten. */
export const mailLink = (kind: "register" | "reset", email: string): Promise<unknown> => ask("POST", `/api/login/email/${kind}`, { email });

/** Leave, and be a new guest. */
async function leave(method: string, path: string, body?: object): Promise<void> {
  await become(async () => {
    await ask(method, path, body);
    return null;
  });
  await arrive();
}
export const logOut = (): Promise<void> => leave("POST", "/api/logout");
export const deleteMe = (name: string): Promise<void> => leave("DELETE", "/api/me", { name });

// --- what changes something about oneself ---

export async function change<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await ask<T>(method, path, body);
  await reload();
  return answer;
}
export const removeLogin = (id: string): Promise<unknown> => change("DELETE", `/api/me/logins/${encodeURIComponent(id)}`);
export const endSession = (id: string): Promise<unknown> => change("DELETE", `/api/me/sessions/${encodeURIComponent(id)}`);
export const endOtherSessions = (): Promise<unknown> => change("DELETE", "/api/me/sessions");
/** Whether one has shown a short while ago who one is, or does so now. */
export const proved = async (): Promise<boolean> => (await ask<Proofs>("GET", "/api/prove")).fresh || prove();
export const block = (id: string): Promise<unknown> => change("POST", "/api/me/blocks", { id });
export const unblock = (id: string): Promise<unknown> => change("DELETE", `/api/me/blocks/${encodeURIComponent(id)}`);
export const newBot = (name: string, scopes: string[]): Promise<{ id: string; token: string }> => change("POST", "/api/me/bots", { name, scopes });
export const newToken = (id: string, scopes: string[]): Promise<{ id: string; token: string }> =>
  change("POST", `/api/me/bots/${encodeURIComponent(id)}/token`, { scopes });
export const deleteBot = (id: string): Promise<unknown> => change("DELETE", `/api/me/bots/${encodeURIComponent(id)}`);
