"""Answers that are packed before they are sent: what never changes is packed once for all who ask."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable, Mapping

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from hanpan.server.rooms.studio import Studio

LEAST = 1000  # bytes that are worth it
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}  # of files whose names change with what is in them
_PIECE = 65_536  # bytes
_SECONDS = 600.0  # for what takes long, at most: it is ours, and made once, so only a machine that hardly moves gives up on it


class Kept:
    """What stays the same for as long as the server runs: made and packed for whoever asks first, however many ask at once."""

    def __init__(self) -> None:
        self._studio = Studio(_SECONDS, nice=0)
        self._made: dict[str, tuple[bytes, bytes]] = {}  # as it is, and packed
        self._here, self._apart = asyncio.Lock(), asyncio.Lock()  # one thing at a time; what is soon made does not wait for what takes long

    def close(self) -> None:
        """Make nothing any more."""
        self._studio.close()

    async def get(self, key: str, make: Callable[[], bytes]) -> tuple[bytes, bytes]:
        """One of them, which is soon made: in a thread, so it must be a matter of milliseconds (all threads take turns with everyone's moves)."""
        if key not in self._made:
            async with self._here:
                if key not in self._made:
                    self._made[key] = await asyncio.to_thread(lambda: _both(make()))
        return self._made[key]

    async def get_apart(self, key: str, make: Callable[[], Mapping[str, bytes]]) -> tuple[bytes, bytes]:
        """One of several that take long: they are made together in a process apart, by a function that is found there under its name."""
        if key not in self._made:
            async with self._apart:
                if key not in self._made:
                    for made, body in (await self._studio.do("", make)).items():
                        self._made[made] = await asyncio.to_thread(_both, body)
        return self._made[key]


def _both(body: bytes) -> tuple[bytes, bytes]:
    return body, gzip.compress(body, mtime=0)


async def constant(request: Request, make: Callable[[], bytes], media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that is the same for everyone who asks at this address."""
    kept: Kept = request.app.state.kept
    return _answer(request, await kept.get(request.url.path, make), media_type, headers)


async def made_apart(request: Request, make: Callable[[], Mapping[str, bytes]], media_type: str) -> Response:
    """The same, where making it takes long; `make` gives several such answers, by their addresses."""
    kept: Kept = request.app.state.kept
    return _answer(request, await kept.get_apart(request.url.path, make), media_type, None)


def _answer(request: Request, kept: tuple[bytes, bytes], media_type: str, headers: Mapping[str, str] | None) -> Response:
    body, packed = kept
    if len(body) < LEAST or not _unpacks(request):
        return Response(body, media_type=media_type, headers=headers)
    return Response(packed, media_type=media_type, headers={**(headers or {}), **_GZIP})


def already(request: Request, packed: bytes, media_type: str) -> Response:
    """A long answer that was packed where it was made; for whoever can't unpack, piece by piece, so that it is never there as a whole."""
    if _unpacks(request):
        return Response(packed, media_type=media_type, headers=_GZIP)
    return StreamingResponse(_unpacked(packed), media_type=media_type)


async def _unpacked(packed: bytes) -> AsyncIterator[bytes]:
    unpacker, left = zlib.decompressobj(wbits=31), packed
    while left:
        yield unpacker.decompress(left, _PIECE)
        left = unpacker.unconsumed_tail
    yield unpacker.flush()


_GZIP = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


def _unpacks(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")
