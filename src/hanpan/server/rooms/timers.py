"""Things that happen later: each has a name, and what is planned anew under a name takes the place of what was planned before."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hanpan.server.faults import log_fault

_MINUTE = 60.0


class Plan:
    """Something that one room does later. `held` is by whom it is remembered: the loop, once it is near; until then the calendar's minute; a task once it
    is being done."""

    __slots__ = ("doing", "due", "held", "name", "what")

    def __init__(self, name: str, due: float, doing: Callable[..., Awaitable[None]], what: tuple[object, ...]) -> None:
        self.name, self.due, self.doing, self.what = name, due, doing, what
        self.held: asyncio.TimerHandle | dict[Plan, Timers] | asyncio.Task[None]

    def cancel(self) -> None:
        """Do not do it."""
        if isinstance(self.held, dict):
            self.held.pop(self, None)
        else:
            self.held.cancel()


class Calendar:
    """What the rooms of this process do in more than a minute, by the minute before it: many rooms wait for something far off, and a timer of the loop takes
    ten times as much memory as a line in here."""

    def __init__(self) -> None:
        self._minutes: dict[int, dict[Plan, Timers]] = {}

    def add(self, plan: Plan, timers: Timers) -> None:
        """Have a plan done when it is due."""
        loop, minute = asyncio.get_running_loop(), int(plan.due // _MINUTE)
        if minute * _MINUTE <= loop.time():
            plan.held = loop.call_at(plan.due, timers.now, plan)
            return
        if minute not in self._minutes:
            self._minutes[minute] = {}
            loop.call_at(minute * _MINUTE, self._begins, minute)
        plan.held = self._minutes[minute]
        plan.held[plan] = timers

    def _begins(self, minute: int) -> None:
        """A minute begins in which some plans are due."""
        for plan, timers in self._minutes.pop(minute).items():
            plan.held = asyncio.get_running_loop().call_at(plan.due, timers.now, plan)


class Timers:
    """The plans of one room. `do` is how the room does one of its verbs."""

    __slots__ = ("_calendar", "_planned", "_room", "do")

    def __init__(self, room: str, calendar: Calendar) -> None:
        self._room, self._calendar = room, calendar
        self._planned: list[Plan] = []
        self.do: Callable[..., Awaitable[None]]

    def later(self, name: str, seconds: float, verb: Callable[..., object], *what: object) -> None:
        """Do a verb of the room after a while, instead of what was planned under that name."""
        self.task(name, seconds, self.do, verb, *what)

    def task(self, name: str, seconds: float, doing: Callable[..., Awaitable[None]], *what: object) -> None:
        """The same for something that takes its time, and the room's lock only when it needs it."""
        self.cancel(name)
        plan = Plan(name, asyncio.get_running_loop().time() + seconds, doing, what)
        self._planned.append(plan)
        self._calendar.add(plan, self)

    def now(self, plan: Plan) -> None:
        """It is time: a task only now, since most of what is planned is cancelled before."""

        async def do() -> None:
            try:
                await plan.doing(*plan.what)
            except Exception as fault:
                log_fault(f"room {self._room}, {plan.name}", fault)
            finally:
                if plan in self._planned:
                    self._planned.remove(plan)

        plan.held = asyncio.get_running_loop().create_task(do())

    def planned(self, name: str) -> bool:
        """Whether something is planned under that name."""
        return any(plan.name == name for plan in self._planned)

    def left(self, name: str) -> float:
        """Seconds until what is planned under that name is due; 0 where nothing is."""
        return max((plan.due - asyncio.get_running_loop().time() for plan in self._planned if plan.name == name), default=0.0)

    @property
    def quiet(self) -> bool:
        """Whether nothing is planned for the minute that has begun, beside what is being done at this moment."""
        return all(isinstance(plan.held, dict) or plan.held is asyncio.current_task() for plan in self._planned)

    def cancel(self, name: str) -> None:
        """Do not do what was planned under that name."""
        for plan in self._planned:
            if plan.name == name:
                self._planned.remove(plan)
                if plan.held is not asyncio.current_task():
                    plan.cancel()
                return

    def close(self) -> None:
        """Forget everything that was planned."""
        for plan in list(self._planned):
            self.cancel(plan.name)
