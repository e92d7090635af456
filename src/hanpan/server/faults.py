"""Our own faults in the log: where they happened, but not what they say, because a message may quote what nobody may know."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger("hanpan.server")


def log_fault(what: str, fault: BaseException) -> None:
    """Write down a fault: its kind, what a database calls it (SQLITE_FULL, or an SQLSTATE), the way to it, and the faults that led to it."""
    lines, states = [], []
    seen: BaseException | None = fault
    while seen is not None:
        frames = traceback.extract_tb(seen.__traceback__)
        lines += [f"  {type(seen).__name__} at {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        states.append(getattr(seen, "sqlite_errorname", None) or getattr(seen, "sqlstate", None))
        seen = seen.__cause__ or seen.__context__
    state = next((f" ({state})" for state in states if isinstance(state, str)), "")
    log.error("%s", "\n".join([f"{what}: {type(fault).__name__}{state}", *lines]))


@contextmanager
def faults_logged(what: str) -> Iterator[None]:
    """For what must not undo anything when it goes wrong: a fault in here is written down, and that is all."""
    try:
        yield
    except Exception as fault:
        log_fault(what, fault)
