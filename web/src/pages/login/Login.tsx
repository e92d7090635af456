// Logging in and signing up; and the pages that a mailed link and another site's token lead to.

import { useEffect, useRef, useState } from "preact/hooks";
import { go, goBack } from "../../lib/route";
import { choosePassword, logIn, logInByToken, mailLink, mine } from "../../net/account";
import { ask, me, Refused, standing } from "../../net/connection";
import type { Offered } from "../../net/http";
import { refusalText, say, t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { passkeysHere } from "../../net/passkey";
import { logInByPasskey } from "../../net/twofactor";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/title";
import { Wrong } from "../../ui/Wrong";

const LEAST = 8,
  MOST = 200; // letters of a password

/** Why something did not work, in the reader's language. */
const why = (wrong: unknown): string => (wrong instanceof Refused ? refusalText(undefined, wrong.refusal) : t("lost.broken"));

const asked = (name: string): string => new URLSearchParams(location.search).get(name) ?? "";

/** One is in; or the second factor is still to be shown. */
function arrive(entered: boolean, there: () => void): void {
  if (!entered) return go("/login/second");
  tell(t("login.done", { name: me.value?.name ?? "" }));
  there();
}

export function Login() {
  const account = standing.value?.kind === "account";
  const [way, setWay] = useState<EmailStep>("login");
  useTitle(account ? t("login.attach") : way === "login" ? t("login.title") : t(`login.${way}`));
  const [offered, again] = useLoaded<Offered>("/api/logins");
  const have = new Set(account ? mine.value?.logins.map((login) => login.provider) : []);
  const elsewhere = Object.entries(offered?.elsewhere ?? {}).filter(([provider]) => !have.has(provider));
  const site = offered?.custom && !have.has("custom") ? offered.custom_site : null;
  const email = Boolean(offered?.email);
  const refused = offered ? failure(offered) : "";
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{account ? t("login.attach") : t("login.title")}</h1>
        <p>{account ? t("login.attach_help") : t("login.help")}</p>
      </div>
      {refused && (
        <p role="alert" class="card wrong">
          {refused}
        </p>
      )}
      {offered === undefined ? (
        <Skeleton />
      ) : offered === null ? (
        <LoadFailed again={again} />
      ) : (
        <div class="card stack">
          {!account && passkeysHere() && <ByPasskey />}
          {elsewhere.map(([provider, title]) => (
            <a key={provider} class="button quiet" href={`/login/${provider}`}>
              {t("login.with", { site: title })}
            </a>
          ))}
          {site && (
            <a class="button quiet" href={site}>
              {t("login.with", { site: new URL(site, location.href).host })}
            </a>
          )}
          {email && (elsewhere.length > 0 || site || (!account && passkeysHere())) && (
            <p class="or">
              <span>{t("login.or")}</span>
            </p>
          )}
          {email && <ByEmail attach={account} way={account ? "register" : way} setWay={setWay} mail={offered.mail} contact={offered.contact} />}
          {!elsewhere.length && !site && !email && <Empty icon="key" text={account ? t("login.all") : t("login.none")} />}
        </div>
      )}
    </main>
  );
}

function ByPasskey() {
  const [wrong, setWrong] = useState("");
  const enter = (): Promise<void> =>
    logInByPasskey().then(
      (entered) => arrive(entered, goBack),
      (refused) => setWrong(why(refused)),
    );
  return (
    <>
      <button type="button" class="quiet" onClick={() => void enter()}>
        <Icon name="key" />
        {t("second.log_in")}
      </button>
      <Wrong text={wrong} />
    </>
  );
}

/** What a login elsewhere that failed came back with. Only values of the server's own making are shown. */
function failure(offered: Offered): string {
  const code = asked("refused");
  if (!code) return "";
  const own = (value: string): boolean => Object.values(offered.elsewhere).includes(value) || /^[\d: UTC-]{1,30}$/.test(value);
  const values = Object.fromEntries([...new URLSearchParams(location.search)].filter(([, value]) => own(value)));
  return say(undefined, { key: `server.${code}`, values }).replace(/\{\w+\}/g, "…") || t("notice.fault");
}

type EmailStep = "login" | "register" | "reset";

