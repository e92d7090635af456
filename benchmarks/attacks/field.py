"""Where an attack takes place: a server of its own, honest people beside it, and what both of them felt."""

import asyncio
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from kept import Kept
from processes import cpu, family, kilobytes, stolen, waited
from serving import ServerProcess

from attacks.enemy import Enemy

SLOW_MS = 100.0  # no honest move may take longer
BACK_MB = 40.0  # memory counts as back where it was within so much: freed memory lies about in pieces
BACK_SECONDS = 50.0  # and that long it may take: a connection that has gone without a word is noticed after half a minute
QUIET_SECONDS = 3.0  # of play before the attack, to compare with
TABLES, MOVES = 2, 40.0  # honest tables, and their moves a second

_STARTER = ThreadPoolExecutor(1)  # starts the processes; priorities belong to threads, and this one keeps its own


def give_way() -> None:
    """Let server and honest people go first on this machine: a real attacker computes elsewhere."""
    _STARTER.submit(int).result()  # it is there before the priority changes
    os.nice(10)


class Fell(Exception):
    """The attack had its way."""


@dataclass
class Scenario:
    """One attack: `attack` is given the field, may raise Fell, and gives back in a few words what came of it."""

    name: str
    item: str  # what it is about, for the table
    attack: Callable[["Field"], Awaitable[str]]
    seconds: float  # that it may last
    beside: bool  # whether honest people play beside it
    settings: dict

    @property
    def about(self) -> str:
        return (self.attack.__doc__ or "").strip().splitlines()[0]


SCENARIOS: dict[str, Scenario] = {}


def scenario(item: str, seconds: float = 15.0, beside: bool = True, **settings: object):
    """An attack, under its function's name."""

    def kept(attack):
        name = attack.__name__.replace("_", "-")
        SCENARIOS[name] = Scenario(name, item, attack, seconds, beside, settings)
        return attack

    return kept


@dataclass
class Felt:
    """What came of an attack."""

    name: str
    item: str
    cpu_seconds: float = 0.0
    seconds: float = 0.0
    before_mb: float = 0.0
    peak_mb: float = 0.0
    after_mb: float = 0.0
    moves: int = 0
    quiet_p99_ms: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    slowest_ms: float = 0.0
    own_ms: float = 0.0
    core_ms: float = 0.0
    host_ms: float = 0.0
    door_ms: float = 0.0
    note: str = ""
    fell: list[str] = field(default_factory=list)

    @property
    def times(self) -> list[float]:
        """All milliseconds, as the table shows them."""
        return [self.quiet_p99_ms, self.p50_ms, self.p99_ms, self.slowest_ms, self.own_ms, self.core_ms, self.host_ms, self.door_ms]

    @property
    def verdict(self) -> str:
        return "held" if not self.fell else "FELL: " + "; ".join(self.fell)

    def json(self) -> dict:
        return asdict(self) | {"verdict": self.verdict}


