"""What every request passes first: its size, its rate, where its page is from; and what every answer carries: headers that browsers obey."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from urllib.parse import parse_qs, urlsplit

import orjson

from hanpan.core.words import Phrase, say, spoken
from hanpan.server.faults import log_fault
from hanpan.server.people.limits import LIGHT, Limits, address_of
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.pace import Pace
from hanpan.server.settings import Settings
from hanpan.server.storage.accounts import hashed
from hanpan.server.transport.asgi import Application, Fields, Receive, Send
from hanpan.server.transport.sizes import MOST_BYTES, too_many_parts

MOST_BODY = 64_000  # bytes of a request
MOST_RECORD = 250_000  # of one with a record, which is read apart
MOST_ADDRESS = 16_000  # of what stands behind the question mark
ASKER = "hanpan.asker"  # in a request's scope: whose requests it is counted with
_HARMLESS = {"GET", "HEAD", "OPTIONS"}
_LASTING = ("/socket.io", "/api/bot/events")  # what waits for news; these are counted by themselves
_HEALTH = {"/healthz", "/readyz", "/metrics"}  # a balancer or Prometheus asks for these by the machine's own address; the last needs a token
_FILES = ("/page/", "/api/words/", "/api/games", "/api/stills", "/api/engines")  # made once for all who ask, who are told in no more than the address itself
_SAME_FOR_ALL = ("/api/words/", "/api/games", "/api/svg", "/api/stills", "/api/engines", "/api/logins", "/api/leaderboards/")  # whoever asks is told the same
_NO_PAGES = ("/api/", "/page/", "/socket.io", *_HEALTH)  # what nobody reads as a page
_PAGE = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'"  # a picture brings its colours along, and can do nothing else
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


class GuardMiddleware:
    """An ASGI application around another one."""

    def __init__(self, inner: Application, settings: Settings, limits: Limits, connected: Callable[[str], bool]) -> None:
        self._inner, self._limits, self._connected = inner, limits, connected
        self._origins = {*settings.origins, *([settings.url] if settings.url else [])}
        self._hosts = {urlsplit(address).netloc for address in self._origins} if settings.url else None
        self._cookie = settings.cookie
        self._secure = settings.public.startswith("https:")
        self._pace = Pace()
        self.other_asgi_app = inner.other_asgi_app

    async def __call__(self, scope: Fields, receive: Receive, send: Send) -> None:
        """One request, one socket, or the whole life of the server."""
        if scope["type"] not in ("http", "websocket"):
            await self._inner(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        address, path = address_of(scope), scope["path"]
        most = MOST_BYTES if path.startswith("/socket.io") else MOST_RECORD if path.startswith("/api/records") else MOST_BODY
        scope[ASKER] = self._limits.asker(address, hashed(token) if (token := self._token(headers)) else "")
        try:
            await self._count(scope, address)
            self._check(scope, headers, most)
            if scope["type"] == "websocket":
                await self._pace.enter(address, counted=False)
                await self._inner(scope, receive, send)
                return
            if "transfer-encoding" in headers or headers.get("content-length", "0").strip("0"):
                receive = await _heard(receive, most, path)
        except Refused as refused:
            await _answer(self._with_headers(send, path), refused, scope, headers)
            return
        counted = not path.startswith(_LASTING)
        await self._pace.enter(address, counted)
        try:
            await self._inner(scope, receive, self._with_headers(send, path))
        except Exception as fault:  # the answer has been given; what the fault says may be nobody's business
            log_fault(f"{scope['method']} {path[:80]}", fault)
        finally:
            if counted:
                self._pace.leave(address)

    def _token(self, headers: dict[str, str]) -> str:
        """What a request brings to show who it is from; whether it is worth anything is not looked at here."""
        if "authorization" in headers:
            return headers["authorization"].removeprefix("Bearer ").strip()
        found = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        return next((value for name, _, value in found if name == self._cookie), "")

    async def _count(self, scope: Fields, address: str) -> None:
        """Slow down whoever asks for too much, and refuse whoever asks for far too much. A connection is counted when it begins."""
        path, question = scope["path"], scope["query_string"]
        sid = parse_qs(question.decode("latin-1")).get("sid", [""])[0] if path.startswith("/socket.io") else ""
        if not self._connected(sid):
            light = scope.get("method") == "GET" and path.startswith(_FILES) and not question
            await self._limits.request(address, scope[ASKER], LIGHT if light else 1.0)

    def _check(self, scope: Fields, headers: dict[str, str], most: int) -> None:
        sockets = scope["path"].startswith("/socket.io")
        if self._hosts is not None and headers.get("host") not in self._hosts and scope["path"] not in _HEALTH:
            raise Refused("foreign-host", host=headers.get("host", "")[:60])
        harmless = sockets or scope.get("method", "GET") in _HARMLESS
        if not harmless and "authorization" not in headers:  # a browser sends cookies along by itself, but no bearer token
            self._check_origin(scope, headers)
        length = headers.get("content-length", "0")
        unknown = sockets and "transfer-encoding" in headers  # Engine.IO reads as much as is announced
        if unknown or not (length.isascii() and length.isdigit()) or len(length) > 12 or int(length) > most or len(scope["query_string"]) > MOST_ADDRESS:
            raise Refused("too-big")

    def _check_origin(self, scope: Fields, headers: dict[str, str]) -> None:
        """Browsers say which page a request is from; anything but a page of ours (or of a friend's) changes nothing."""
        origin = headers.get("origin")
        if origin is not None:
            own = self._hosts is None and origin == f"{scope['scheme']}://{headers.get('host')}"
            if not own and origin not in self._origins:
                raise Refused("foreign-origin")
        elif headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused("foreign-origin")

    def _with_headers(self, send: Send, path: str) -> Send:
        asked = path.startswith("/api/") and not path.startswith(_SAME_FOR_ALL)

        async def sending(message: Fields) -> None:
            if message["type"] == "http.response.start":
                given = dict(message.get("headers", ()))
                policy = _PICTURE if given.get(b"content-type", b"").startswith(b"image/svg") else _PAGE
                more = [*_HEADERS, (b"content-security-policy", policy.encode())]
                if self._secure:
                    more.append((b"strict-transport-security", b"max-age=31536000"))
                if b"cache-control" not in given and (b"set-cookie" in given or asked):
                    more.append((b"cache-control", b"private, no-store"))
                if asked:  # what is answered depends on who asks
                    more.append((b"vary", b"Cookie, Authorization"))
                message = {**message, "headers": [*message.get("headers", ()), *more]}
            await send(message)

        return sending


async def _heard(receive: Receive, most: int, path: str) -> Receive:
    """A body to its end, whatever its headers said; refused when it is too big, or has more parts than anything that is read on the event loop."""
    parts: list[bytes] = []
    size, more, gone = 0, True, False
    while more and not gone:
        message = await receive()
        gone, more = message["type"] == "http.disconnect", message.get("more_body", False)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise Refused("too-big")
    whole = b"".join(parts)
    if not path.startswith("/api/records") and too_many_parts(whole):
        raise Refused("too-big")
    body: bytes | None = whole

    async def receiving() -> Fields:
        nonlocal body
        if gone or body is None:
            return {"type": "http.disconnect"} if gone else await receive()
        told, body = body, None
        return {"type": "http.request", "body": told, "more_body": False}

    return receiving


async def _answer(send: Send, refused: Refused, scope: Fields, headers: dict[str, str]) -> None:
    """Say why not: to programs as they are used to, to whoever opens a page by one that says it."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refused.code})
        return
    status = {"too-fast": 429, "too-big": 413, "foreign-host": 421}.get(refused.code, 403)
    language = spoken(headers.get("accept-language", ""))
    page = scope["method"] == "GET" and "text/html" in headers.get("accept", "") and not scope["path"].startswith(_NO_PAGES)
    kind, body = ("text/html; charset=utf-8", _page(refused, language)) if page else ("application/json", orjson.dumps(refused.body(language)))
    more = [(name.lower().encode(), value.encode()) for name, value in refused.headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind.encode()), *more]})
    await send({"type": "http.response.body", "body": body})


def _page(refused: Refused, language: str) -> bytes:
    """A refusal to read; the page that was asked for opens by itself, once that can be. Nothing else is needed for it, since anything might be refused, too."""
    seconds, text = refused.headers.get("Retry-After"), escape(str(refused.body(language)["text"]))
    again = f'<meta http-equiv="refresh" content="{seconds}">' if seconds else ""
    then = f"<p>{say('hanpan', Phrase('waiting.opens'), language)}</p>" if seconds else ""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">{again}'
    return f'<!doctype html><html lang="{language}"><head>{head}<title>Hanpan</title></head><body><h1>Hanpan</h1><p>{text}</p>{then}</body></html>'.encode()