function ByEmail({
  attach,
  way,
  setWay,
  mail,
  contact,
}: {
  attach: boolean;
  way: EmailStep;
  setWay: (way: EmailStep) => void;
  mail: boolean;
  contact: string | null;
}) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const turn = (to: EmailStep) => (): void => {
    setWay(to);
    setWrong("");
  };
  const host = useRef<HTMLElement | null>(null);
  const here = (element: HTMLElement | null): void => {
    host.current = element;
  };
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) host.current?.querySelector<HTMLElement>("input, button")?.focus(); // what was pressed is not there any more
    begun.current = true;
  }, [way, sent]);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    try {
      if (way !== "login") {
        await mailLink(way, email);
        setSent(true);
      } else {
        arrive(await logIn(email, password), goBack);
      }
    } catch (refused) {
      setWrong(why(refused));
    }
    setBusy(false);
  }
  const who = contact ?? t("login.operator");
  if (sent)
    return (
      <div ref={here} role="status" class="stack">
        <h2>{t(mail ? "login.sent" : "login.no_mail")}</h2>
        <p>{mail ? t("login.sent_help", { email }) : t("login.no_mail_sent", { email, who })}</p>
        <div class="row">
          <button type="button" class="quiet" onClick={() => setSent(false)}>
            {t("login.another")}
          </button>
        </div>
      </div>
    );
  return (
    <form ref={here} class="stack" onSubmit={submit}>
      {!attach && <h2>{t(`login.${way}` as "login.register")}</h2>}
      {way !== "login" && <p class="hint">{mail ? t(`login.${way}_help` as "login.register_help") : t("login.no_mail_help", { who })}</p>}
      <label class="field">
        {t("login.email")}
        <input
          type="email"
          name="email"
          autocomplete="username"
          maxLength={254}
          required
          value={email}
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
      </label>
      {way === "login" && (
        <label class="field">
          {t("login.password")}
          <input
            type="password"
            name="password"
            autocomplete="current-password"
            maxLength={MOST}
            required
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
      )}
      <Wrong text={wrong} />
      <button type="submit" class="main" aria-disabled={busy}>
        {way === "login" ? t("login.go") : mail ? t("login.mail") : t("login.make_link")}
      </button>
      {!attach && (
        <div class="row wrap turns">
          {way !== "login" && (
            <button type="button" class="quiet" onClick={turn("login")}>
              {t("login.have")}
            </button>
          )}
          {way !== "register" && (
            <button type="button" class="quiet" onClick={turn("register")}>
              {t("login.new")}
            </button>
          )}
          {way !== "reset" && (
            <button type="button" class="quiet" onClick={turn("reset")}>
              {t("login.forgotten")}
            </button>
          )}
        </div>
      )}
    </form>
  );
}

/** What the server says about something that one has been given: null while it is asked, else the answer or why not. */
function useLook<T>(path: string): { told?: T; refused?: unknown } | null {
  const [found, setFound] = useState<{ told?: T; refused?: unknown } | null>(null);
  useEffect(() => {
    ask<T>("GET", path).then(
      (told) => setFound({ told }),
      (refused) => setFound({ refused }),
    );
  }, [path]);
  return found;
}

/** It does not work any more: why, and where to get another. */
function Refusal({ text }: { text: string }) {
  return (
    <main id="main" class="page narrow">
      <div class="card stack">
        <h1>{t("login.failed")}</h1>
        <p role="alert">{text}</p>
        <div class="row wrap">
          <a class="button main" href="/login">
            {t("login.title")}
          </a>
          <a class="button quiet" href="/">
            {t("lost.home")}
          </a>
        </div>
      </div>
    </main>
  );
}

export function Password() {
  const [ticket] = useState(() => asked("ticket"));
  const look = useLook<{ email: string }>(`/api/login/email/password?ticket=${encodeURIComponent(ticket)}`);
  useTitle(look && !look.told ? t("login.failed") : t("login.choose"));
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  if (!look)
    return (
      <main id="main" class="page narrow" aria-busy="true">
        <Skeleton />
      </main>
    );
  if (!look.told) return <Refusal text={why(look.refused)} />;
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      arrive(await choosePassword(ticket, password), () => go("/me"));
    } catch (refused) {
      setWrong(why(refused));
      setBusy(false);
    }
  }
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{t("login.choose")}</h1>
        <p>{t("login.choose_help", { email: look.told.email })}</p>
      </div>
      <form class="card stack" onSubmit={submit}>
        <input class="unseen" type="email" name="email" autocomplete="username" readOnly tabIndex={-1} aria-hidden="true" value={look.told.email} />
        <label class="field">
          {t("login.new_password", { least: LEAST })}
          <input
            type="password"
            name="password"
            autocomplete="new-password"
            autofocus
            minLength={LEAST}
            maxLength={MOST}
            required
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        <Wrong text={wrong} />
        <button type="submit" class="main" aria-disabled={busy}>
          {t("login.save")}
        </button>
      </form>
    </main>
  );
}

export function Token() {
  const [token] = useState(() => asked("token"));
  const look = useLook<{ name: string }>(`/api/login/token?token=${encodeURIComponent(token)}`);
  useTitle(look?.told ? t("login.as", { name: look.told.name }) : look ? t("login.failed") : t("login.title"));
  const [wrong, setWrong] = useState("");
  if (!look)
    return (
      <main id="main" class="page narrow" aria-busy="true">
        <Skeleton />
      </main>
    );
  if (!look.told || wrong) return <Refusal text={wrong || why(look.refused)} />;
  async function enter(): Promise<void> {
    try {
      arrive(await logInByToken(token), () => go("/me"));
    } catch (refused) {
      setWrong(why(refused));
    }
  }
  return (
    <main id="main" class="page narrow">
      <div class="card stack">
        <h1>{t("login.as", { name: look.told.name })}</h1>
        <p>{t("login.as_help")}</p>
        <div class="row wrap">
          <button type="button" class="main" onClick={() => void enter()}>
            <Icon name="key" />
            {t("login.go")}
          </button>
          <a class="button quiet" href="/">
            {t("login.not")}
          </a>
        </div>
      </div>
    </main>
  );
}