class Beside:
    """The honest people, in a process of their own."""

    def __init__(self, url: str) -> None:
        command = [sys.executable, str(Path(__file__).with_name("honest.py")), url, str(TABLES), str(MOVES)]
        self._process = Kept(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lines: list[tuple[str, float, float]] = []  # kind, when it ended, how long it took
        self.ready, self.thrown_out = threading.Event(), False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout:
            words = line.split()
            if words[0] == "ready":
                self.ready.set()
            elif words[0] == "thrown-out":
                self.thrown_out = True
            else:
                self._lines.append((words[0], float(words[1]), float(words[2])))

    def felt(self, kind: str, since: float, until: float) -> list[float]:
        """The milliseconds of everything that went on in that time, in order of size."""
        return sorted(1000 * took for what, at, took in list(self._lines) if what == kind and at >= since and at - took <= until)

    def own(self, since: float, until: float) -> float:
        """The milliseconds that the honest people themselves were late by, in the slowest move of that time."""
        moves = [(took, at) for what, at, took in list(self._lines) if what == "move" and at >= since and at - took <= until]
        took, at = max(moves, default=(0.0, 0.0))
        late = [(when - late, when) for what, when, late in list(self._lines) if what == "late"]
        return 1000 * sum(max(0.0, min(end, at) - max(begin, at - took)) for begin, end in late)

    async def moved(self, since: float, patience: float) -> bool:
        """Wait for a move that began later than that."""
        for _ in range(int(patience * 20)):
            if any(what == "move" and at - took > since for what, at, took in list(self._lines)):
                return True
            if self.thrown_out or self._process.poll() is not None:
                return False
            await asyncio.sleep(0.05)
        return False

    def end(self) -> None:
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Field:
    """A running server under attack."""

    def __init__(self, server: ServerProcess) -> None:
        host = urlsplit(server.url).hostname
        assert host in ("127.0.0.1", "::1"), "only a server on this machine is attacked"
        self.server, self.url, self.pid = server, server.url, server.process.pid
        self.enemy = Enemy(server.url)

    def megabytes(self) -> float:
        """Of the server and of those that it has started."""
        return sum(kilobytes(process) for process in family(self.pid)) / 1024

    def log(self) -> str:
        return self.server.log.read_text(errors="replace")


def part(values: list[float], share: float) -> float:
    """The value that this share of all is not above."""
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


async def run(wanted: Scenario, folder: Path, show: Callable[[str], None]) -> Felt:
    """One attack from beginning to end."""
    settings = {"quick_bots": False, "patience": 30.0, "unlimited_local": False, "metrics_token": "for the operator"} | wanted.settings
    server, loop = ServerProcess(folder, **settings), asyncio.get_running_loop()
    await loop.run_in_executor(_STARTER, server.start)
    beside = None
    felt = Felt(wanted.name, wanted.item)
    try:
        field = Field(server)
        if wanted.beside:
            beside = await loop.run_in_executor(_STARTER, Beside, server.url)
            if not await asyncio.to_thread(beside.ready.wait, 120):
                raise RuntimeError("the honest table could not sit down")
        async with field.enemy:
            await _attacked(wanted, field, beside, felt, show)
    finally:
        if beside is not None:
            beside.end()
        try:
            await asyncio.to_thread(server.stop)
        except subprocess.TimeoutExpired:
            felt.fell.append("it could not be stopped")
    return felt


async def _at_work(field: Field) -> None:
    """Let the server do once what it starts a process for, as it has after its first minutes: what is measured is what attacks add."""
    record = '{"hanpan": 1, "game": "tictactoe", "options": {}, "actions": []}'
    for method, path, body in (("GET", "/api/svg?game=tictactoe", None), ("POST", "/api/records", record)):
        await field.enemy.ask(method, path, field.enemy.address(), data=body)
    field.enemy.codes.clear()


async def _attacked(wanted: Scenario, field: Field, beside: Beside | None, felt: Felt, show: Callable[[str], None]) -> None:
    await _at_work(field)
    if beside is not None:
        quiet = time.time()
        await asyncio.sleep(QUIET_SECONDS)
        felt.quiet_p99_ms = part(beside.felt("move", quiet, time.time()), 0.99)
    felt.before_mb = felt.peak_mb = field.megabytes()
    watching = asyncio.create_task(_watch(field, felt, beside, show))
    used, began = cpu(field.pid), time.time()
    try:
        async with asyncio.timeout(wanted.seconds):
            felt.note = await wanted.attack(field)
    except TimeoutError:
        felt.note = f"ended after {wanted.seconds:.0f} s"
        if beside is None:
            felt.fell.append("nothing was decided in time")
    except Fell as fell:
        felt.fell.append(str(fell))
    except Exception as wrong:  # the other scenarios are tried all the same
        show(traceback.format_exc())
        felt.fell.append(f"the trial itself failed, {type(wrong).__name__}: {str(wrong)[:80]}")
    ended = time.time()
    felt.seconds = ended - began
    if beside is not None:
        if not await beside.moved(ended, 60.0):
            felt.fell.append("the honest table was thrown out" if beside.thrown_out else "the honest table plays no more")
        moves, doors = beside.felt("move", began, ended), beside.felt("door", began, ended)
        felt.moves, felt.p50_ms, felt.p99_ms, felt.slowest_ms, felt.door_ms = (
            len(moves),
            part(moves, 0.5),
            part(moves, 0.99),
            part(moves, 1.0),
            part(doors, 1.0),
        )
        felt.own_ms = beside.own(began, ended)
        if felt.slowest_ms - felt.own_ms > SLOW_MS:
            felt.fell.append(f"a move took {felt.slowest_ms:.0f} ms")
    await field.enemy.retreat()
    back = time.time() + (BACK_SECONDS if beside is not None else 0.0)
    while field.megabytes() > felt.before_mb + BACK_MB and time.time() < back:
        await asyncio.sleep(0.25)
    watching.cancel()
    felt.cpu_seconds, felt.after_mb = cpu(field.pid) - used, field.megabytes()
    if beside is not None and felt.after_mb > felt.before_mb + BACK_MB:
        felt.fell.append(f"memory +{felt.after_mb - felt.before_mb:.0f} MB")


async def _watch(field: Field, felt: Felt, beside: Beside | None, show: Callable[[str], None]) -> None:
    """Look at the memory all the time, and say from time to time how it goes."""
    count, before, taken = 0, waited(field.pid), stolen()
    while True:
        before, felt.core_ms = waited(field.pid), max(felt.core_ms, 1000 * (waited(field.pid) - before))
        taken, felt.host_ms = stolen(), max(felt.host_ms, 1000 * (stolen() - taken))
        felt.peak_mb = max(felt.peak_mb, field.megabytes())
        count += 1
        if count % 20 == 0:
            moves = beside.felt("move", time.time() - 2, time.time()) if beside is not None else []
            felt_lately = f", the last moves took {part(moves, 1.0):.0f} ms at most" if moves else ""
            show(f"  {felt.name}: {count // 10} s, {felt.peak_mb:.0f} MB at most{felt_lately}")
        await asyncio.sleep(0.1)
