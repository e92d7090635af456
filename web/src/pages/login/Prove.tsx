// Showing once more that it is oneself, before something about the account changes.

import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { ask, Refused } from "../../net/connection";
import type { Proofs } from "../../net/http";
import { refusalText, t } from "../../net/i18n";
import { passkeysHere, usePasskey } from "../../net/passkey";
import { Dialog } from "../../ui/Dialog";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Skeleton } from "../../ui/Skeleton";
import { Wrong } from "../../ui/Wrong";

/** `alone`: this way is the one, and the others need not be seen any more. */
interface MethodProps {
  done: (shown: boolean) => void;
  alone: () => void;
}

/** What each of the server's ways looks like. */
const METHODS = new Map<string, ComponentType<MethodProps>>([
  ["password", ByPassword],
  ["mail", ByMail],
  ["totp", ByApp],
  ["passkey", ByPasskey],
  ["recovery", ByRecovery],
]);

export function Prove({ done }: { done: (shown: boolean) => void }) {
  const [found, again] = useLoaded<Proofs>("/api/prove");
  const [only, setOnly] = useState("");
  const close = (): void => done(false);
  const ways = found?.ways.filter((way) => !only || way === only) ?? [];
  const elsewhere = Object.entries(only ? {} : (found?.elsewhere ?? {})),
    site = only ? null : found?.site;
  return (
    <Dialog title={t("prove.title")} close={close}>
      <div class="stack choices">
        <p class="hint">{t("prove.help")}</p>
        {found === undefined ? (
          <Skeleton />
        ) : found === null ? (
          <LoadFailed again={again} />
        ) : (
          <>
            {ways.map((way) => {
              const Method = METHODS.get(way);
              return Method && <Method key={way} done={done} alone={() => setOnly(way)} />;
            })}
            {elsewhere.map(([provider, title]) => (
              <a key={provider} class="button quiet" href={`/login/${provider}?to=me`}>
                {t("login.with", { site: title })}
              </a>
            ))}
            {site && (
              <a class="button quiet" href={site}>
                {t("login.with", { site: new URL(site, location.href).host })}
              </a>
            )}
            {(elsewhere.length > 0 || site) && <p class="hint">{t("prove.elsewhere_help")}</p>}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Something that one types, and whether it was right. */
function Answer({ way, done, label, secret }: Pick<MethodProps, "done"> & { way: string; label: string; secret?: boolean }) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    try {
      await ask("POST", "/api/prove", { way, answer: typed });
      done(true);
    } catch (refused) {
      setWrong(refused instanceof Refused ? refusalText(undefined, refused.refusal) : t("lost.broken"));
      setBusy(false);
    }
  }
  const common = {
    autofocus: true,
    maxLength: 200,
    required: true,
    value: typed,
    onInput: (event: { currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value),
  };
  return (
    <form class="stack" onSubmit={submit}>
      <label class="field">
        {label}
        {secret ? <input type="password" autocomplete="current-password" {...common} /> : <input autocomplete="one-time-code" {...common} />}
      </label>
      <Wrong text={wrong} />
      <button type="submit" class="main" aria-disabled={busy}>
        {t("prove.go")}
      </button>
    </form>
  );
}

function ByPassword({ done }: MethodProps) {
  return <Answer way="password" done={done} label={t("login.password")} secret />;
}

function ByMail({ done, alone }: MethodProps) {
  const [sent, setSent] = useState("");
  const [wrong, setWrong] = useState("");
  const send = (): Promise<void> =>
    ask<{ email: string }>("POST", "/api/prove/begin", { way: "mail" }).then(
      (told) => {
        setSent(told.email);
        alone();
      },
      (refused) => setWrong(refused instanceof Refused ? refusalText(undefined, refused.refusal) : t("lost.broken")),
    );
  if (!sent)
    return (
      <>
        <Wrong text={wrong} />
        <button type="button" class="quiet" onClick={() => void send()}>
          {t("prove.mail")}
        </button>
      </>
    );
  return (
    <>
      <p role="status">{t("prove.sent", { email: sent })}</p>
      <Answer way="mail" done={done} label={t("prove.code")} />
    </>
  );
}

function ByApp({ done }: MethodProps) {
  return <Answer way="totp" done={done} label={t("second.code")} />;
}

function ByPasskey({ done }: MethodProps) {
  const [wrong, setWrong] = useState("");
  async function show(): Promise<void> {
    setWrong("");
    try {
      await ask("POST", "/api/prove", { way: "passkey", answer: await usePasskey("/api/prove/begin", { way: "passkey" }) });
      done(true);
    } catch (refused) {
      setWrong(refused instanceof Refused ? refusalText(undefined, refused.refusal) : t("lost.broken"));
    }
  }
  if (!passkeysHere()) return null;
  return (
    <>
      <Wrong text={wrong} />
      <button type="button" class="quiet" onClick={() => void show()}>
        {t("second.use_key")}
      </button>
    </>
  );
}

function ByRecovery({ done, alone }: MethodProps) {
  const [lost, setLost] = useState(false);
  if (!lost)
    return (
      <button
        type="button"
        class="quiet"
        onClick={() => {
          setLost(true);
          alone();
        }}
      >
        {t("second.lost")}
      </button>
    );
  return <Answer way="recovery" done={done} label={t("second.recovery_code")} />;
}
