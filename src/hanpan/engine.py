"""A game's rules and computer players as one WebAssembly module: for the page, and for whoever wants them in a sandbox.

A module is kept beside the compiled rules, under a name that follows from the rules' byte code, so that nobody ever mixes two versions.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from hanpan.core import maths
from hanpan.core.compiled import Job, cache_folder, digest, keep, signature
from hanpan.core.wasm import emit, link
from hanpan.rulebook import rulebook
from hanpan.workshop import jobs_of


def jobs(name: str) -> dict[str, Job]:
    """What a game's module exports: whatever playing it calls, and the two functions of `core.maths`."""
    book = rulebook(name)
    hooks = {id(getattr(book.rules, hook)): hook for hook in ("start", "seats", "chance", "forced", "hide", "imagine")} | {id(book.evaluation.prune): "prune"}
    found: dict[str, Job] = {}
    for rule, types in [*jobs_of(name), *((rule, signature((0.0,))) for rule in (maths.exp, maths.log))]:
        title = hooks.get(id(rule)) or rule.py_func.rule_name.rpartition(".")[2]
        if found.setdefault(title, (rule, types))[0] is not rule:
            raise ValueError(f"{name}: two rules that are called from outside have the name {title!r}")
    return found


def module(name: str) -> bytes:
    """A game's module: from the disk, or made now (some seconds, if its rules are compiled already)."""
    wanted = jobs(name)
    kept = cache_folder() / _name(name, wanted)
    try:
        made = kept.read_bytes()
        os.utime(kept)
    except OSError:
        made = emit.emit(wanted)
        keep(kept, made)
    return made


def _name(name: str, wanted: dict[str, Job]) -> str:
    """The file name of a game's module: it changes with anything that the module depends on."""
    summed = hashlib.sha256()
    for maker in (emit, link):
        summed.update(Path(str(maker.__file__)).read_bytes())
    for title, (rule, types) in wanted.items():
        summed.update(f"{title} {digest(rule)} {types}\n".encode())
    return f"engine-{name}-{summed.hexdigest()[:16]}.wasm"
