// How much room there is, told again when it changes.

import { useEffect, useState } from "preact/hooks";

export function useMedia(query: string): boolean {
  const [met, setMet] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = (): void => setMet(media.matches);
    changed();
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return met;
}
