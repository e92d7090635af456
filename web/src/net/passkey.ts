// Passkeys in this browser: what the server asks, with bytes as base64url, becomes what the browser wants, and its answer goes the other way.

import { ask, Refused } from "./connection";
import { t } from "./i18n";

// As WebAuthn's own JSON forms have it: bytes are base64url.
interface Asked {
  challenge: string;
}
interface AskedToMake extends Asked {
  user: { id: string };
  rp: { id: string };
  excludeCredentials?: Known[];
}
interface AskedToUse extends Asked {
  rpId: string;
  allowCredentials?: Known[];
}
interface Known {
  id: string;
}
export interface Credential {
  id: string;
  rawId: string;
  type: string;
  response: Record<string, string | null>;
}

export const passkeysHere = (): boolean => typeof PublicKeyCredential === "function" && isSecureContext;

const bytes = (text: string): ArrayBuffer => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0)).buffer;
const text = (data: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(data)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
const listed = (all: Known[] | undefined): PublicKeyCredentialDescriptor[] =>
  (all ?? []).map((each) => ({ ...each, id: bytes(each.id) }) as unknown as PublicKeyCredentialDescriptor);

/** What went wrong in the browser, as a refusal with a sentence; `place`: where passkeys work. */
function unanswered(wrong: unknown, place: string): Refused {
  const name = wrong instanceof DOMException ? wrong.name : "";
  const sentence = name === "SecurityError" ? t("second.place", { place }) : name === "InvalidStateError" ? t("second.known") : t("second.not_done");
  return new Refused({ code: "passkey-not-used", text: sentence });
}

const described = (made: PublicKeyCredential, response: Credential["response"]): Credential => ({
  id: made.id,
  rawId: text(made.rawId),
  type: made.type,
  response,
});

/** Have the browser make a passkey, as the server asks for it. */
export async function makePasskey(begin: string): Promise<Credential> {
  const asked = await ask<AskedToMake>("POST", begin);
  const publicKey = {
    ...asked,
    challenge: bytes(asked.challenge),
    user: { ...asked.user, id: bytes(asked.user.id) },
    excludeCredentials: listed(asked.excludeCredentials),
  };
  try {
    const made = (await navigator.credentials.create({ publicKey: publicKey as unknown as PublicKeyCredentialCreationOptions })) as PublicKeyCredential;
    const response = made.response as AuthenticatorAttestationResponse;
    return described(made, { clientDataJSON: text(response.clientDataJSON), attestationObject: text(response.attestationObject) });
  } catch (wrong) {
    throw unanswered(wrong, asked.rp.id);
  }
}

/** Have the browser use a passkey, as the server asks for it. */
export async function usePasskey(begin: string, body?: object): Promise<Credential> {
  const asked = await ask<AskedToUse>("POST", begin, body);
  const publicKey = { ...asked, challenge: bytes(asked.challenge), allowCredentials: listed(asked.allowCredentials) };
  try {
    const used = (await navigator.credentials.get({ publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions })) as PublicKeyCredential;
    const response = used.response as AuthenticatorAssertionResponse;
    return described(used, {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : null,
    });
  } catch (wrong) {
    throw unanswered(wrong, asked.rpId);
  }
}
