"""A computer player that plays on a server far away, through the bot API: it goes where it is invited, sits down and plays."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import quote, urlsplit

import aiohttp

from hanpan.bots import Bot
from hanpan.core.reading import quoted
from hanpan.game import game

_AGAIN = (0.1, 5.0)  # seconds between tries to connect again: at first, and at most
_SILENCE = 20.0  # seconds without a sign of life after which a connection is dead
_TOKEN = re.compile(r"[\w.~+/=-]+", re.ASCII)
_NEWS = "application/x-ndjson"
_PASSING = (408, 425, 429)  # what is the caller's fault, and passes by itself


class BotRefused(Exception):
    """The server refused a request: a stable `code` and a sentence."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(f"{answer.get('code')}: {answer.get('text')}")
        self.code = str(answer.get("code", ""))


class NoServer(Exception):
    """This is no address, or someone answers there, but not as a Hanpan server does."""


class BotConnection:
    """A bot's connection to a server: news in their order, each once, and requests that are repeated until they are answered. Lost connections come back.

    `tell` is told when the server can't be reached, and when it answers then.
    """

    def __init__(self, server: str, token: str, tell: Callable[[str], None] = lambda line: None) -> None:
        _check_address(server)
        self._server, self._tell = server.rstrip("/"), tell
        self._headers = {"Authorization": f"Bearer {token}"}
        self._found = False  # whether it was ever there
        self._open = False
        self._away = False  # whether that was told
        self.cursor = ""

    async def news(self) -> AsyncIterator[dict[str, Any]]:
        """All news, for ever. BotRefused if the token opens nothing, NoServer if that is no server."""
        pause, most = _AGAIN
        while True:
            self._open = False
            try:
                async for line in self._stream():
                    pause = _AGAIN[0]
                    told = json.loads(line)
                    self.cursor = told["cursor"]
                    yield told
            except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as wrong:
                if not self._open and not self._away:
                    self._away = True
                    self._tell(f"{self._server} can't be reached ({str(wrong) or type(wrong).__name__}). Trying again until it can.")
            await asyncio.sleep(pause)
            pause = min(most, 2 * pause)

    async def _stream(self) -> AsyncIterator[bytes]:
        timeout = aiohttp.ClientTimeout(total=None, sock_read=_SILENCE, sock_connect=10)
        opened = aiohttp.ClientSession(headers=self._headers, timeout=timeout, read_bufsize=1 << 20)
        async with opened as session, session.get(f"{self._server}/api/bot/events", params={"cursor": self.cursor}) as answer:
            await self._check(answer)
            async for line in answer.content:
                if line.endswith(b"\n") and line.strip():  # a line that was cut will come again
                    yield line

    async def _check(self, answer: aiohttp.ClientResponse) -> None:
        """What comes are news; else it is told by an exception why not."""
        if answer.status in (401, 403) and answer.content_type == "application/json":
            raise BotRefused(await answer.json())
        if answer.content_type != _NEWS and answer.status < 500 and answer.status not in _PASSING and not self._found:
            raise NoServer(f"no Hanpan server answers at {self._server} ({answer.status} {answer.reason})")
        answer.raise_for_status()
        if answer.content_type != _NEWS:
            raise aiohttp.ClientPayloadError(f"{answer.content_type} instead of news")
        self._found = self._open = True
        if self._away:
            self._away = False
            self._tell(f"{self._server} answers now.")

    async def request(self, path: str, **payload: Any) -> dict[str, Any]:
        """Send a request (`rooms/ID/play`, `lobby/send-msg` …). While no answer comes it is repeated: it counts once."""
        key, pause = uuid.uuid4().hex, _AGAIN[0]
        headers = {**self._headers, "Idempotency-Key": key}
        while True:
            try:
                opened = aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(total=30))
                async with opened as session, session.post(f"{self._server}/api/bot/{path}", json=payload) as answer:
                    told: dict[str, Any] = await answer.json()
                if answer.status < 400:
                    return told
                if answer.status not in (429, 503) and told.get("code") != "no-stream":  # then the connection is being opened again
                    raise BotRefused(told)
            except (aiohttp.ClientError, OSError, TimeoutError, ValueError):
                pass
            await asyncio.sleep(pause)
            pause = min(_AGAIN[1], 2 * pause)


