"""What not every installation has: the error that names what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Missing(ModuleNotFoundError, ValueError):
    """A package is not installed; the sentence says how to get it."""


@contextmanager
def needed(what: str, install: str) -> Iterator[None]:
    """Import what something needs: `with needed("Parquet", "hanpan[parquet]"): import pyarrow`."""
    try:
        yield
    except ImportError as missing:
        if isinstance(missing, Missing) or (missing.name or "").partition(".")[0] == "hanpan":
            raise  # named already, or a fault of ours
        raise Missing(f"{what} needs {missing.name or missing}: pip install '{install}'", name=missing.name) from None
