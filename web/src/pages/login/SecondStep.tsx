// The second step of logging in: a code, a passkey, or a recovery code.

import { useState } from "preact/hooks";
import { goBack } from "../../lib/route";
import { me, Refused } from "../../net/connection";
import { refusalText, t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { passkeysHere } from "../../net/passkey";
import { secondByCode, secondByPasskey } from "../../net/twofactor";
import { Icon } from "../../ui/Icon";
import { useLoaded } from "../../ui/load";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/title";
import { Wrong } from "../../ui/Wrong";

export function SecondStep() {
  useTitle(t("second.title"));
  const [found] = useLoaded<{ ways: string[] }>("/api/login/second");
  const [code, setCode] = useState("");
  const [lost, setLost] = useState(false); // the app is not at hand: a recovery code will do
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  if (found === undefined)
    return (
      <main id="main" class="page narrow" aria-busy="true">
        <h1>{t("second.title")}</h1>
        <Skeleton />
      </main>
    );
  if (found === null)
    return (
      <main id="main" class="page narrow">
        <div class="card stack">
          <h1>{t("login.failed")}</h1>
          <p role="alert">{t("second.over")}</p>
          <div class="row wrap">
            <a class="button main" href="/login">
              {t("login.title")}
            </a>
          </div>
        </div>
      </main>
    );
  async function show(doing: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setWrong("");
    try {
      await doing();
      tell(t("login.done", { name: me.value?.name ?? "" }));
      goBack();
    } catch (refused) {
      setWrong(refused instanceof Refused ? refusalText(undefined, refused.refusal) : t("lost.broken"));
      setBusy(false);
    }
  }
  const has = (way: string): boolean => found.ways.includes(way);
  const app = has("totp") && !lost,
    key = has("passkey") && passkeysHere() && !lost;
  const typed = app || lost || !key; // whoever has neither at hand can type a recovery code
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{t("second.title")}</h1>
        <p>{t(app ? "second.step_app" : key ? "second.step_key" : "second.step_recovery")}</p>
      </div>
      <div class="card stack">
        {key && (
          <button type="button" class={app ? "quiet" : "main"} aria-disabled={busy} onClick={() => void show(secondByPasskey)}>
            <Icon name="key" />
            {t("second.use_key")}
          </button>
        )}
        {key && typed && (
          <p class="or">
            <span>{t("second.or")}</span>
          </p>
        )}
        {typed && (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              void show(() => secondByCode(code));
            }}
          >
            <label class="field">
              {t(app ? "second.code" : "second.recovery_code")}
              <input
                key={String(app)}
                class="mono"
                autofocus={!key}
                inputMode={app ? "numeric" : "text"}
                autocomplete="one-time-code"
                autocapitalize="off"
                spellcheck={false}
                maxLength={40}
                required
                value={code}
                onInput={(event) => setCode(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="main" aria-disabled={busy || !code.trim()}>
              {t("login.go")}
            </button>
          </form>
        )}
        <Wrong text={wrong} />
        <div class="row wrap turns">
          {has("recovery") && !lost && (app || key) && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                setLost(true);
                setCode("");
                setWrong("");
              }}
            >
              {t("second.lost")}
            </button>
          )}
          {lost && (has("totp") || has("passkey")) && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                setLost(false);
                setCode("");
                setWrong("");
              }}
            >
              {t("second.found")}
            </button>
          )}
        </div>
      </div>
    </main>
  );
}