class RemoteBot:
    """Plays one game at one level wherever it is invited."""

    def __init__(self, connection: BotConnection, name: str, level: int, seconds: float | None = None, seed: int = 0) -> None:
        self._connection, self._name, self._seconds = connection, game(name).name, seconds
        self._bot = Bot(name, level, seed=seed, megabytes=64)
        self._me = ""
        self._rooms: dict[str, dict[str, Any]] = {}  # what is known of each room: event → its last payload
        self._thinking = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, room: str | None = None) -> None:
        """Play for ever; with a room (its id, or its link), go there first."""
        if room is not None:
            self._later(self._request(quote(room.rstrip("/").rpartition("/")[2]), "enter"))
        async for told in self._connection.news():
            self.hear(told["event"], told["room"], told["data"])

    def hear(self, event: str, room: str | None, data: dict[str, Any]) -> None:
        """One piece of news."""
        if event == "account":
            self._me, self._rooms = data["person"]["id"], {}
        elif event == "recieved invitation" and data["room"]["game"] == self._name:
            self._later(self._request(data["room"]["id"], "enter"))
        elif room is not None:
            self._rooms.setdefault(room, {})[event] = data
            if event in ("player info", "info", "config updated"):
                self._sit_down(room)
            elif event == "ready timer" and self._rooms[room].get("board info", {}).get("paused"):  # the next part of the game waits for everyone
                self._later(self._request(room, "set-ready"))
            elif event == "private board info":
                self._later(self._play(room, data))
            elif event in ("offer draw", "ask takeback") and data["state"] == "asked":
                self._later(self._request(room, event.replace("offer", "answer").replace("ask", "answer").replace(" ", "-"), yes=False))
            elif event == "rematch" and data["state"] == "asked" and not self._holds(room, data["seat"]):
                self._later(self._request(room, "rematch"))

    def _seats(self, room: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._rooms[room].get("player info", {}).get("seats", [])
        return found

    def _holds(self, room: str, seat: int) -> bool:
        return any(s["seat"] == seat and (s["person"] or {}).get("id") == self._me for s in self._seats(room))

    def _sit_down(self, room: str) -> None:
        """Take a free seat, and be ready, in a room of the own game."""
        info = self._rooms[room].get("config updated") or self._rooms[room].get("info") or {}
        if info.get("game") != self._name:
            return
        mine = [seat for seat in self._seats(room) if (seat["person"] or {}).get("id") == self._me]
        free = [seat["seat"] for seat in self._seats(room) if seat["person"] is None and seat.get("bot") is None]
        if not mine and free:
            self._later(self._request(room, "sit-on", seat=free[0]))
        elif mine and not mine[0]["ready"] and "board info" not in self._rooms[room]:
            self._later(self._request(room, "set-ready"))

    async def _play(self, room: str, seen: dict[str, Any]) -> None:
        """Think and play, if it is one's turn and stays so."""
        if not self._to_act(room, seen):
            return
        info = self._rooms[room].get("config updated") or self._rooms[room]["info"]
        state = game(self._name, **info["options"]).parse(seen["position"], seen["seat"])
        async with self._thinking:
            if self._to_act(room, seen):
                action = await asyncio.to_thread(self._bot.choose, state, self._seconds)
                await self._request(room, "play", ply=seen["ply"], action=action, game_id=self._rooms[room]["board info"]["game_id"])

    def _to_act(self, room: str, seen: dict[str, Any]) -> bool:
        board = self._rooms[room].get("board info", {})
        return bool(seen["legal"]) and not board.get("over", True) and (board["ply"], board["seat"]) == (seen["ply"], seen["seat"])

    async def _request(self, room: str, what: str, **payload: Any) -> None:
        try:
            await self._connection.request(f"rooms/{room}/{what}", **payload)
        except BotRefused as refused:  # someone was quicker, or does not want it: the next news tell how things stand
            print(f"{what} in {room}: {refused}", flush=True)

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def play_far_away(server: str, token: str, name: str, level: int, room: str | None = None, seconds: float | None = None) -> None:
    """Play on a server until stopped. ValueError if that is no server, or the token opens nothing there."""
    if not _TOKEN.fullmatch(token):
        raise ValueError(f"--token: {quoted(token[:3])} … is no token: these have letters, digits, - and _" if token else "--token: which one?")
    try:
        await RemoteBot(BotConnection(server, token, lambda line: print(line, flush=True)), name, level, seconds).run(room)
    except NoServer as wrong:
        raise ValueError(f"--server: {wrong}") from None
    except BotRefused as refused:
        raise ValueError(f"--token: {refused}") from None


def _check_address(server: str) -> None:
    """NoServer if that is not where one could be."""
    try:
        parts = urlsplit(server)
        possible = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0  # a port that is none is a ValueError
    except ValueError:
        possible = False
    if not possible:
        raise NoServer(f"{quoted(server)} is not an address like https://games.example.org")
