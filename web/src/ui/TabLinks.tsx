// Pages beside each other as links in a row; the one that is open is in sight, also where the row is longer than the window.

import { useEffect, useRef } from "preact/hooks";

/** `links`: the address and the name of each. */
export function TabLinks({ label, links, at }: { label: string; links: readonly (readonly [path: string, name: string])[]; at: string }) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    // without moving the page
    const list = row.current,
      open = list?.querySelector<HTMLElement>("[aria-current]");
    if (list && open) list.scrollTo({ left: open.offsetLeft - (list.clientWidth - open.clientWidth) / 2 });
  }, [at, links.map(([, name]) => name).join()]);
  return (
    <nav ref={row} class="game-tabs" aria-label={label}>
      {links.map(([path, name]) => (
        <a key={path} href={path} aria-current={path === at ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
