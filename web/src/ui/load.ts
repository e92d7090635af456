// Something from the server for a page: undefined while it is coming, null when it is not to be had; how to ask again, and whether there is no such thing.

import { useEffect, useState } from "preact/hooks";
import { get, Unanswered } from "../net/connection";

export function useLoaded<T>(path: string): [T | null | undefined, () => void, boolean] {
  const [found, setFound] = useState<{ path: string; value: T | null; missing?: boolean }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let here = true;
    get<T>(path).then(
      (value) => here && setFound({ path, value }),
      (wrong) => here && setFound({ path, value: null, missing: wrong instanceof Unanswered && wrong.status === 404 }),
    );
    return () => {
      here = false;
    };
  }, [path, tries]);
  return [
    found?.path === path ? found.value : undefined,
    () => {
      setFound(undefined);
      setTries(tries + 1);
    },
    found?.path === path && Boolean(found.missing),
  ];
}
