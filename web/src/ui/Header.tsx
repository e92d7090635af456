// The head of every page: where one can go, and who one is.

import { route } from "../lib/route";
import { language } from "../lib/settings";
import { banned, interrupted, lostAt, me, notYet, restarting, standing } from "../net/connection";
import { refusalText, t } from "../net/i18n";
import { directMessages } from "../net/lobby";
import { AccountMenu } from "./AccountMenu";
import { Preferences } from "./Preferences";

export function Header() {
  const here = route.value.page;
  const unread = Object.values(directMessages.value).reduce((sum, each) => sum + each.unread, 0);
  const link = (page: string, path: string, label: string) => (
    <a href={path} aria-current={here === page ? "page" : undefined}>
      {label}
    </a>
  );
  return (
    <header class="head">
      <a class="skip" href="#main">
        {t("head.skip")}
      </a>
      <a class="home" href="/">
        <span class="seal" aria-hidden="true">
          판
        </span>
        <span class="wide">{t("head.title")}</span>
      </a>
      <nav aria-label={t("head.places")}>
        {link("lobby", "/lobby", t("head.lobby"))}
        {unread > 0 && (
          <span class="badge">
            <span aria-hidden="true">{unread}</span>
            <span class="unseen">{t("head.unread", { n: unread })}</span>
          </span>
        )}
        {link("watch", "/watch", t("head.watch"))}
      </nav>
      <span class="air" />
      {banned.value ? null : restarting.value ? (
        <span class="lost-line" role="status">
          {t("notice.restart")}
        </span>
      ) : interrupted.value && lostAt.value === null ? (
        <span class="lost-line" role="status">
          {t("notice.interrupted")}
        </span>
      ) : (
        lostAt.value !== null && (
          <span class={`lost-line ${standing.value ? "passing" : "still"}`} role="status">
            {notYet.value
              ? `${refusalText(undefined, notYet.value)} ${t("notice.meanwhile")}`
              : standing.value // whether it was there since the page was opened
                ? `${t("notice.lost")} ${t("notice.seen", { time: new Date(lostAt.value).toLocaleTimeString(language.value, { timeStyle: "short" }) })}`
                : t("notice.offline")}
          </span>
        )
      )}
      <Preferences />
      {me.value?.name && <AccountMenu who={me.value} />}
    </header>
  );
}
