// Bots that one answers for: make one, get another token, delete it. A token is shown once.

import { useState } from "preact/hooks";
import { deleteBot, mine, newBot, newToken } from "../account";
import { t } from "../i18n";
import { attempt } from "../start";
import { tell } from "../store";
import { Name } from "./Name";

export function MyBots() {
  const bots = mine.value!.bots;
  const [name, setName] = useState("");
  const [given, setGiven] = useState<{ name: string; token: string } | null>(null);
  const [leaving, setLeaving] = useState("");
  async function make(event: Event): Promise<void> {
    event.preventDefault();
    const made = await attempt("", () => newBot(name.trim()));
    if (!made) return;
    setGiven({ name: name.trim(), token: made.token });
    setName("");
  }
  async function renew(id: string, called: string): Promise<void> {
    const made = await attempt("", () => newToken(id));
    if (made) setGiven({ name: called, token: made.token });
  }
  async function remove(id: string, called: string): Promise<void> {
    if (await attempt("", () => deleteBot(id))) tell(t("account.bot_deleted", { name: called }));
  }
  return (
    <>
      {given && <Given {...given} close={() => setGiven(null)} />}
      {bots.length === 0 ? <p class="empty">{t("account.no_bots")}</p> : (
        <ul class="lines">
          {bots.map((bot) => (
            <li key={bot.id}>
              <a class="line-text" href={`/people/${bot.id}`}><Name person={{ ...bot, bot: true }} /></a>
              <span class="row">
                <button type="button" class="quiet" aria-label={t("account.new_token_for", { name: bot.name })} onClick={() => void renew(bot.id, bot.name)}>{t("account.new_token")}</button>
                {leaving === bot.id
                  ? <button type="button" class="bad" onClick={() => void remove(bot.id, bot.name)}>{t("account.bot_delete_yes", { name: bot.name })}</button>
                  : <button type="button" class="quiet" aria-label={t("account.bot_delete_one", { name: bot.name })} onClick={() => setLeaving(bot.id)}>{t("account.bot_delete")}</button>}
              </span>
            </li>
          ))}
        </ul>
      )}
      <form class="row" onSubmit={make}>
        <input value={name} maxLength={24} required placeholder={t("account.bot_name")} aria-label={t("account.bot_name")} onInput={(event) => setName(event.currentTarget.value)} />
        <button type="submit" class="quiet" disabled={!name.trim()}>{t("account.bot_make")}</button>
      </form>
    </>
  );
}

function Given({ name, token, close }: { name: string; token: string; close: () => void }) {
  const copy = (): void => void navigator.clipboard?.writeText(token).then(() => tell(t("share.copied")), () => undefined); // where it is not allowed the token can be selected
  return (
    <div class="given stack" role="status">
      <b>{t("account.token_of", { name })}</b>
      <input readOnly value={token} aria-label={t("account.token_of", { name })} onFocus={(event) => event.currentTarget.select()} />
      <small>{t("account.token_once")}</small>
      <div class="row wrap"><button type="button" class="main" onClick={copy}>{t("account.copy")}</button><button type="button" class="quiet" onClick={close}>{t("account.token_kept")}</button></div>
    </div>
  );
}
