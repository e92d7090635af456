// My account: name, logins, blocked people, bots, and all data to take along or to delete.

import { useState } from "preact/hooks";
import { DOT } from "../../lib/dot";
import { go } from "../../lib/route";
import { language } from "../../lib/settings";
import { deleteMe, logOut, mine, proved, removeLogin, unblock } from "../../net/account";
import { me, standing } from "../../net/connection";
import type { Mine, Offered } from "../../net/http";
import { t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { attempt } from "../../net/start";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/Icon";
import { useLoaded } from "../../ui/load";
import { Name } from "../../ui/Name";
import { NameForm } from "../../ui/NameForm";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/title";
import { MyBots } from "./MyBots";
import { Sessions } from "./Sessions";
import { TwoFactor } from "./TwoFactor";

type Login = Mine["logins"][number];

export function Me() {
  useTitle(t("account.title"));
  const own = mine.value;
  if (!own)
    return (
      <main id="main" class="page narrow" aria-busy="true">
        <h1>{t("account.title")}</h1>
        <Skeleton lines={6} />
      </main>
    );
  const account = standing.value?.kind === "account";
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{t("account.title")}</h1>
        <p>
          {account ? t("account.kind_account") : t("account.kind_guest")}
          {own.role === "operator" && (
            <>
              {DOT}
              <a href="/operator">{t("operator.title")}</a>
            </>
          )}
        </p>
      </div>
      <div class="card stack">
        <NameForm key={own.person.id} />
        <p class="hint">{t("account.id", { id: own.person.id })}</p>
      </div>
      <section class="card stack" aria-labelledby="logins">
        <h2 id="logins">{t("account.logins")}</h2>
        {account ? (
          <Logins logins={own.logins} />
        ) : (
          <>
            <p>{t("login.help")}</p>
            <div class="row">
              <a class="button main" href="/login">
                {t("login.title")}
              </a>
            </div>
          </>
        )}
      </section>
      {account && (
        <section class="card stack" aria-labelledby="second">
          <h2 id="second">{t("second.title")}</h2>
          <TwoFactor factors={own.second} />
        </section>
      )}
      {account && (
        <section class="card stack" aria-labelledby="sessions">
          <h2 id="sessions">{t("account.sessions")}</h2>
          <Sessions sessions={own.sessions} />
        </section>
      )}
      <section class="card stack" aria-labelledby="blocked">
        <h2 id="blocked">{t("account.blocked")}</h2>
        <Blocked blocked={own.blocked} />
      </section>
      <section class="card stack" aria-labelledby="bots">
        <h2 id="bots">{t("account.bots")}</h2>
        <p class="hint">
          {t("account.bots_help")}{" "}
          <a class="in-line" href="/docs">
            {t("front.programs")}
          </a>
        </p>
        {account ? <MyBots bots={own.bots} /> : <p class="empty">{t("account.bots_guest")}</p>}
      </section>
      <section class="card stack" aria-labelledby="data">
        <h2 id="data">{t("account.data")}</h2>
        <Data />
      </section>
    </main>
  );
}

function Logins({ logins }: { logins: Login[] }) {
  const [offered] = useLoaded<Offered>("/api/logins");
  const title = (provider: string): string =>
    provider === "email" ? t("login.email") : provider === "custom" ? t("account.own_site") : (offered?.elsewhere[provider] ?? provider);
  const since = new Intl.DateTimeFormat(language.value, { dateStyle: "medium" });
  /** One of several by e-mail is known by its address. */
  const called = (login: Login): string =>
    login.provider === "email" && login.email && logins.filter((other) => other.provider === "email").length > 1 ? login.email : title(login.provider);
  const remove = async (login: Login): Promise<void> => {
    if (await attempt("", () => removeLogin(login.id))) tell(t("account.removed", { site: called(login) }));
  };
  const attach = async (): Promise<void> => {
    if (await attempt("", proved)) go("/login");
  };
  return (
    <>
      <ul class="lines">
        {logins.map((login) => (
          <li key={login.id}>
            <span class="line-text">
              <b>{title(login.provider)}</b>
              <small>
                {login.email && (
                  <>
                    {login.email}
                    {DOT}
                  </>
                )}
                {t("account.since", { date: since.format(login.since) })}
              </small>
            </span>
            {logins.length > 1 && (
              <button type="button" class="quiet" aria-label={t("account.remove_one", { site: called(login) })} onClick={() => void remove(login)}>
                {t("account.remove")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {logins.length === 1 && <p class="hint">{t("account.only_one")}</p>}
      <div class="row wrap">
        <button type="button" class="quiet" onClick={() => void attach()}>
          <Icon name="key" />
          {t("login.attach")}
        </button>
        <button type="button" class="quiet" onClick={() => void attempt("", logOut)}>
          <Icon name="exit" />
          {t("account.log_out")}
        </button>
      </div>
    </>
  );
}

function Blocked({ blocked }: { blocked: Mine["blocked"] }) {
  if (!blocked.length) return <p class="empty">{t("account.nobody_blocked")}</p>;
  return (
    <ul class="lines">
      {blocked.map((person) => (
        <li key={person.id}>
          <a class="line-text" href={`/people/${person.id}`}>
            <Name person={person} />
          </a>
          <button
            type="button"
            class="quiet"
            aria-label={t("account.unblock_one", { name: person.name })}
            onClick={() => void attempt("", () => unblock(person.id)).then((done) => done && tell(t("safety.unblocked", { name: person.name })))}
          >
            {t("safety.unblock")}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Data() {
  const [sure, setSure] = useState(false);
  return (
    <>
      <p>{t("account.export_help")}</p>
      <div class="row">
        <a class="button quiet" href="/api/me/export" download="hanpan.json">
          <Icon name="download" />
          {t("account.export")}
        </a>
      </div>
      <p>{t("account.delete_help")}</p>
      <div class="row">
        <button type="button" class="quiet danger" onClick={() => setSure(true)}>
          {t("account.delete")}
        </button>
      </div>
      {sure && <Delete close={() => setSure(false)} />}
    </>
  );
}

function Delete({ close }: { close: () => void }) {
  const name = me.value?.name ?? "";
  const [typed, setTyped] = useState("");
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (
      (await attempt("", async () => {
        await deleteMe(typed);
        return true;
      })) === null
    )
      return;
    close();
    go("/");
    setTimeout(() => tell(t("account.deleted")));
  }
  return (
    <Dialog title={t("account.delete")} close={close}>
      <form class="stack choices" onSubmit={submit}>
        <p>{t("account.delete_sure", { name })}</p>
        <label class="field">
          {t("account.delete_name")}
          <input value={typed} maxLength={100} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button type="submit" class="bad" aria-disabled={typed !== name}>
          {t("account.delete_yes")}
        </button>
        <button type="button" class="quiet" onClick={close}>
          {t("account.delete_no")}
        </button>
      </form>
    </Dialog>
  );
}
