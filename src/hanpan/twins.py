"""Whether a game's rules do the same as plain Python and compiled: number for number, record for record, in games at random.

A small field that overflows, a mix of signed and unsigned numbers, a shift too far: Python and machine code each give something, and neither says a word.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hanpan.checks import PLIES, SEEDS, Finding, variants
from hanpan.core.reading import quoted
from hanpan.core.rule import CHANCE, OVER, SPECTATOR, Record, plain, rng
from hanpan.game import Game, game
from hanpan.rulebook import rulebook

_NAMES = {"legal_of": "legal", "mover_of": "mover", "apply_to": "apply", "outcome_of": "outcome"}


def differences(name: str, tell: Callable[[str], None] = lambda _: None) -> Iterator[Finding]:
    """The first difference of each rule; `tell` is told which options are looked at."""
    told = set()
    for options in variants(rulebook(name).options):
        try:
            chosen = game(name, **options)
        except ValueError:  # options that do not go together
            continue
        tell(", ".join(f"{key}={value}" for key, value in options.items()) or "plain options")
        for seed in range(1 if options else SEEDS):
            for finding in _played(chosen, seed):
                if finding.where not in told:  # once is enough
                    yield finding
                told.add(finding.where)


def _played(chosen: Game, seed: int) -> Iterator[Finding]:
    """A game at random; it ends with the first difference."""
    book, dice, draws = chosen.book, random.Random(seed), rng(seed)
    rules, record = book.rules, np.zeros(1, chosen.book.rules.State)
    codes = [option.code(chosen.options[option.name]) for option in book.options]
    found = list(_both(rules.start, record, "record", *codes))
    record = chosen.start().record.copy()
    for _ in range(PLIES):
        found += _both(book.mover, record, "array")
        found += _both(book.outcome, record, "array", book.scores_buffer())
        who = int(book.mover(record))
        for viewer in range(SPECTATOR, chosen.seats):
            found += _both(rules.hide, record, "record", viewer)
        if who >= 0:
            found += _both(book.legal, record, "array", book.actions_buffer())
            found += _both(rules.forced, record, "record", draws.copy())
            hidden = record.copy()
            rules.hide(hidden[0], who)
            found += _both(rules.imagine, hidden, "record", who, draws.copy())
        elif who == CHANCE:
            found += _both(rules.chance, record, "record", draws.copy())
        if not found and who >= 0:
            action = dice.choice(book.listed(record))
            found += _both(book.apply, record, "array", action)
            book.apply(record, action)
        yield from found
        if found or who == OVER:
            return
        if who == CHANCE:
            rules.chance(record[0], draws)


def _both(rule: Any, record: Record, way: str, *arguments: Any) -> Iterator[Finding]:
    """What a rule, called both ways with copies of the same, makes otherwise."""
    made = []
    for function in (plain(rule), rule):
        own, others = record.copy(), [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # it is the numbers that count
            answer = function(own if way == "array" else own[0], *others)
        made.append((None if answer is None else int(answer), own, others))
    (one, before, drawn), (other, after, compiled) = made
    where = f"rules.py: `{_NAMES.get(rule.py_func.__name__, rule.py_func.__name__)}`"
    count = one if rule.py_func.__name__ == "legal_of" and one is not None else None
    lists = zip(drawn, compiled, strict=True)
    if one != other:
        yield Finding(where, f"gives {quoted(one)} as plain Python and {quoted(other)} compiled")
    elif before.tobytes() != after.tobytes():
        field = next(field for field in before.dtype.names if before[field].tobytes() != after[field].tobytes())
        yield Finding(where, f"leaves {quoted(before[field][0])} in `{field}` as plain Python and {quoted(after[field][0])} compiled")
    elif any(isinstance(mine, np.ndarray) and mine[:count].tolist() != theirs[:count].tolist() for mine, theirs in lists):
        yield Finding(where, "writes other numbers as plain Python than compiled")
