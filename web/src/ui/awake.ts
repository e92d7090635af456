// Whether pictures need to move: someone has been here within the last minute, and the picture can be seen.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";

const MINUTE = 60_000;
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll", "focus"];

/** Whether someone seems to sit before the page. */
const someone = signal(true);
let last = 0,
  users = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function look(): void {
  timer = undefined;
  const left = document.hidden ? 0 : last + MINUTE - Date.now();
  if (left <= 0) someone.value = false;
  else timer = setTimeout(look, left);
}

function noticed(): void {
  if (document.hidden) return look();
  last = Date.now();
  someone.value = true;
  timer ??= setTimeout(look, MINUTE);
}

function attend(): () => void {
  if (users++ === 0) {
    for (const sign of SIGNS) addEventListener(sign, noticed, { passive: true, capture: true });
    document.addEventListener("visibilitychange", noticed);
    noticed();
  }
  return () => {
    if (--users > 0) return;
    for (const sign of SIGNS) removeEventListener(sign, noticed, { capture: true });
    document.removeEventListener("visibilitychange", noticed);
    clearTimeout(timer);
    timer = undefined;
  };
}

/** A reference for an element, and whether it is worth moving right now. */
export function useAwake(): [(node: HTMLElement | null) => void, boolean] {
  const [seen, setSeen] = useState(false);
  const watcher = useRef<IntersectionObserver | null>(null);
  const attach = useRef((node: HTMLElement | null): void => {
    watcher.current?.disconnect();
    if (!node) return;
    watcher.current = new IntersectionObserver((entries) => setSeen(entries[entries.length - 1]?.isIntersecting ?? false));
    watcher.current.observe(node);
  });
  useEffect(attend, []);
  return [attach.current, seen && someone.value];
}
