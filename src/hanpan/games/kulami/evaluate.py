"""Kulami: what a computer player thinks of a position."""

from hanpan.rule import Ints, Record, rule

from . import rules

SCALE = 300


@rule
def values(s: Record, out: Ints) -> None:
    """The points so far, in hundredths."""
    rules.outcome(s, out)
    out[0] *= 100
    out[1] *= 100
