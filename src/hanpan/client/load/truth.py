"""What a server has in the end, of the games and people of a load: asked over HTTP. A history ends with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Any

from hanpan.client.load.history import Event
from hanpan.core.extras import needed

with needed("hanpan load", "hanpan[client]"):
    import aiohttp

_AT_ONCE = 8  # requests
_TRIES = 60
_PAUSE = 1.0  # seconds between two tries, where the server is away or has enough of us


class NoTruth(Exception):
    """The server does not say what it has."""


def spoken_of(history: Iterable[Event]) -> tuple[set[str], set[tuple[str, str]]]:
    """The games that a history speaks of; and its people, each with the game at which they have a rating."""
    games: set[str] = set()
    people: set[tuple[str, str]] = set()
    name = ""
    for event in history:
        match event["e"]:
            case "load":
                name = event["plan"]["game"]
            case "answer" | "saw" | "over":
                games.add(event["game"])
            case "connect" if event["seat"] is not None:
                people.add((event["person"], name))
    return games, people


async def fetch(servers: tuple[str, ...], games: Collection[str], people: Collection[tuple[str, str]], tell: Callable[[int, int], None]) -> list[Event]:
    """The lines `game` and `rating` of these games, and of these people at these games; `tell` is told how many of them are done.

    - `game`: `id`, `game`, `options`, `time`, `rated`, `counted`, `people` (who began on each seat), `result`, `ended`, `actions`, `ledger` (for each action
      `seat`, `at`, `charged`, `forgiven`, `forced`), and `hidden`: it still runs, so that its actions are told as everyone may know them. Without `actions`:
      there is no such game.
    - `rating`: `person`, `game`, and `steps`, each with `game_id`, `before` and `after`, oldest first; `value` and `games`, where a database tells them.
    """
    several, done, count = asyncio.Semaphore(_AT_ONCE), 0, len(games) + len(people)

    async def one(work: Any) -> Event:
        nonlocal done
        async with several:
            found: Event = await work
        done += 1
        tell(done, count)
        return found

    async with aiohttp.ClientSession() as session:
        ask = _Asker(session, servers)
        wanted = [_game(ask, id) for id in sorted(games)] + [_rating(ask, *who) for who in sorted(people)]
        return list(await asyncio.gather(*map(one, wanted)))


class _Asker:
    def __init__(self, session: aiohttp.ClientSession, servers: tuple[str, ...]) -> None:
        self._session, self._servers = session, servers

    async def __call__(self, path: str) -> Any:
        """The answer; None if there is no such thing."""
        said = ""
        for number in range(_TRIES):
            server = self._servers[number % len(self._servers)]
            try:
                async with self._session.get(server + path) as answer:
                    if answer.status == 404:
                        return None
                    if answer.status < 400:
                        return await answer.json()
                    said = f"{server}{path}: {answer.status} {(await answer.text())[:200]}"
                    if answer.status not in (429, 500, 502, 503, 504):
                        break
            except (OSError, aiohttp.ClientError, TimeoutError) as wrong:
                said = f"{server}{path}: {wrong or type(wrong).__name__}"
            await asyncio.sleep(_PAUSE)
        raise NoTruth(said)


async def _game(ask: _Asker, id: str) -> Event:
    record, ledger, line = await ask(f"/api/records/{id}.json"), await ask(f"/api/records/{id}/ledger"), await ask(f"/api/records/{id}")
    if line is None or record is None or ledger is None:
        return {"e": "game", "id": id}
    running = bool(record.get("running"))
    if running and line["ended_at"] is not None:  # just now
        return await _game(ask, id)
    actions = [told["action"] for told in record["actions"]] if running else record["actions"]
    people = [who.get("first") or who.get("person") for who in line["people"]]
    return {
        "e": "game", "id": id, "game": line["game"], "options": line["options"], "time": line["settings"]["time"], "rated": line["rated"],
        "counted": line["counted"], "people": people, "result": line["result"], "ended": line["ended_at"] is not None, "actions": actions,
        "ledger": [{name: row[name] for name in ("seat", "at", "charged", "forgiven", "forced")} for row in ledger[: len(actions)]], "hidden": running,
    }  # fmt: skip


async def _rating(ask: _Asker, person: str, game: str) -> Event:
    steps = await ask(f"/api/people/{person}/ratings/{game}") or []
    return {"e": "rating", "person": person, "game": game, "steps": [{name: step[name] for name in ("game_id", "before", "after")} for step in steps]}
