// Something from the server for a page: undefined while it is coming, null when it is not to be had.

import { useEffect, useState } from "preact/hooks";
import { get } from "../net/connection";

export function useLoaded<T>(path: string): [T | null | undefined, () => void] {
  const [found, setFound] = useState<{ path: string; value: T | null }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let here = true;
    get<T>(path).then(
      (value) => here && setFound({ path, value }),
      () => here && setFound({ path, value: null }),
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
  ];
}
