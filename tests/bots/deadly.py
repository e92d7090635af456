"""Work that kills its worker, for the tests of those who share it out."""

import os
import signal
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Deadly:
    """Squares numbers, and writes down which it has begun; with the deadly ones the process is killed, so many times."""

    folder: str
    deadly: tuple[int, ...]
    times: int = 1

    @contextmanager
    def open(self):
        yield self.square

    def square(self, number):
        begun = Path(self.folder) / str(number)
        with begun.open("a") as file:
            file.write("begun\n")
        if number in self.deadly and len(begun.read_text().splitlines()) <= self.times:
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise ValueError(f"{number} is negative")
        return number * number

    def begun(self):
        """How often each was begun."""
        return {int(path.name): len(path.read_text().splitlines()) for path in Path(self.folder).iterdir()}
