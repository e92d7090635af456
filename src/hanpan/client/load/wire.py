"""A bare websocket that speaks just enough Socket.IO for one namespace: hundreds of them cost one process little."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from hanpan.core.extras import needed

with needed("hanpan load", "hanpan[client]"):
    import aiohttp
    import orjson

_SILENCE = 30.0  # seconds without a sign of life after which a connection is dead: the server asks for one more often
_ANSWERED = 20.0  # seconds that connecting may take

Answer = dict[str, Any]


class Refusal(Exception):
    """The server does not let one in: a stable `code` and a sentence."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.get('code')}: {answer.get('text')}")
        self.code = str(answer.get("code", ""))


class Wire:
    """One connection to one namespace. `hear` is given each message as it came; what is sent may ask to be answered."""

    bytes = 0  # that were heard

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace
        self._event, self._answer = f'42{namespace},["', f"43{namespace},"  # how messages begin
        self._begin = len(f"42{namespace},")
        self._ws: aiohttp.ClientWebSocketResponse | None = None
        self._writing: asyncio.Task[None] | None = None
        self._unsent: list[str] = []
        self._callbacks: dict[int, Callable[[Answer], None]] = {}
        self._number = 0

    @property
    def up(self) -> bool:
        """Whether the connection stands."""
        return self._ws is not None and not self._ws.closed

    async def connect(self, session: aiohttp.ClientSession, url: str, auth: dict[str, Any]) -> None:
        """Connect; an exception of aiohttp's, OSError, TimeoutError or Refusal says why not. The address names the room, as any client's does."""
        room = f"&room={quote(auth['room'])}" if "room" in auth else ""
        self._callbacks.clear()
        self._unsent.clear()
        async with asyncio.timeout(_ANSWERED):
            timeout = aiohttp.ClientWSTimeout(ws_receive=_SILENCE, ws_close=1.0)
            self._ws = await session.ws_connect(f"{url}/socket.io/?EIO=4&transport=websocket{room}", max_msg_size=0, timeout=timeout, compress=0)
            try:
                await self._ws.receive_str()
                await self._ws.send_str(f"40{self.namespace},{orjson.dumps(auth).decode()}")
                while not (told := await self._ws.receive_str()).startswith(f"40{self.namespace},"):
                    if told.startswith(f"44{self.namespace},"):
                        raise Refusal({"code": "refused", "text": told})
            except aiohttp.WSMessageTypeError:  # it was closed meanwhile
                raise ConnectionResetError("the connection ended before one was let in") from None

    def send(self, event: str, *payload: Any, answered: Callable[[Answer], None] | None = None) -> None:
        """Send an event. Whatever is sent in one turn of the event loop is written together; what is sent to nobody is lost, as on any connection."""
        ack = ""
        if answered is not None:
            self._number += 1
            self._callbacks[self._number] = answered
            ack = str(self._number)
        self._unsent.append(f"42{self.namespace},{ack}{orjson.dumps([event, *payload]).decode()}")
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._write())

    async def _write(self) -> None:
        ws = self._ws
        while self._unsent and ws is not None and not ws.closed:
            try:
                await ws.send_str(self._unsent.pop(0))
            except (OSError, aiohttp.ClientError):  # whoever listens notices that it has ended
                return

    async def listen(self) -> None:
        """Hear everything, until the connection has ended."""
        ws = self._ws
        assert ws is not None
        try:
            async for message in ws:
                text = message.data
                if message.type is not aiohttp.WSMsgType.TEXT:
                    continue
                self.bytes += len(text)
                if text.startswith(self._event):
                    begin = self._begin + 2
                    self.hear(text[begin : text.index('"', begin)], text)
                elif text.startswith(self._answer):
                    self._hear_answer(text)
                elif text == "2":
                    await ws.send_str("3")
                elif text.startswith(f"41{self.namespace}"):
                    break
        except (OSError, aiohttp.ClientError, TimeoutError):
            pass
        finally:
            self.cut()

    def _hear_answer(self, text: str) -> None:
        begin = text.index("[")
        answered = self._callbacks.pop(int(text[len(self._answer) : begin]), None)
        if answered is not None:
            told = orjson.loads(text[begin:])
            answered(told[0] if told and isinstance(told[0], dict) else {"ok": False, "code": "no-answer"})

    def payload(self, text: str) -> Any:
        """What a message says beside its event."""
        told = orjson.loads(text[self._begin :])
        return told[1] if len(told) > 1 else None

    def hear(self, event: str, text: str) -> None:
        """An event has come; its message is read by whoever needs it."""

    def cut(self) -> None:
        """End the connection at once, as if a cable were pulled."""
        ws, self._ws = self._ws, None
        line = None if ws is None else ws._conn
        if line is not None and line.transport is not None:
            line.transport.abort()

    async def leave(self) -> None:
        """Say goodbye and disconnect."""
        ws, self._ws = self._ws, None
        if ws is not None and not ws.closed:
            try:
                await ws.send_str(f"41{self.namespace},")
                await ws.close()
            except (OSError, aiohttp.ClientError, TimeoutError):
                pass


async def be_guest(session: aiohttp.ClientSession, url: str, **more: Any) -> tuple[str, str]:
    """A new guest: their id and their token. What is asked over HTTP has no cookies of anyone else's."""
    session.cookie_jar.clear()
    headers = {**more.pop("headers", {}), "Connection": "close"}  # a server may be about to close one that was idle, and nobody sends this twice
    async with session.post(f"{url}/api/guest", headers=headers, **more) as answer:
        if answer.status >= 400:
            raise Refusal(_refusal(await answer.read(), answer.status))
        told = await answer.json()
    session.cookie_jar.clear()
    token = next(cookie.value for name, cookie in answer.cookies.items() if name in ("__Host-hanpan", "hanpan"))
    return told["person"]["id"], token


def _refusal(body: bytes, status: int) -> Answer:
    try:
        told = orjson.loads(body)
    except ValueError:
        told = None
    return told if isinstance(told, dict) and "code" in told else {"code": str(status), "text": body[:200].decode("utf-8", "replace")}


class Host(Wire):
    """Someone in the lobby who opens rooms for others."""

    def __init__(self) -> None:
        super().__init__("/lobby")
        self._ready = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    async def come(self, session: aiohttp.ClientSession, url: str) -> None:
        """Be someone, and enter the lobby."""
        _, token = await be_guest(session, url)
        await self.connect(session, url, {"token": token})
        self._listening = asyncio.create_task(self.listen())
        async with asyncio.timeout(_ANSWERED):
            await self._ready.wait()

    def hear(self, event: str, text: str) -> None:
        """One may ask once one was greeted."""
        if event == "info":
            self._ready.set()

    async def open_room(self, wanted: dict[str, Any]) -> str:
        """A new room; its id. Refusal says why not."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.send("new room", wanted, answered=lambda answer: None if answered.done() else answered.set_result(answer))
        async with asyncio.timeout(_ANSWERED):
            told = await answered
        if not told.get("ok"):
            raise Refusal(told)
        return str(told["id"])

    async def leave(self) -> None:
        """Leave the lobby: what goes on there costs whoever is told of it."""
        await super().leave()
        if self._listening is not None:
            await asyncio.gather(self._listening, return_exceptions=True)
