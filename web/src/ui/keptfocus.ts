// The focus of whoever works by keyboard: when what has it goes away (a button that was pressed), the next thing there takes it.

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { afterPaint } from "../lib/afterpaint";
import { focusOn } from "../lib/focus";

/** `nexts`: what takes it, the first that is there, now or soon. */
export function useKeptFocus(page: RefObject<HTMLElement | null>, nexts: readonly string[]): void {
  useEffect(() => {
    const room = page.current;
    if (!room) return;
    let last: Element | null = null; // where the keyboard led to
    const came = (event: Event): void => {
      const on = event.target as Element;
      last = room.contains(on) && on.matches(":focus-visible") ? on : null;
    };
    const pointed = (): void => {
      last = null;
    };
    const keep = (): void => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const next = nexts.map((each) => document.querySelector<HTMLElement>(each)).find((found) => found !== null);
      if (next) focusOn(next);
    };
    const watch = new MutationObserver(() => {
      if (last && !last.isConnected) afterPaint("focus", keep); // where one enters a board is known by then
    });
    watch.observe(room, { subtree: true, childList: true });
    document.addEventListener("focusin", came);
    document.addEventListener("pointerdown", pointed, true);
    return () => {
      watch.disconnect();
      document.removeEventListener("focusin", came);
      document.removeEventListener("pointerdown", pointed, true);
    };
  }, []);
}
