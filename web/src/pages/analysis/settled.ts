// What changes again and again while a search goes on is told aloud when it has settled.

import { useEffect } from "preact/hooks";

const STILL = 2000; // milliseconds

/** Tell a text once it has been the same for a while; at once, if it stays as it is. */
export function useSettled(text: string, stays: boolean, tell: (text: string) => void): void {
  useEffect(() => {
    const timer = setTimeout(() => tell(text), stays ? 0 : STILL);
    return () => clearTimeout(timer);
  }, [text, stays]);
}
