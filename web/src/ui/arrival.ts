// On another page the focus goes to its heading, as soon as it is there: whoever can't see the page hears where they are.

import { useEffect, useRef } from "preact/hooks";
import { focusOn } from "../lib/focus";

export function useArrival(path: string): void {
  const loaded = useRef(false);
  useEffect(() => {
    if (!loaded.current) {
      loaded.current = true; // the browser tells of a page that it loads
      return;
    }
    const from = document.activeElement;
    const look = (): void => {
      const heading = document.querySelector<HTMLElement>("main:not([aria-busy=true]) h1");
      if (!heading) return;
      watch.disconnect();
      const on = document.activeElement;
      if ((on === from || on === document.body) && !on?.matches("input, textarea, select")) focusOn(heading); // else one has begun to do something there
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-busy"] });
    look();
    return () => watch.disconnect();
  }, [path]);
}
