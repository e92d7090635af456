"""Reverse Drop Chess: what a computer player thinks of a position."""

from hanpan.rule import Ints, Record, rule

from . import rules

SCALE = 400
LATE = 6


@rule
def values(s: Record, out: Ints) -> None:
    """The pieces, in hundredths."""
    rules.outcome(s, out)
    out[0] *= 100
    out[1] *= 100
