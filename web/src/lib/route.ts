// Addresses: what the page shows follows from location.pathname.

import { signal } from "@preact/signals";
import { type Route, read } from "./address";
import { focusable } from "./focus";

export const route = signal<Route>(read(globalThis.location?.pathname ?? "/"));

let before = "/me"; // where one was before logging in

/** To where one was before. */
export const goBack = (): void => go(before);

let anew: (next: Route) => boolean = () => false;

/** On the way to some addresses the page is loaded anew. */
export function loadAnewIf(asked: (next: Route) => boolean): void {
  anew = asked;
}

export function go(path: string): void {
  if (path !== location.pathname && anew(read(path))) return location.assign(path);
  if (!["login", "password", "token", "second"].includes(route.value.page)) before = location.pathname;
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  route.value = read(location.pathname);
  scrollTo(0, 0);
}

/** Links within the page do not load it anew. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    route.value = read(location.pathname);
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a[href]") as HTMLAnchorElement | null;
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      link.target ||
      link.hasAttribute("download")
    )
      return;
    if (link.origin !== location.origin || read(link.pathname).page === "lost") return;
    if (link.hash && link.pathname + link.search === location.pathname + location.search) {
      const place = document.getElementById(link.hash.slice(1));
      return place ? focusable(place) : undefined; // the browser goes there by itself, if it can be focused
    }
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
