// Messages and a line to write: text is shown as text, whatever is in it.

import { useEffect, useRef, useState } from "preact/hooks";
import { isBlocked } from "../net/account";
import { me } from "../net/connection";
import { serverWord, t } from "../net/i18n";
import { silent } from "../net/lobby";
import type { Message } from "../net/types";
import { Face } from "./Face";
import { Icon } from "./Icon";
import { spoken } from "./Notices";
import { NameButton } from "./PersonActions";

/** What is not said by people one has blocked. */
const heardOf = (messages: Message[]): Message[] => messages.filter((message) => !isBlocked(message.who.id));

const own = (message: Message): boolean => message.who.id === me.value?.id;

/** While the messages are not `shown`, what others say is spoken; not what was said `before`. */
export function useSpokenChat(messages: Message[], before: number, shown: boolean): void {
  const told = useRef(0);
  useEffect(() => {
    const fresh = heardOf(messages.slice(Math.max(told.current, before))).filter((message) => !own(message));
    told.current = messages.length;
    if (!shown && fresh.length) spoken.value = fresh.map((message) => `${message.who.name}: ${message.msg}`).join(" ");
  }, [messages.length, before]);
}

export function Chat({ messages, send, empty }: { messages: Message[]; send: (msg: string) => Promise<boolean>; empty: string }) {
  const heard = heardOf(messages);
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [heard.length]);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const msg = text.trim();
    if (!msg) return;
    setText("");
    if (!(await send(msg))) setText((since) => since || msg); // it is still to be said
  }
  return (
    <div class="chat">
      {heard.length === 0 && !silent.value && <p class="empty">{empty}</p>}
      <div ref={list} class="messages" role="log" tabIndex={0} aria-label={t("chat.label")}>
        <ol>
          {heard.map((message, index) => (
            <li key={index} class={own(message) ? "own" : ""} aria-live={own(message) ? "off" : undefined}>
              <Face id={message.who.id} name={message.who.name} />{" "}
              <NameButton person={message.who} message={message} kind={message.spectator ? "watching" : ""} />
              {message.who.bot && (
                <span class="name-mark" title={t("name.bot")}>
                  <Icon name="bot" />
                  <span class="unseen">{t("name.bot")}</span>
                </span>
              )}{" "}
              <span class="msg">{message.msg}</span>
            </li>
          ))}
        </ol>
      </div>
      {silent.value ? (
        <p class="hint">{serverWord("server.chat-off")}</p>
      ) : (
        <form onSubmit={submit} class="row">
          <input
            value={text}
            maxLength={500}
            placeholder={t("chat.write")}
            aria-label={t("chat.write")}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="quiet" aria-disabled={!text.trim()}>
            {t("chat.send")}
          </button>
        </form>
      )}
    </div>
  );
}

const LAST = 2; // lines

/** The last lines, a way to all of them. */
export function LastSaid({ messages, open }: { messages: Message[]; open: () => void }) {
  const heard = heardOf(messages).slice(-LAST);
  if (!heard.length) return null;
  return (
    <button type="button" class="last-said" title={t("room.chat")} onClick={open}>
      {heard.map((message, index) => (
        <span key={index}>
          <b>{message.who.name}</b> {message.msg}
        </span>
      ))}
    </button>
  );
}
