// Telling the operators about a person or a message.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { route } from "../lib/route";
import { ask } from "../net/connection";
import { t } from "../net/i18n";
import { tell } from "../net/lobby";
import { attempt } from "../net/start";
import type { Message, PersonInfo } from "../net/types";
import { Dialog } from "./Dialog";

/** Whom one is about to report, and for which message. */
export const reporting = signal<{ person: PersonInfo; message?: Message } | null>(null);

export function ReportDialog() {
  return reporting.value && <Form {...reporting.value} />;
}

function Form({ person, message }: { person: PersonInfo; message?: Message }) {
  const [text, setText] = useState("");
  const close = (): void => {
    reporting.value = null;
  };
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const here = route.value;
    const said = message?.id ? { message_id: message.id } : { message: message?.msg.slice(0, 1000) }; // in a room it is quoted from what is kept there
    const report = { about: person.id, text, ...said, room: here.page === "room" && !("message" in said && said.message) ? here.id : undefined };
    if (!(await attempt("", () => ask("POST", "/api/reports", report)))) return;
    close();
    tell(t("safety.reported"));
  }
  return (
    <Dialog title={t("safety.report_title", { name: person.name })} close={close}>
      <form class="stack choices" onSubmit={submit}>
        {message !== undefined && <blockquote class="quote">{message.msg}</blockquote>}
        <label class="field">
          {t("safety.what")}
          <textarea rows={4} maxLength={1000} required={message === undefined} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <small>{t("safety.what_help")}</small>
        </label>
        <button type="submit" class="main">
          {t("safety.send")}
        </button>
      </form>
    </Dialog>
  );
}
