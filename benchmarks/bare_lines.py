"""Connections for benchmarks/memory.py that cost next to nothing: a thousand of them hear a message within milliseconds, so what is measured is the server."""

import asyncio
import time
from urllib.parse import urlsplit

import orjson

HEAD = (
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0\r\n"
    "Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n\r\n"
)
PATIENT = 60.0  # seconds until an answer


def masked(text):
    """A text in a frame as clients send it, under the mask of zeros, which changes nothing."""
    data = text.encode()
    size = bytes((0x80 | len(data),)) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2)
    return b"\x81" + size + b"\0\0\0\0" + data


class Line(asyncio.Protocol):
    """One connection to one namespace. `hear` is given each event's name, its message and the moment when it came."""

    def __init__(self, url, namespace, cookie=""):
        self.host, self.namespace, self.cookie = urlsplit(url).netloc, namespace, cookie
        self._begin = "42" if namespace == "/" else f"42{namespace},"
        self._data, self._upgraded, self._numbers = b"", False, 0
        self._waiting, self._answers = {}, {}
        self.transport, self.lost = None, False
        self.hear = lambda event, text, at: None

    async def open(self, **auth):
        """Connect and come in; what was told first of all."""
        name, _, port = self.host.partition(":")
        entered = self.wait("entered")
        await asyncio.get_running_loop().create_connection(lambda: self, name, int(port))
        self.transport.write(HEAD.format(host=self.host, cookie=self.cookie).encode())
        self._auth = f"40{'' if self.namespace == '/' else f'{self.namespace},'}{orjson.dumps(auth).decode()}"
        await entered
        return self

    def wait(self, event):
        """What is told when an event comes next."""
        self._waiting[event] = asyncio.get_running_loop().create_future()
        return asyncio.wait_for(self._waiting[event], PATIENT)

    async def ask(self, event, payload):
        """Ask; the answer."""
        self._numbers += 1
        answer = self._answers[self._numbers] = asyncio.get_running_loop().create_future()
        self.send(f"{self._begin}{self._numbers}{orjson.dumps([event, payload]).decode()}")
        told = await asyncio.wait_for(answer, PATIENT)
        if not told.get("ok"):
            raise SystemExit(f"{event}: {told}")
        return told

    def send(self, text):
        """Send a packet."""
        self.transport.write(masked(text))

    def close(self):
        """Be gone."""
        self.transport.abort()

    # --- as asyncio calls it ---

    def connection_made(self, transport):
        """It stands."""
        self.transport = transport

    def connection_lost(self, exc):
        """It has ended."""
        self.lost = True

    def data_received(self, data):
        """Some bytes: whole frames are heard."""
        at = time.perf_counter()
        data = self._data + data
        if not self._upgraded:
            if (end := data.find(b"\r\n\r\n")) < 0:
                self._data = data
                return
            if b" 101 " not in data[:end].partition(b"\r\n")[0]:
                raise SystemExit(f"no websocket: {data[:end].decode('latin-1')}")
            self._upgraded, data = True, data[end + 4 :]
        while len(data) >= 2:
            size, begin = data[1], 2
            if size == 126:
                size, begin = int.from_bytes(data[2:4]), 4
            elif size == 127:
                size, begin = int.from_bytes(data[2:10]), 10
            if len(data) < begin + size:
                break
            if data[0] == 0x81:
                self._heard(data[begin : begin + size].decode(), at)
            data = data[begin + size :]
        self._data = data

    def _heard(self, text, at):
        if text == "2":
            self.send("3")
        elif text[0] == "0":
            self.send(self._auth)
        elif text.startswith("40"):
            self._tell("entered", text)
        elif text.startswith("43"):
            begin = text.index("[")
            self._answers.pop(int(text[len(self._begin) : begin])).set_result(orjson.loads(text[begin:])[0])
        elif text.startswith(self._begin):
            start = len(self._begin) + 2
            event = text[start : text.index('"', start)]
            self._tell(event, text)
            self.hear(event, text, at)

    def _tell(self, event, text):
        waiting = self._waiting.pop(event, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(text)

    def payload(self, text):
        """What a message says beside its event."""
        return orjson.loads(text[len(self._begin) :])[1]
