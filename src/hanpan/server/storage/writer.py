"""One task through which everything is written: many writes a commit, each acknowledged after its commit."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError

from hanpan.server.storage.models import Fenced, StorageError, Unreachable
from hanpan.server.storage.writes import Change, Write, perform

MOST = 256  # writes a commit: more would hold the event loop for too long at a time
_ATTEMPTS = 3  # for what someone else has written first: then it is there to be seen

_Waiting = tuple[Write, "asyncio.Future[bool]"]


class Transactions(Protocol):
    """Where groups are committed."""

    parallel: bool  # whether several may be under way at once

    async def transact(self, work: Callable[[Connection], None]) -> None:
        """Do `work` and commit it; on any exception nothing is changed, but on Unreachable that is not certain. `work` may be done more than once."""

    async def close(self) -> None:
        """Let go of the database."""


class Writer:
    """Commits at once when it is idle, and otherwise everything that arrived while the last commit ran."""

    def __init__(self, transactions: Transactions) -> None:
        self.commits = 0
        self.took: Callable[[float], None] = lambda seconds: None  # is told how long each commit takes
        self.failing = False  # whether the database could not take what was last to be written
        self._transactions = transactions
        self._queue: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="storage writer")

    async def write(self, write: Write) -> bool:
        """Whether it was written, known after its commit. StorageError when nothing could be written; Unreachable: nobody knows whether it was."""
        self.check()
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((write, done))
        self._arrived.set()
        return await done

    async def apart(self, work: Callable[[Connection], bool]) -> bool:
        """Do something that must not wait for others' writes, nor they for it, in a transaction of its own where the database allows that."""
        change = Change(work)
        if not self._transactions.parallel:
            return await self.write(change)
        self.check()
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        done.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # whoever was stopped meanwhile does not ask
        await self._commit([(change, done)])
        return await done

    def check(self) -> None:
        """StorageError when nothing is written any more."""
        if self._closing or self._task.done():
            raise StorageError("the storage is closed")

    async def close(self) -> None:
        """Write what is waiting and stop."""
        self._closing = True
        self._arrived.set()
        await asyncio.wait([self._task])
        await self._transactions.close()

    async def _run(self) -> None:
        try:
            while self._queue or not self._closing:
                await self._arrived.wait()
                self._arrived.clear()
                while self._queue:
                    await self._commit([self._queue.popleft() for _ in range(min(MOST, len(self._queue)))])
        finally:
            self._fail(self._queue, "the storage was closed")

    async def _commit(self, group: Sequence[_Waiting], attempts: int = _ATTEMPTS) -> None:
        """Commit a group. What fails by itself fails alone; when the database fails, nothing of the group is acknowledged."""
        began = time.perf_counter()
        try:
            await self._transactions.transact(partial(perform, writes=[write for write, _ in group]))
        except asyncio.CancelledError:
            self._fail(group, "the storage was closed")
            raise
        except Unreachable as away:
            self.failing = True
            self._fail(group, str(away), away, Unreachable)
            return
        except Exception as failure:
            if len(group) > 1 and not _database_failed(failure):
                for alone in group:
                    await self._commit([alone])
            elif isinstance(failure, IntegrityError) and attempts > 1:
                await self._commit(group, attempts - 1)
            else:
                self.failing = self.failing or _database_failed(failure)
                self._fail(group, f"not stored: {getattr(failure, 'orig', None) or failure}", failure)
            return
        self.failing = False
        self.commits += 1
        self.took(time.perf_counter() - began)
        for write, done in group:
            if done.done():  # whoever asked may have gone
                continue
            if write.fence is not None and write.fenced:
                done.set_exception(Fenced(f"not stored: room {write.fence.room} has another owner now"))
            else:
                done.set_result(write.outcome)

    @staticmethod
    def _fail(group: Sequence[_Waiting] | deque[_Waiting], why: str, cause: Exception | None = None, kind: type[StorageError] = StorageError) -> None:
        for _, done in group:
            if not done.done():
                failure = kind(why)
                failure.__cause__ = cause
                done.set_exception(failure)


def _database_failed(failure: Exception) -> bool:
    """Whether the database is at fault (disk full, locked, gone) and not something that was to be written."""
    return isinstance(failure, OperationalError | InterfaceError | OSError)
