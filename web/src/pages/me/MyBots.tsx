// Bots that one answers for: make one, choose what its token may do, get another token, delete it. A token is shown once.

import { useState } from "preact/hooks";
import { dotted } from "../../lib/dot";
import { deleteBot, newBot, newToken } from "../../net/account";
import type { Mine } from "../../net/http";
import { t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { attempt } from "../../net/start";
import { copy } from "../../ui/copy";
import { Name } from "../../ui/Name";

const SCOPES = ["play", "chat", "rooms"];
const scopeName = (scope: string): string => t(`scopes.${scope}` as "scopes.play");

export function MyBots({ bots }: { bots: Mine["bots"] }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(["play"]);
  const [given, setGiven] = useState<{ name: string; token: string } | null>(null);
  async function make(event: Event): Promise<void> {
    event.preventDefault();
    const made = await attempt("", () => newBot(name.trim(), scopes));
    if (!made) return;
    setGiven({ name: name.trim(), token: made.token });
    setName("");
  }
  return (
    <>
      {given && <Given {...given} close={() => setGiven(null)} />}
      {bots.length === 0 ? (
        <p class="empty">{t("account.no_bots")}</p>
      ) : (
        <ul class="lines">
          {bots.map((bot) => (
            <Bot key={bot.id} bot={bot} give={(token) => setGiven({ name: bot.name, token })} />
          ))}
        </ul>
      )}
      <form class="stack" onSubmit={make}>
        <Scopes label={t("account.scopes")} chosen={scopes} choose={setScopes} />
        <div class="row">
          <input
            value={name}
            maxLength={24}
            required
            placeholder={t("account.bot_name")}
            aria-label={t("account.bot_name")}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" class="quiet" aria-disabled={!name.trim()}>
            {t("account.bot_make")}
          </button>
        </div>
      </form>
    </>
  );
}

/** One bot: what its token may do, and what can be done about it. */
function Bot({ bot, give }: { bot: Mine["bots"][number]; give: (token: string) => void }) {
  const [asking, setAsking] = useState<"" | "token" | "delete">("");
  const [scopes, setScopes] = useState(bot.scopes);
  async function renew(): Promise<void> {
    const made = await attempt("", () => newToken(bot.id, scopes));
    if (!made) return;
    setAsking("");
    give(made.token);
  }
  async function remove(): Promise<void> {
    if (await attempt("", () => deleteBot(bot.id))) tell(t("account.bot_deleted", { name: bot.name }));
  }
  return (
    <li>
      <span class="line-text">
        <a href={`/people/${bot.id}`}>
          <Name person={{ ...bot, bot: true }} />
        </a>
        <small>{bot.scopes.length ? dotted(bot.scopes.map(scopeName)) : t("scopes.none")}</small>
      </span>
      <span class="row">
        {asking !== "token" && (
          <button
            type="button"
            class="quiet"
            aria-label={t("account.new_token_for", { name: bot.name })}
            onClick={() => {
              setScopes(bot.scopes);
              setAsking("token");
            }}
          >
            {t("account.new_token")}
          </button>
        )}
        {asking === "delete" ? (
          <button type="button" class="bad" onClick={() => void remove()}>
            {t("account.bot_delete_yes", { name: bot.name })}
          </button>
        ) : (
          <button type="button" class="quiet" aria-label={t("account.bot_delete_one", { name: bot.name })} onClick={() => setAsking("delete")}>
            {t("account.bot_delete")}
          </button>
        )}
      </span>
      {asking === "token" && (
        <div class="given stack">
          <Scopes label={t("account.scopes_for", { name: bot.name })} chosen={scopes} choose={setScopes} />
          <small>{t("account.new_token_help")}</small>
          <div class="row wrap">
            <button type="button" class="main" onClick={() => void renew()}>
              {t("account.new_token_yes")}
            </button>
            <button type="button" class="quiet" onClick={() => setAsking("")}>
              {t("account.new_token_no")}
            </button>
          </div>
        </div>
      )}
    </li>
  );
}

/** What a token may do. */
function Scopes({ label, chosen, choose }: { label: string; chosen: string[]; choose: (scopes: string[]) => void }) {
  return (
    <fieldset class="scopes">
      <legend>{label}</legend>
      {SCOPES.map((scope) => (
        <label key={scope} class="switch">
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={(event) => choose(SCOPES.filter((each) => (each === scope ? event.currentTarget.checked : chosen.includes(each))))}
          />
          <span>
            {scopeName(scope)}
            <small>{t(`scopes.${scope}_help` as "scopes.play_help")}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Given({ name, token, close }: { name: string; token: string; close: () => void }) {
  const take = async (): Promise<void> => {
    if (await copy(token)) tell(t("share.copied")); // where it is not allowed the token can be selected
  };
  return (
    <div class="given stack" role="status">
      <b>{t("account.token_of", { name })}</b>
      <input readOnly value={token} aria-label={t("account.token_of", { name })} onFocus={(event) => event.currentTarget.select()} />
      <small>{t("account.token_once")}</small>
      <div class="row wrap">
        <button type="button" class="main" onClick={() => void take()}>
          {t("account.copy")}
        </button>
        <button type="button" class="quiet" onClick={close}>
          {t("account.token_kept")}
        </button>
      </div>
    </div>
  );
}
