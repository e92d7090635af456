"""A game's rules and computer players as one WebAssembly module: for the page, and for whoever wants them in a sandbox.

A module is kept beside the compiled rules, under a name that follows from the rules' byte code, so that nobody ever mixes two versions.

`python -m hanpan.engine GAME …` makes everything that pages need to play by themselves, and tells of each game in a line of JSON. It ends with its input.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from hanpan.bots.levels import levels, search_of
from hanpan.core import maths
from hanpan.core.compiled import Job, alone, cache_folder, digest, keep, signature
from hanpan.core.javascript.translate import Script
from hanpan.core.option import Option
from hanpan.core.rule import hide_nothing
from hanpan.core.scene import Past, Scene
from hanpan.core.wasm import emit, link
from hanpan.rulebook import Rulebook, rulebook
from hanpan.workshop import jobs_of, mark


def jobs(name: str) -> dict[str, Job]:
    """What a game's module exports: whatever playing it calls, and the two functions of `core.maths`."""
    book = rulebook(name)
    rules, judge = book.rules, book.evaluation
    hooks = {id(getattr(rules, hook)): hook for hook in ("start", "seats", "chance", "forced", "hide", "imagine")} | {id(judge.prune): "prune"}
    called = [*jobs_of(name), *((rule, signature((0.0,))) for rule in (maths.exp, maths.log))]
    if judge.solve is not None:
        lists = np.zeros((2, rules.MOST_LEGAL), np.int32)
        room = (np.zeros([1] * len(shape), np.int64) for shape in [*judge.SOLVE_ROOM, (2,)])
        called.append((judge.solve, signature((np.zeros(1, rules.State)[0], *lists, *room))))
    found: dict[str, Job] = {}
    for rule, types in called:
        title = hooks.get(id(rule)) or rule.py_func.rule_name.rpartition(".")[2]
        if found.setdefault(title, (rule, types))[0] is not rule:
            raise ValueError(f"{name}: two rules that are called from outside have the name {title!r}")
    return found


def module(name: str, tell: Callable[[str], None] = lambda _: None) -> bytes:
    """A game's module: from the disk, or made now (some seconds, if its rules are compiled already); `tell` is told which rule is compiled for it."""
    return _module(name, tell)[1]


def _module(name: str, tell: Callable[[str], None] = lambda _: None) -> tuple[str, bytes]:
    wanted = jobs(name)
    kept = cache_folder() / _name(name, wanted)
    if (made := _found(kept)) is None:
        made = link.sealed(emit.emit(wanted, tell))
        keep(kept, made)
    return kept.name, made


def _found(kept: Path) -> bytes | None:
    """What is in a file of the cache folder, and was used just now; None if it is not there, or not what was written."""
    try:
        content = kept.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # somebody else's
        os.utime(kept)
    sound = link.is_sealed(content) if kept.suffix == ".wasm" else _sum(content) in kept.name
    return content if sound else None


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def facts(name: str) -> dict[str, Any]:
    """What whoever runs a game's module has to know beside it, as plain data: sizes, and the computer players for every number of seats."""
    book = rulebook(name)
    rules, judge = book.rules, book.evaluation
    return {
        "name": name,
        "record": rules.State.itemsize,
        "actions": rules.ACTIONS,
        "mostLegal": rules.MOST_LEGAL,
        "mostSeats": rules.MOST_SEATS,
        "sides": list(rules.sides(rules.MOST_SEATS)),
        "hides": rules.hide is not hide_nothing,
        "scale": judge.SCALE,
        "room": list(judge.ROOM),
        "solveRoom": None if judge.solve is None else judge.SOLVE_ROOM,
        "players": {
            str(seats): {"search": search_of(name, seats), "levels": [asdict(level) for level in levels(name, seats)]}
            for seats in range(2, rules.MOST_SEATS + 1)
        },
    }


