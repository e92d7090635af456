// Two-factor login in my account: an authenticator app, passkeys, recovery codes.

import { useState } from "preact/hooks";
import { dotted } from "../../lib/dot";
import { language } from "../../lib/settings";
import { Refused } from "../../net/connection";
import type { NewTotp, SecondFactors } from "../../net/http";
import { refusalText, t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { passkeysHere } from "../../net/passkey";
import { attempt } from "../../net/start";
import { addPasskey, addTotp, beginTotp, newCodes, removePasskey, removeTotp } from "../../net/twofactor";
import { copy } from "../../ui/copy";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/Icon";
import { Qr } from "../../ui/Qr";
import { Wrong } from "../../ui/Wrong";

type Step = { kind: "app"; begun: NewTotp } | { kind: "key" } | { kind: "codes"; codes: string[] } | null;

export function TwoFactor({ factors }: { factors: SecondFactors }) {
  const { on, needed, totp, passkeys, recovery } = factors;
  const [step, setStep] = useState<Step>(null);
  const [leaving, setLeaving] = useState("");
  const close = (): void => setStep(null);
  /** With the first factor come codes, which are seen this once. */
  const added = (codes: string[] | null, said: string): void => {
    tell(said);
    setStep(codes ? { kind: "codes", codes } : null);
  };
  async function begin(): Promise<void> {
    const begun = await attempt("", beginTotp);
    if (begun) setStep({ kind: "app", begun });
  }
  async function renew(): Promise<void> {
    const made = await attempt("", newCodes);
    if (made) setStep({ kind: "codes", codes: made.codes });
  }
  async function remove(which: string, called: string): Promise<void> {
    setLeaving("");
    if (await attempt("", () => (which === "totp" ? removeTotp() : removePasskey(which)))) tell(t("second.removed", { name: called }));
  }
  const times = (since: number, used: number | null): string => {
    const date = new Intl.DateTimeFormat(language.value, { dateStyle: "medium" });
    return dotted([t("account.since", { date: date.format(since) }), used ? t("second.used", { date: date.format(used) }) : t("second.unused")]);
  };
  const line = (id: string, called: string, since: number, used: number | null) => (
    <li key={id}>
      <span class="line-text">
        <b>{called}</b>
        <small>{times(since, used)}</small>
      </span>
      {leaving === id ? (
        <button type="button" class="bad" onClick={() => void remove(id, called)}>
          {t("second.remove_yes", { name: called })}
        </button>
      ) : (
        <button type="button" class="quiet" aria-label={t("account.remove_one", { site: called })} onClick={() => setLeaving(id)}>
          {t("account.remove")}
        </button>
      )}
    </li>
  );
  return (
    <>
      <p>{t(on ? "second.on" : "second.off")}</p>
      {needed && !on && (
        <p role="alert" class="wrong">
          {t("second.needed")}
        </p>
      )}
      {on && (
        <ul class="lines">
          {totp && line("totp", t("second.app"), totp.since, totp.used)}
          {passkeys.map((key) => line(key.id, key.name, key.since, key.used))}
          <li>
            <span class="line-text">
              <b>{t("second.recovery")}</b>
              <small>{t("second.left", { n: recovery })}</small>
            </span>
            <button type="button" class="quiet" onClick={() => void renew()}>
              {t("second.renew")}
            </button>
          </li>
        </ul>
      )}
      <div class="row wrap">
        {!totp && (
          <button type="button" class="quiet" onClick={() => void begin()}>
            <Icon name="clock" />
            {t("second.add_app")}
          </button>
        )}
        {passkeysHere() && (
          <button type="button" class="quiet" onClick={() => setStep({ kind: "key" })}>
            <Icon name="key" />
            {t("second.add_key")}
          </button>
        )}
      </div>
      {!passkeysHere() && <p class="hint">{t("second.no_keys")}</p>}
      {step?.kind === "app" && <NewApp begun={step.begun} close={close} added={added} />}
      {step?.kind === "key" && <NewKey close={close} added={added} />}
      {step?.kind === "codes" && <CodesDialog codes={step.codes} close={close} />}
    </>
  );
}

interface Adding {
  close: () => void;
  added: (codes: string[] | null, said: string) => void;
}

/** A form that is sent, and says what was wrong. */
function useSending(doing: () => Promise<void>): { send: (event: Event) => void; busy: boolean; wrong: string } {
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  async function run(): Promise<void> {
    setBusy(true);
    setWrong("");
    try {
      await doing();
    } catch (refused) {
      setWrong(refused instanceof Refused ? refusalText(undefined, refused.refusal) : t("lost.broken"));
      setBusy(false);
    }
  }
  return {
    send: (event) => {
      event.preventDefault();
      void run();
    },
    busy,
    wrong,
  };
}

function NewApp({ begun, close, added }: Adding & { begun: NewTotp }) {
  const [code, setCode] = useState("");
  const { send, busy, wrong } = useSending(async () => added((await addTotp(begun.ticket, code)).codes, t("second.app_added")));
  const spaced = (begun.secret.match(/.{1,4}/g) ?? []).join(" ");
  return (
    <Dialog title={t("second.add_app")} close={close}>
      <form class="stack choices" onSubmit={send}>
        <p>{t("second.scan")}</p>
        <div class="share">
          <Qr text={begun.address} label={t("second.qr")} />
          <label class="field">
            {t("second.secret")}
            <textarea class="mono" readOnly rows={2} value={spaced} onFocus={(event) => event.currentTarget.select()} />
          </label>
        </div>
        <label class="field">
          {t("second.first_code")}
          <input
            class="mono"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={7}
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <Wrong text={wrong} />
        <button type="submit" class="main" aria-disabled={busy || !code.trim()}>
          {t("second.confirm")}
        </button>
      </form>
    </Dialog>
  );
}

/** What one would call this device oneself. */
const device = (): string => /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? "";

function NewKey({ close, added }: Adding) {
  const [name, setName] = useState(device);
  const { send, busy, wrong } = useSending(async () => added((await addPasskey(name.trim())).codes, t("second.key_added", { name: name.trim() })));
  return (
    <Dialog title={t("second.add_key")} close={close}>
      <form class="stack choices" onSubmit={send}>
        <p>{t("second.key_help")}</p>
        <label class="field">
          {t("second.key_name")}
          <input maxLength={40} required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <Wrong text={wrong} />
        <button type="submit" class="main" aria-disabled={busy || !name.trim()}>
          {t("second.go_on")}
        </button>
      </form>
    </Dialog>
  );
}

function CodesDialog({ codes, close }: { codes: string[]; close: () => void }) {
  const text = codes.join("\n");
  const take = async (): Promise<void> => {
    if (await copy(text)) tell(t("share.copied")); // where it is not allowed they can be selected
  };
  return (
    <Dialog title={t("second.recovery")} close={close}>
      <div class="stack choices">
        <p>{t("second.codes_help")}</p>
        <ol class="codes" aria-label={t("second.recovery")}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="row wrap">
          <button type="button" class="quiet" onClick={() => void take()}>
            {t("second.copy")}
          </button>
          <a
            class="button quiet"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Hanpan ${location.host}\n\n${text}\n`)}`}
            download="hanpan-codes.txt"
          >
            <Icon name="download" />
            {t("second.download")}
          </a>
        </div>
        <button type="button" class="main" onClick={close}>
          {t("second.kept")}
        </button>
      </div>
    </Dialog>
  );
}
