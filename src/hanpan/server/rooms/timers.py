"""Things that happen later: each has a name, and what is planned anew under a name takes the place of what was planned before."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hanpan.server.faults import log_fault


class Timers:
    """The plans of one room. `do` is how the room does one of its verbs."""

    do: Callable[..., Awaitable[None]]

    def __init__(self, room: str) -> None:
        self._room = room
        self._planned: dict[str, asyncio.TimerHandle | asyncio.Task[None]] = {}

    def later(self, name: str, seconds: float, verb: Callable[..., object], *what: object) -> None:
        """Do a verb of the room after a while, instead of what was planned under that name."""
        self.task(name, seconds, self.do, verb, *what)

    def task(self, name: str, seconds: float, doing: Callable[..., Awaitable[None]], *what: object) -> None:
        """The same for something that takes its time, and the room's lock only when it needs it."""
        self.cancel(name)
        self._planned[name] = asyncio.get_running_loop().call_later(seconds, self._now, name, doing, *what)

    def _now(self, name: str, doing: Callable[..., Awaitable[None]], *what: object) -> None:
        """It is time: a task only now, since most of what is planned is cancelled before."""

        async def do() -> None:
            try:
                await doing(*what)
            except Exception as fault:
                log_fault(f"room {self._room}, {name}", fault)
            finally:
                if self._planned.get(name) is asyncio.current_task():
                    del self._planned[name]

        self._planned[name] = asyncio.get_running_loop().create_task(do())

    def planned(self, name: str) -> bool:
        """Whether something is planned under that name."""
        return name in self._planned

    def cancel(self, name: str) -> None:
        """Do not do what was planned under that name."""
        plan = self._planned.pop(name, None)
        if plan is not None and plan is not asyncio.current_task():
            plan.cancel()

    def close(self) -> None:
        """Forget everything that was planned."""
        for name in list(self._planned):
            self.cancel(name)
