"""Answers that are packed before they are sent: what never changes is packed once for all who ask."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Mapping
from functools import cache

from fastapi import Request
from fastapi.responses import Response

LEVEL = 4  # the highest is three times the work for a few bytes
LEAST = 1000  # bytes that are worth it


def constant(request: Request, body: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that is the same for everyone, for as long as the server runs."""
    if len(body) < LEAST or not _unpacks(request):
        return Response(body, media_type=media_type, headers=headers)
    return Response(_packed(body), media_type=media_type, headers={**(headers or {}), **_GZIP})


def in_pieces(request: Request, pieces: Iterable[bytes], media_type: str) -> Response:
    """A long answer, packed piece by piece, so that it is never there as a whole."""
    if not _unpacks(request):
        return Response(b"".join(pieces), media_type=media_type)
    packer = zlib.compressobj(LEVEL, wbits=31)
    body = b"".join([*(packer.compress(piece) for piece in pieces), packer.flush()])
    return Response(body, media_type=media_type, headers=_GZIP)


_GZIP = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


def _unpacks(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


@cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
