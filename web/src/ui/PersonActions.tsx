// What one can do about a person: look at their games, block them, report them.

import { signal } from "@preact/signals";
import { block, isBlocked, unblock } from "../net/account";
import { me } from "../net/connection";
import { t } from "../net/i18n";
import { tell } from "../net/lobby";
import { attempt } from "../net/start";
import type { Message, PersonInfo } from "../net/types";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";
import { nameOf } from "./Name";
import { reporting } from "./ReportDialog";

/** Whose choices are open, and which message of theirs was pointed at. */
const about = signal<{ person: PersonInfo; message?: Message } | null>(null);

/** Block or unblock, and report; `done` closes what they stand in. */
export function PersonActions({ person, message, done = () => undefined }: { person: PersonInfo; message?: Message; done?: () => void }) {
  const blocked = isBlocked(person.id);
  async function turn(): Promise<void> {
    done();
    if (await attempt("", () => (blocked ? unblock(person.id) : block(person.id))))
      tell(t(blocked ? "safety.unblocked" : "safety.blocked", { name: person.name }));
  }
  return (
    <>
      <button type="button" class="quiet item" onClick={() => void turn()}>
        <Icon name="block" />
        {blocked ? t("safety.unblock") : t("safety.block")}
      </button>
      <button
        type="button"
        class="quiet item"
        onClick={() => {
          done();
          reporting.value = { person, message };
        }}
      >
        <Icon name="flag" />
        {message === undefined ? t("safety.report") : t("safety.report_message")}
      </button>
    </>
  );
}

/** A name that opens these choices. */
export function NameButton({ person, message, kind = "" }: { person: PersonInfo; message?: Message; kind?: string }) {
  if (person.id === me.value?.id) return <span class={`who ${kind}`}>{person.name}</span>;
  return (
    <button
      type="button"
      class={`who ${kind}`}
      aria-haspopup="dialog"
      title={t("lobby.choices", { name: person.name })}
      onClick={() => {
        about.value = { person, message };
      }}
    >
      {person.name}
    </button>
  );
}

/** A small button beside a name that opens these choices. */
export function MoreButton({ person }: { person: PersonInfo }) {
  if (person.id === me.value?.id) return null;
  return (
    <button
      type="button"
      class="more"
      aria-haspopup="dialog"
      aria-label={t("lobby.choices", { name: person.name })}
      onClick={() => {
        about.value = { person };
      }}
    >
      <Icon name="more" />
    </button>
  );
}

export function PersonDialog() {
  if (!about.value) return null;
  const { person, message } = about.value;
  const close = (): void => {
    about.value = null;
  };
  return (
    <Dialog title={nameOf(person)} close={close}>
      <div class="stack choices">
        {message !== undefined && <blockquote class="quote">{message.msg}</blockquote>}
        <a class="button quiet item" href={`/people/${person.id}`} onClick={close}>
          <Icon name="list" />
          {t("lobby.look")}
        </a>
        <PersonActions person={person} message={message} done={close} />
      </div>
    </Dialog>
  );
}
