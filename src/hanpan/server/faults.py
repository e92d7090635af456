"""Our own faults in the log: where they happened, but not what they say, because a message may quote what nobody may know."""

from __future__ import annotations

import logging
import traceback
from types import TracebackType

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


class faults_logged:
    """For what must not undo anything when it goes wrong: a fault in here is written down, and that is all.

    No generator, because every action passes here.
    """

    __slots__ = ("_what",)

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        """Begin what may go wrong."""

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> bool:
        """Write down how it went wrong; what ends a task goes on."""
        if not isinstance(fault, Exception):
            return False
        log_fault(self._what, fault)
        return True
