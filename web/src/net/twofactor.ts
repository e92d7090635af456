// Two-factor login: what changes it, and logging in with it.

import { change, logInAt } from "./account";
import { ask } from "./connection";
import type { NewTotp } from "./http";
import { makePasskey, usePasskey } from "./passkey";

/** With the first factor come recovery codes. */
type Codes = { codes: string[] | null };

export const beginTotp = (): Promise<NewTotp> => ask("POST", "/api/me/second/totp/begin");
export const addTotp = (ticket: string, code: string): Promise<Codes> => change("POST", "/api/me/second/totp", { ticket, code });
export const removeTotp = (): Promise<unknown> => change("DELETE", "/api/me/second/totp");
export const addPasskey = async (name: string): Promise<Codes> =>
  change("POST", "/api/me/second/passkeys", { name, credential: await makePasskey("/api/me/second/passkeys/begin") });
export const removePasskey = (id: string): Promise<unknown> => change("DELETE", `/api/me/second/passkeys/${encodeURIComponent(id)}`);
export const newCodes = (): Promise<{ codes: string[] }> => change("POST", "/api/me/second/recovery");

export const logInByPasskey = async (): Promise<boolean> => logInAt("/api/login/passkey", { credential: await usePasskey("/api/login/passkey/begin") });
export const secondByCode = (code: string): Promise<boolean> => logInAt("/api/login/second", { code });
export const secondByPasskey = async (): Promise<boolean> =>
  logInAt("/api/login/second/passkey", { credential: await usePasskey("/api/login/second/passkey/begin") });
