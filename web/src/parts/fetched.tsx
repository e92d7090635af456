// Parts of the page that are fetched when someone first opens one of them (apart.ts).

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Broken } from "./Broken";
import { Bones } from "./Empty";

type Apart = typeof import("../apart");

export function fetched<P extends object>(choose: (apart: Apart) => ComponentType<P>): ComponentType<P> {
  let known: { Part: ComponentType<P> } | null | undefined;
  return function Fetched(props: P) {
    const [found, setFound] = useState(known);
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (found) return;
      let here = true;
      import("../apart").then((apart) => { known = { Part: choose(apart) }; }, () => { known = null; }).then(() => here && setFound(known));
      return () => { here = false; };
    }, [tries]);
    if (found) return <found.Part {...props} />;
    return <div class="arriving" aria-busy={found === undefined}>{found === null ? <Broken again={() => { setFound(undefined); setTries(tries + 1); }} /> : <Bones lines={6} />}</div>;
  };
}
