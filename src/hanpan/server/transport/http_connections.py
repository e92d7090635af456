"""HTTP connections as this server needs them: a head has an end, a request comes in time, an answer is read, and one address has only so many connections."""

from __future__ import annotations

import asyncio
from collections import Counter

from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hanpan.server.people.limits import neighbourhood

MOST_HEAD = 64_000  # bytes of a request line and its headers
SLOWEST = 30.0  # seconds in which a request must have come, to its last byte; and for which an answer may lie unread
SPARE = 200  # connections of one address beside its sockets


class HttpConnection(HttpToolsProtocol):
    """uvicorn's HTTP connections, which by themselves wait for ever and keep whatever comes."""

    most: int  # connections of one address
    proxies: _TrustedHosts  # addresses that stand for many others
    open: Counter[str]  # connections by address

    _address = ""  # that this connection counts for
    _in_head = True  # the next byte is one of a head, not of a body
    _head = 0  # bytes of it that have come
    _slow: asyncio.TimerHandle | None = None  # ends it when a request does not come
    _unread: asyncio.TimerHandle | None = None  # ends it when an answer is not read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A connection stands: its first request is awaited, but not for ever."""
        super().connection_made(transport)
        self._slow = self.loop.call_later(SLOWEST, transport.abort)
        if self.client and self.client[0] not in self.proxies:
            self._address = neighbourhood(self.client[0])
            self.open[self._address] += 1
            if self.open[self._address] > self.most:
                transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._let_go()
        super().connection_lost(exc)

    def _let_go(self) -> None:
        for timer in (self._slow, self._unread):
            if timer is not None:
                timer.cancel()
        self._slow = self._unread = None
        if self._address:
            self.open[self._address] -= 1
            if not self.open[self._address]:
                del self.open[self._address]
            self._address = ""

    # --- in ---

    def data_received(self, data: bytes) -> None:
        """Some more of a request."""
        if self._in_head:
            if self._slow is None:
                self._slow = self.loop.call_later(SLOWEST, self.transport.abort)
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > MOST_HEAD:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        """The head has come."""
        self._in_head, self._head = False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request has come."""
        self._in_head = True
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """It is no HTTP any more; sockets are counted by themselves."""
        self._let_go()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # or both would hold each other until somebody looks for such pairs

    # --- out ---

    def pause_writing(self) -> None:
        """The other side does not read as fast as we write."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(SLOWEST, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def http_connection(sockets: int, proxies: str) -> type[HttpConnection]:
    """The connections of one server, where an address may have so many sockets; they are counted together."""
    return type("HttpConnection", (HttpConnection,), {"most": sockets + SPARE, "proxies": _TrustedHosts(proxies), "open": Counter()})
