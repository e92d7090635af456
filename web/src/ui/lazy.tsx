// Parts of the page that few visitors open: they are fetched, all at once, when someone first opens one of them.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LoadFailed } from "./LoadFailed";
import type { OwnTextProps } from "./OwnText";
import { Skeleton } from "./Skeleton";

/** What is fetched then. Whole pages are among it, which nothing here may know: main.tsx says where they are. */
export interface LazyParts {
  Login: ComponentType;
  Password: ComponentType;
  Token: ComponentType;
  SecondStep: ComponentType;
  Prove: ComponentType<{ done: (shown: boolean) => void }>;
  Me: ComponentType;
  Analysis: ComponentType<{ id: string }>;
  Operator: ComponentType<{ part: string }>;
  ModerationTools: ComponentType<{ id: string }>;
  CloseRoom: ComponentType<{ id: string; small?: boolean }>;
  OwnText: ComponentType<OwnTextProps>;
}

let load: () => Promise<LazyParts> = () => Promise.reject(new Error("nobody has said where the lazy parts are"));

export function lazyPartsFrom(loader: () => Promise<LazyParts>): void {
  load = loader;
}

/** Fetch them before someone opens one: it will be soon. */
export const fetchAhead = (): void => void load().catch(() => undefined);

export function lazy<P extends object>(choose: (parts: LazyParts) => ComponentType<P>): ComponentType<P> {
  let known: { Part: ComponentType<P> } | null | undefined;
  return function Lazy(props: P) {
    const [found, setFound] = useState(known);
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (found) return;
      let here = true;
      load()
        .then(
          (parts) => {
            known = { Part: choose(parts) };
          },
          () => {
            known = null;
          },
        )
        .then(() => here && setFound(known));
      return () => {
        here = false;
      };
    }, [tries]);
    if (found) return <found.Part {...props} />;
    return (
      <div class="arriving" aria-busy={found === undefined}>
        {found === null ? (
          <LoadFailed
            again={() => {
              setFound(undefined);
              setTries(tries + 1);
            }}
          />
        ) : (
          <Skeleton lines={6} />
        )}
      </div>
    );
  };
}
