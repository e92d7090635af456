"""Games that are not part of this package are looked at before a server opens: one with a fault is left out, so that it keeps nobody from the others.

`python -m hanpan.server.outside GAME` is a process that looks at one of them, with plain Python, and makes the pictures that pages ask for: of those that
people open the front page for, no rule runs in the server itself. What it made is kept beside the machine code, until a source is another.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from hanpan.checks import Finding, answering, ask, first_look, guarded
from hanpan.core.words import LANGUAGES, load
from hanpan.rulebook import games, is_own, leave_out, package
from hanpan.server import stills

SECONDS = 30.0  # of work to look at a game; one that takes more would keep everyone waiting
log = logging.getLogger("hanpan.server")


def look_at_all() -> None:
    """Leave out those that have a fault. What is logged says all of it: a game that nobody plays yet has no secrets."""
    for name in games():
        if not is_own(name) and (wrong := _fault(name)) is not None:
            log.error("%s is left out: %s", name, wrong)
            leave_out(name)


def _fault(name: str) -> str | None:
    try:
        for language in LANGUAGES:
            load(package(name), language)
        if stills.is_kept(name):
            return None
    except Exception as fault:
        return str(fault)
    for line in ask("hanpan.server.outside", name, SECONDS):
        if "found" in line:
            return str(Finding(*line["found"]))
        stills.keep(name, stills.Still(*(told.encode() for told in line["still"])))
    return None


def _look(name: str, tell: Callable[[str, object], None]) -> None:
    def all_of_it() -> Iterator[Finding]:
        found = list(first_look(name))
        yield from found
        if not found:
            tell("still", [told.decode() for told in stills.made(name)])

    for finding in guarded(name, all_of_it()):
        tell("found", finding)


if __name__ == "__main__":
    answering(_look)
