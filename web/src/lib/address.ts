// Which page an address shows.

export type Route =
  | { page: "front" | "lobby" | "watch" | "login" | "password" | "token" | "second" | "me" | "lost" }
  | { page: "operator"; part: string }
  | { page: "room" | "local" | "replay" | "analysis" | "person"; id: string }
  | { page: "learn" | "best" | "archive"; game: string };

export function read(path: string): Route {
  let parts: string[];
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return { page: "lost" }; // a per cent sign that stands for nothing
  }
  const [first = "", second = "", ...more] = parts;
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
