"""Compiles what every game of the tests needs and makes its modules for pages, in all cores, if they are not there: python tools/ready.py.

Else each server that a test starts would see to it, while the tests keep the cores busy and its rules run as plain Python.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

TOY = str(Path(__file__).resolve().parent.parent / "tests" / "toy")


def main() -> int:
    """Until everything is there."""
    sys.path.append(TOY)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [TOY, os.environ.get("PYTHONPATH")]))  # for the processes that compile
    from hanpan.engine import build_all, known
    from hanpan.rulebook import games
    from hanpan.workshop import Workshop

    Workshop().open().ended.wait()
    names = tuple(games())
    built = known(names) or build_all(names)
    return 1 if any("wrong" in one for one in built.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
