// Asked back before what can't be undone: the question is told with its first answer, which has the focus; a no leads back to where one was.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useEscape } from "../../lib/escape";

const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** What is asked back about, if anything; what a button needs that asks; and the answers. */
export function useAskBack<What extends string>() {
  const [asked, setAsked] = useState<What | null>(null);
  const [left, setLeft] = useState<What | null>(null);
  const answer = (to: What | null) => (): void => {
    setAsked(null);
    setLeft(to);
  };
  const asks = (what: What) => ({ ref: left === what ? focus : undefined, onClick: () => setAsked(what) });
  return { asked, asks, yes: answer(null), no: answer(asked) };
}

export function AskBack({ question, yes, no, act, leave }: { question: string; yes: string; no: string; act: () => void; leave: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const id = useId();
  useEscape(true, leave);
  useEffect(() => focus(host.current?.querySelector("button") ?? null), []);
  const held = (event: KeyboardEvent): void => {
    if (event.repeat) event.preventDefault(); // the key that asked is still down: no answer
  };
  return (
    <div ref={host} class="row wrap ask-back" role="alertdialog" aria-labelledby={id} onKeyDown={held}>
      <span id={id}>{question}</span>
      <button type="button" class="bad" onClick={act}>
        {yes}
      </button>
      <button type="button" class="quiet" onClick={leave}>
        {no}
      </button>
    </div>
  );
}