def _name(name: str, wanted: dict[str, Job]) -> str:
    """The file name of a game's module: it changes with anything that the module depends on."""
    summed = hashlib.sha256()
    for maker in (emit, link):
        summed.update(Path(str(maker.__file__)).read_bytes())
    for title, (rule, types) in wanted.items():
        summed.update(f"{title} {digest(rule)} {types}\n".encode())
    for filling in emit.tables_of(wanted.values()):
        summed.update(f"{digest(filling.rule)}\n".encode())
    return f"engine-{name}-{summed.hexdigest()[:16]}.wasm"


# --- what one sees ---

_HOSTED = ("chance", "legal", "apply", "outcome", "hide")  # rules that a translated function leaves to the module
_UNTOLD = ("info", "clock")  # hooks that only a server or a program asks for


def views(name: str) -> str:
    """A game's scene, notation and rounds as a module of JavaScript: `(py, host) => ({layout, scene, text, rounds})`."""
    book = rulebook(name)
    script = Script({rule: getattr(book.rules, rule) for rule in _HOSTED}, members=["rules"])  # as a rulebook has them, for `pictures`
    parts: dict[str, Any] = {"scene": book.scene, "text": book.text} | ({"rounds": book.rounds} if book.rounds else {})
    told = {part: {hook.name: getattr(hooks, hook.name) for hook in fields(hooks) if hook.name not in _UNTOLD} for part, hooks in parts.items()}
    pictures = {"past": Rulebook.past, "picture": Rulebook.picture, "meant": Rulebook.meant, "ACTIONS": book.rules.ACTIONS}
    options = {"options": book.options, "check": Option.check, "code": Option.code}
    return script.text({"layout": book.rules.State, **options, "book": pictures, "Scene": Scene, "Past": Past, **told})


# --- building, for pages ---


class Built(TypedDict, total=False):
    """What a page needs to play a game by itself, as names of files in the cache folder; or why it can't be had."""

    engine: str
    facts: str
    views: str
    wrong: str


def build(name: str) -> Built:
    """Make it all, or find it made."""
    built: Built = {
        "engine": _module(name)[0],
        "facts": _beside("facts", name, json.dumps(facts(name), separators=(",", ":")).encode(), "json"),
        "views": _beside("views", name, views(name).encode(), "js"),
    }
    for file in built.values():
        if _found(cache_folder() / str(file)) is None:
            raise OSError(f"{cache_folder()}: {file} can't be written there")
    return built


def _beside(part: str, name: str, content: bytes, kind: str) -> str:
    """Keep something that goes with a module, under the name that follows from its content."""
    kept = cache_folder() / f"{part}-{name}-{_sum(content)}.{kind}"
    keep(kept, content)
    return kept.name


def known(names: Sequence[str]) -> dict[str, Built] | None:
    """What was built of these games from the sources as they are now; None if something is missing."""
    try:
        found: dict[str, Built] = json.loads(mark("engines", names).read_bytes())
        files = [str(file) for built in found.values() for part, file in built.items() if part != "wrong"]
    except (OSError, ValueError, AttributeError):
        return None
    return found if all(_found(cache_folder() / file) is not None for file in files) else None


def build_all(names: Sequence[str]) -> dict[str, Built]:
    """Build for all these games what is not there yet, one process at a time, and tell of each in a line. Whatever a game prints goes elsewhere."""
    told = sys.stdout
    with redirect_stdout(sys.stderr), alone(index := mark("engines", names)):
        lasting = True
        found = known(names) or {}
        for name in names:
            if name not in found:
                try:
                    found[name] = build(name)
                except Exception as wrong:  # one game must not keep the others from being built
                    found[name] = {"wrong": f"{type(wrong).__name__}: {wrong}"[:300].replace("\n", " ")}
                    lasting = lasting and not isinstance(wrong, (OSError, MemoryError))
            print(json.dumps({name: found[name]}), file=told, flush=True)
        if lasting and index == mark("engines", names):  # a full disk may have room the next time; a source may have been changed meanwhile
            keep(index, json.dumps(found).encode())
    return found


def _work() -> None:
    """The process."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    if hasattr(os, "nice"):
        os.nice(10)  # who plays comes first, and who compiles

    def listen() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    build_all(sys.argv[1:])


if __name__ == "__main__":
    _work()
