// Addresses: what the page shows follows from location.pathname.

import { signal } from "@preact/signals";

export type Route =
  | { page: "front" | "lobby" | "watch" | "login" | "password" | "token" | "second" | "me" | "lost" }
  | { page: "operator"; part: string }
  | { page: "room" | "local" | "replay" | "analysis" | "person"; id: string }
  | { page: "learn" | "best" | "archive"; game: string };

export function read(path: string): Route {
  const [first = "", second = "", ...more] = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (more.length === 0) {
    if (first === "") return { page: "front" };
    if (first === "lobby" && !second) return { page: "lobby" };
    if (first === "watch" && !second) return { page: "watch" };
    if (first === "r" && second) return { page: "room", id: second };
    if (first === "local" && second) return { page: "local", id: second };
    if (first === "replay") return { page: "replay", id: second };
    if (first === "analysis" && second) return { page: "analysis", id: second };
    if (first === "people" && second) return { page: "person", id: second };
    if (first === "login" && !second) return { page: "login" };
    if (first === "login" && (second === "password" || second === "token" || second === "second")) return { page: second };
    if (first === "me" && !second) return { page: "me" };
    if (first === "operator") return { page: "operator", part: second };
    if (first === "learn") return { page: "learn", game: second };
    if (first === "best" || first === "archive") return { page: first, game: second };
  }
  return { page: "lost" };
}

export const route = signal<Route>(read(globalThis.location?.pathname ?? "/"));

let before = "/me"; // where one was before logging in

/** To where one was before. */
export const goBack = (): void => go(before);

export function go(path: string): void {
  if (!["login", "password", "token", "second"].includes(route.value.page)) before = location.pathname;
  if (path !== location.pathname) history.pushState(null, "", path);
  route.value = read(path);
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
    event.preventDefault();
    go(link.pathname);
  });
}
