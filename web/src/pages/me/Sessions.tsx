// Where one is logged in: each browser with its place and time, and a way to log out there from here.

import { DOT } from "../../lib/dot";
import { language } from "../../lib/settings";
import { endOtherSessions, endSession } from "../../net/account";
import type { Session } from "../../net/http";
import { t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { attempt } from "../../net/start";

export function Sessions({ sessions }: { sessions: Session[] }) {
  const time = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  const end = async (session: Session): Promise<void> => {
    if (await attempt("", () => endSession(session.id))) tell(t("account.session_ended", { browser: session.browser }));
  };
  const endOthers = async (): Promise<void> => {
    if (await attempt("", endOtherSessions)) tell(t("account.others_ended"));
  };
  return (
    <>
      <ul class="lines">
        {sessions.map((session) => (
          <li key={session.id}>
            <span class="line-text">
              <b>
                {session.browser}
                {session.here && (
                  <>
                    {DOT}
                    {t("account.session_here")}
                  </>
                )}
              </b>
              <small>
                {session.place}
                {DOT}
                {session.here
                  ? t("account.session_since", { date: time.format(session.since) })
                  : t("account.session_seen", { date: time.format(session.seen) })}
              </small>
            </span>
            {!session.here && (
              <button
                type="button"
                class="quiet"
                aria-label={t("account.session_end_one", { browser: session.browser, place: session.place })}
                onClick={() => void end(session)}
              >
                {t("account.log_out")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <div class="row wrap">
          <button type="button" class="quiet" onClick={() => void endOthers()}>
            {t("account.log_out_others")}
          </button>
        </div>
      ) : (
        <p class="hint">{t("account.session_only")}</p>
      )}
    </>
  );
}
