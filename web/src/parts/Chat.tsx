// Messages and a line to write: text is shown as text, whatever is in it.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { me } from "../net";
import type { Message } from "../types";

export function Chat({ messages, send, empty }: { messages: Message[]; send: (msg: string) => Promise<unknown>; empty: string }) {
  const [text, setText] = useState("");
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => { list.current?.scrollTo(0, list.current.scrollHeight); }, [messages.length]);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const msg = text.trim();
    if (!msg) return;
    setText("");
    await send(msg);
  }
  return (
    <div class="chat">
      {messages.length === 0 && <p class="empty">{empty}</p>}
      <ol ref={list} class="messages" tabIndex={0} aria-label={t("chat.label")}>
        {messages.map((message, index) => (
          <li key={index} class={message.who.id === me.value?.id ? "own" : ""}>
            <span class={`who${message.spectator ? " watching" : ""}`}>{message.who.name}</span> <span class="msg">{message.msg}</span>
          </li>
        ))}
      </ol>
      <form onSubmit={submit} class="row">
        <input value={text} maxLength={500} placeholder={t("chat.write")} aria-label={t("chat.write")} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="quiet" disabled={!text.trim()}>{t("chat.send")}</button>
      </form>
    </div>
  );
}
