// A room that does not let one in: why, and what one can do about it.

import { useState } from "preact/hooks";
import { refusalText, t } from "../../net/i18n";
import { enter } from "../../net/room";
import type { Refusal } from "../../net/types";

export function EntryRefused({ id, refusal }: { id: string; refusal: Refusal }) {
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState<Refusal | null>(null); // what was said before the last try
  const waiting = tried === refusal;
  const locked = refusal.code === "wrong-password";
  return (
    <main id="main" class="page narrow">
      <div class="card stack">
        <h1>{locked ? t("door.locked") : t("door.closed")}</h1>
        {(!locked || (tried && !waiting)) && <p role="alert">{refusalText(undefined, refusal)}</p>}
        {locked && (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              setTried(refusal);
              enter(id, password);
            }}
          >
            <label class="field">
              {t("door.password")}
              <input value={password} maxLength={64} autocomplete="off" autofocus onInput={(event) => setPassword(event.currentTarget.value)} />
            </label>
            <button type="submit" class="main" aria-disabled={!password || waiting}>
              {t("door.enter")}
            </button>
          </form>
        )}
        {!locked && (
          <button type="button" class="main" onClick={() => enter(id, "")}>
            {t("door.again")}
          </button>
        )}
        <a class="button quiet" href="/lobby">
          {t("door.lobby")}
        </a>
      </div>
    </main>
  );
}
