"""Whoever attacks: people at many addresses, requests, and sockets that keep no rule. Forwarding headers stand for the addresses."""

import asyncio
import json
import socket
from collections import Counter
from contextlib import suppress
from urllib.parse import urlsplit

import aiohttp

from hanpan.client.load.wire import Refusal, be_guest


class RawSocket:
    """A websocket that speaks Socket.IO as it likes, and reads only to count."""

    def __init__(self, ws) -> None:
        self.ws = ws
        self.heard: Counter = Counter()  # events, by name; refusals by their code
        self.answers: dict[int, dict] = {}
        self.last: dict[str, dict] = {}
        self._number = 0
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.ws:
            text = message.data
            if text == "2":
                await self.ws.send_str("3")
            elif text[:2] in ("42", "43", "44"):
                self._hear(text)

    def _hear(self, text: str) -> None:
        begin = text.find("[")
        if begin < 0:
            return
        if text[1] == "3":
            number = text[2:begin].rpartition(",")[2]
            self.answers[int(number)] = (json.loads(text[begin:]) or [{}])[0]
            return
        if len(text) < 4000:
            event, *payload = json.loads(text[begin:])
            self.heard[payload[0]["code"] if event == "invalid action" else event] += 1
            self.last[event] = payload[0] if payload else {}
        else:
            self.heard[text[begin + 2 : text.index('"', begin + 2)]] += 1

    async def send(self, text: str) -> None:
        await self.ws.send_str(text)

    async def join(self, namespace: str, auth: dict) -> None:
        await self.send(f"40{namespace},{json.dumps(auth)}")

    async def emit(self, namespace: str, event: str, *payload: object) -> None:
        await self.send(f"42{namespace},{json.dumps([event, *payload])}")

    async def call(self, namespace: str, event: str, payload: dict, patience: float = 30.0) -> dict:
        """Send a request and wait for its answer."""
        self._number += 1
        number = self._number
        await self.send(f"42{namespace},{number}{json.dumps([event, payload])}")
        await self.until(lambda: number in self.answers, patience)
        return self.answers.pop(number)

    async def until(self, condition, patience: float = 30.0) -> None:
        async with asyncio.timeout(patience):
            while not condition():
                if self.reading.done():
                    raise ConnectionError("closed")
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        with suppress(Exception):
            await self.ws.close()
        self.reading.cancel()


class Enemy:
    """Everything that one attacker has."""

    def __init__(self, url: str) -> None:
        self.url = url
        parts = urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.codes: Counter = Counter()  # how requests were answered
        self._connections: list[RawSocket] = []
        self._sockets: list[socket.socket] = []
        self._numbers = iter(range(1, 60_000))

    async def __aenter__(self) -> "Enemy":
        self.session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, force_close=False), cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(60)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.retreat()
        await self.session.close()

    async def retreat(self) -> None:
        """Give up every connection."""
        for line in self._connections:
            await line.close()
        for line in self._sockets:
            line.close()
        self._connections.clear()
        self._sockets.clear()

    def address(self) -> str:
        """One more address: each a network of its own."""
        number = next(self._numbers)
        return f"203.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    async def ask(self, method: str, path: str, address: str, **more) -> tuple[int, bytes]:
        """One request; its status and body."""
        headers = {"X-Forwarded-For": address} | more.pop("headers", {})
        try:
            async with self.session.request(method, self.url + path, headers=headers, **more) as answer:
                body = await answer.read()
        except (aiohttp.ClientError, OSError, TimeoutError):
            self.codes["lost"] += 1
            return 0, b""
        self.codes[answer.status] += 1
        return answer.status, body

    async def guest(self, address: str) -> str | None:
        """The token of a new guest; None where there are too many."""
        try:
            return (await be_guest(self.session, self.url, headers={"X-Forwarded-For": address}))[1]
        except Refusal:
            return None

    async def line(self, address: str) -> RawSocket:
        """A websocket from an address."""
        ws = await self.session.ws_connect(f"{self.url}/socket.io/?EIO=4&transport=websocket", headers={"X-Forwarded-For": address}, max_msg_size=0)
        self._connections.append(RawSocket(ws))
        return self._connections[-1]

    async def lobby(self, address: str, token: str) -> RawSocket:
        """Someone in the lobby."""
        line = await self.line(address)
        await line.join("/lobby", {"token": token})
        await line.until(lambda: line.heard["info"])
        return line

    async def room(self, address: str, token: str, **request: object) -> tuple[RawSocket, str]:
        """Someone in a room of their own."""
        lobby = await self.lobby(address, token)
        told = await lobby.call("/lobby", "new room", {"game": "tictactoe", **request})
        if not told["ok"]:
            raise PermissionError(told["code"])
        await lobby.join("/room", {"token": token, "room": told["id"], **({"password": request["password"]} if "password" in request else {})})
        await lobby.until(lambda: lobby.heard["player info"])
        return lobby, told["id"]

    async def bare(self, narrow: bool = False) -> socket.socket:
        """A connection without any protocol."""
        line = socket.socket()
        if narrow:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, (self.host, self.port))
        self._sockets.append(line)
        return line

    async def upgraded(self, address: str, extensions: str = "", narrow: bool = False) -> tuple[socket.socket, str]:
        """A websocket as bytes; and what the server answered to the request for it."""
        line, loop = await self.bare(narrow), asyncio.get_running_loop()
        request = [
            "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1", f"Host: {self.host}:{self.port}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", f"X-Forwarded-For: {address}",
            *([f"Sec-WebSocket-Extensions: {extensions}"] if extensions else []),
        ]  # fmt: skip
        await loop.sock_sendall(line, ("\r\n".join(request) + "\r\n\r\n").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            more = await asyncio.wait_for(loop.sock_recv(line, 4096), 30)
            if not more:
                break
            answer += more
        return line, answer.decode("latin-1")

    async def pour(self, line: socket.socket, data: bytes, patience: float = 10.0) -> bool:
        """Send everything, unless the other side hangs up or takes nothing any more; whether all was taken."""
        try:
            await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(line, data), patience)
            return True
        except (OSError, TimeoutError):
            return False

    async def hung_up(self, line: socket.socket, patience: float = 10.0) -> bool:
        """Whether the other side ends the connection in time."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(patience):
                while await loop.sock_recv(line, 65_536):
                    pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True


def frame(opcode: int, data: bytes, fin: bool = True, compressed: bool = False) -> bytes:
    """A websocket frame from a client, masked with nothing."""
    first = opcode | (0x80 if fin else 0) | (0x40 if compressed else 0)
    size = len(data)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big") if size < 65_536 else b"\xff" + size.to_bytes(8, "big")
    return bytes([first]) + length + bytes(4) + data
