"""Computer players in seats: they think in worker threads, a few at a time, and answer after a pause that tells nothing."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from hanpan.bots import Bot
from hanpan.core.rule import hide_nothing
from hanpan.game import State
from hanpan.server.rooms.pace import FairSemaphore

THINKING = 0.45  # seconds at most
PAUSE = (0.5, 1.7)  # seconds until an answer: always longer than the thinking, so that it can't be seen how hard that was
LATE = 0.5  # seconds: the step in which an answer can be late
_MEGABYTES = 16  # of memory for each player
_KEPT = 4  # players that are kept for the next turn


class BotPool:
    """A few computer players for all tables of this process."""

    def __init__(self, at_once: int, quick: bool = False) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="thinker")
        self._turns = FairSemaphore(at_once)
        self._idle: deque[Bot] = deque(maxlen=_KEPT)
        self._quick = quick
        self._elsewhere: Callable[[State, int], Awaitable[str | None]] | None = None
        self.waiting = 0  # players whose turn it is

    def pause(self) -> float:
        """Seconds until a computer player answers: like a person's, and drawn before anything is thought."""
        if self._quick:
            return 0.0
        low, high = PAUSE
        return low + (high - low) * sum(secrets.randbelow(1000) for _ in range(3)) / 3000

    def rest(self, seconds: float) -> float:
        """Seconds still to wait. Whoever is late (many think at once) answers a whole number of steps later, so that how late tells next to nothing."""
        return 0.0 if self._quick else seconds % LATE if seconds < 0 else seconds

    async def choose(self, seen: State, level: int, *whose: str) -> str:
        """The action of a player of that level, who knows only this view; it thinks for someone, who has to share with others: first addresses share the time
        (so what is soon thought of hardly waits for those who let others think hard), then the people of each."""
        self.waiting += 1
        try:
            await self._turns.take(*whose)
            since = time.monotonic()
            try:
                action = None if self._elsewhere is None else await self._elsewhere(seen, level)
                return action or await self.think(seen, level)
            finally:
                self._turns.give(*whose, seconds=time.monotonic() - since)
        finally:
            self.waiting -= 1

    async def think(self, seen: State, level: int) -> str:
        """The same at once, as soon as a thread is free."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._think, seen, level)

    def share(self, elsewhere: Callable[[State, int], Awaitable[str | None]], at_once: int) -> None:
        """Let others think first: so many may be asked at once, and where none of them answers (None) it is thought here."""
        self._elsewhere, self._turns = elsewhere, FairSemaphore(at_once)

    def _think(self, seen: State, level: int) -> str:
        player = self._player(seen.game.name, level)
        action = player.choose(seen, seconds=THINKING)
        if seen.game.book.rules.hide is hide_nothing:  # what one seat has thought of must not help another to know
            self._idle.append(player)
        return action

    def _player(self, name: str, level: int) -> Bot:
        for player in list(self._idle):
            if (player.name, player.level) == (name, level):
                try:
                    self._idle.remove(player)
                except ValueError:  # another thread has just taken it
                    continue
                return player
        return Bot(name, level, seed=secrets.randbits(31), megabytes=_MEGABYTES)

    def level_near(self, rating: float) -> int:
        """The level that plays about as well as someone of this rating."""
        return min(8, max(1, round((rating - 700) / 200)))

    def close(self) -> None:
        """Let nobody think any more."""
        for player in self._idle:
            player.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
