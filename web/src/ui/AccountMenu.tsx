// Who one is: the own name, to be changed in place, and the ways to one's account.

import { isOperator, logOut } from "../net/account";
import { standing } from "../net/connection";
import { t } from "../net/i18n";
import { attempt } from "../net/start";
import type { PersonInfo } from "../net/types";
import { Icon } from "./Icon";
import { Menu } from "./Menu";
import { Name } from "./Name";
import { NameForm } from "./NameForm";

export function AccountMenu({ who }: { who: PersonInfo }) {
  const account = standing.value?.kind === "account";
  return (
    <Menu label={t("mine.label", { name: who.name })} face={<Name person={who} />} kind="right mine">
      <a class="button item" href="/me">
        <Icon name="key" />
        {t("mine.account")}
      </a>
      <a class="button item" href={`/people/${who.id}`}>
        <Icon name="list" />
        {t("lobby.own_games")}
      </a>
      {isOperator() && (
        <a class="button item" href="/operator">
          <Icon name="shield" />
          {t("operator.title")}
        </a>
      )}
      {account ? (
        <button type="button" class="item" onClick={() => void attempt("", logOut)}>
          <Icon name="exit" />
          {t("account.log_out")}
        </button>
      ) : (
        <a class="button item" href="/login">
          <Icon name="mail" />
          {t("login.title")}
        </a>
      )}
      <hr />
      <NameForm key={who.name} />
      {!account && <p class="hint">{t("mine.guest")}</p>}
    </Menu>
  );
}
