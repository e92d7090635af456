"""Answers that are packed before they are sent: what never changes is packed once for all who ask."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable, Mapping

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

LEAST = 1000  # bytes that are worth it
_PIECE = 65_536  # bytes


class Kept:
    """What stays the same for as long as the server runs: made and packed for whoever asks first, one thing at a time, however many ask at once."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[bytes, bytes]] = {}  # as it is, and packed
        self._making = asyncio.Lock()

    async def get(self, key: str, make: Callable[[], bytes]) -> tuple[bytes, bytes]:
        """One of them."""
        if key not in self._made:
            async with self._making:
                if key not in self._made:
                    self._made[key] = await asyncio.to_thread(self._packed, make)
        return self._made[key]

    @staticmethod
    def _packed(make: Callable[[], bytes]) -> tuple[bytes, bytes]:
        body = make()
        return body, gzip.compress(body, mtime=0)


async def constant(request: Request, make: Callable[[], bytes], media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that is the same for everyone who asks at this address."""
    kept: Kept = request.app.state.kept
    body, packed = await kept.get(request.url.path, make)
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
