"""What a game's folder may bring: every hook of every file, with its type and what is taken where the folder says nothing.

`docs/add-a-game.md` says what each hook means. A file is read once, by `read`; nobody else asks a folder what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from types import ModuleType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from hanpan.core.level import Level
from hanpan.core.option import Option, Value
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import Ints, Record, Rng, is_rule, rule
from hanpan.core.scene import Board, Look, Motion, Round
from hanpan.core.words import Phrase

Options = dict[str, Value]
Part = TypeVar("Part")


# --- what is taken where a folder says nothing ---


def _as_given(options: Options, given: Options) -> Options:
    return options


def _no_clock(options: Options) -> dict[str, Any]:
    return {"kind": "none"}


def _nothing_to_prepare(s: Record, options: Options) -> None:
    """`start` has done everything."""


def _not_foreign(text: str) -> str | None:
    return None


def _told_as_it_is(text: str) -> str:
    return text


def _read_as_it_is(text: str) -> Phrase | None:
    return None


def _no_motions(s: Record, a: int) -> Sequence[Motion]:
    return ()


def _no_chance_motions(s: Record, text: str) -> Sequence[Motion]:
    return ()


def _nothing_built(s: Record, a: int) -> Sequence[str]:
    return ()


def _nothing_to_say(s: Record, viewer: int) -> Phrase | None:
    return None


def _no_names(s: Record) -> tuple[str, ...]:
    return ()


def _as_it_is(s: Record, seat: int, a: int) -> int:
    """Actions look the same from every seat."""
    return a


as_it_is = rule(_as_it_is)


def _no_tie_break(s: Record, seat: int) -> int:
    """Equal points are equal."""
    return 0


no_tie_break = rule(_no_tie_break)


def _no_values(s: Record, out: Ints) -> None:
    for seat in range(out.size):
        out[seat] = 0


def _no_order(s: Record, a: int) -> int:
    return 0


def _rank_by(order: Any) -> Any:
    @rule
    def rank(s: Record, actions: Ints, n: int, ranks: Any) -> None:
        for i in range(n):
            ranks[i] = order(s, int(actions[i]))

    return rank


def _no_prune(s: Record, actions: Ints, n: int, depth: int) -> int:
    return n


def _all_plausible(s: Record, seat: int, past: Any, actions: Ints, ranks: Any) -> int:
    return 0


def _no_ahead(s: Record, actions: Ints, n: int, beta: int, won: int) -> tuple[int, int]:
    return 0, 0


def _not_settled(s: Record, depth: int) -> int:
    return 0


def _no_guess(s: Record, used: Any) -> int:
    return -1


no_values, no_order, no_prune = rule(_no_values), rule(_no_order), rule(_no_prune)
no_ahead, not_settled, all_plausible, no_guess = rule(_no_ahead), rule(_not_settled), rule(_all_plausible), rule(_no_guess)


# --- the files of a folder ---


@dataclass(frozen=True)
class Rules:
    """rules.py: what the game is."""

    State: np.dtype[Any]
    OPTIONS: tuple[Option, ...]
    ACTIONS: int
    MOST_LEGAL: int
    MOST_SEATS: int
    seats: Callable[[Record], int]
    start: Callable[..., None]
    mover: Callable[[Record], int]
    legal: Callable[[Record, Ints], int]
    apply: Callable[[Record, int], None]
    chance: Callable[[Record, Rng], None]
    outcome: Callable[[Record, Ints], int]
    forced: Callable[[Record, Rng], int]
    hide: Callable[[Record, int], None]
    imagine: Callable[[Record, int, Rng], None]
    actions: Callable[[Record], int] | None = None
    tie_break: Callable[[Record, int], int] = no_tie_break
    SIDES: tuple[int, ...] = ()
    TIME_OUT: Literal["loses", "forced"] = "loses"
    LEAVING: Literal["waits", "resigns"] = "waits"
    TIMED: bool = False

    def sides(self, seats: int) -> tuple[int, ...]:
        """The side that each of so many seats plays for: partners share one, otherwise everyone is on their own."""
        return (self.SIDES or tuple(range(seats)))[:seats]

    def action_space(self, s: Record) -> int:
        """How many numbers actions can have, under the options of this record."""
        return int(self.ACTIONS if self.actions is None else self.actions(s))


@dataclass(frozen=True)
class Text:
    """text.py: its notation."""

    format_position: Callable[[Record], str]
    parse_position: Callable[[Record, str, int], None]
    format_action: Callable[[Record, int], str]
    parse_action: Callable[[Record, str], int]
    refusal: Callable[[Record, int], IllegalAction]
    draw_chance: Callable[[Record, Rng], str]
    parse_chance: Callable[[Record, str], None]
    settle: Callable[[Options, Options], Options] = _as_given
    clock: Callable[[Options], dict[str, Any]] = _no_clock
    prepare: Callable[[Record, Options], None] = _nothing_to_prepare
    foreign_position: Callable[[str], str | None] = _not_foreign
    drawn_: Mapping[str, Callable[[Record], str | None]] = field(default_factory=dict)  # by option: all hooks whose names begin so
    told: Callable[[Record, int], str] | None = None
    told_chance: Callable[[str], str] = _told_as_it_is
    spoken: Callable[[str], Phrase | None] = _read_as_it_is
    heard: Callable[[str], Phrase | None] = _read_as_it_is
    info: Callable[[Record, int], dict[str, Any]] | None = None
    SHORTHANDS: Mapping[str, str] = field(default_factory=dict)
    PRESETS: Mapping[str, Mapping[str, Options]] = field(default_factory=dict)  # by option and choice: what `settle` makes of the other options


@dataclass(frozen=True)
class Sight:
    """scene.py: what one sees."""

    COLOURS: tuple[str, ...]
    board: Callable[[Record, int], Board]
    look: Callable[[Record, int], Look]
    clicks: Callable[[Record, int], Sequence[str]]
    trail: Callable[[Record, int], Sequence[str]] | None = None
    motions: Callable[[Record, int], Sequence[Motion]] = _no_motions
    chance_motions: Callable[[Record, str], Sequence[Motion]] = _no_chance_motions
    built: Callable[[Record, int], Sequence[str]] = _nothing_built
    reason: Callable[[Record, int], Phrase | None] = _nothing_to_say
    prompt: Callable[[Record, int], Phrase | None] = _nothing_to_say


@dataclass(frozen=True)
class Rounds:
    """rounds.py: a game in parts."""

    closed: Callable[[Record, str], bool]
    account: Callable[[Record], Round]


@dataclass(frozen=True)
class Observe:
    """observe.py: what a learning machine sees."""

    shape: Callable[[Record], tuple[int, int, int]]
    observe: Callable[[Record, int, Any, Any], None]
    planes: Callable[[Record], tuple[str, ...]] = _no_names
    seen_action: Callable[[Record, int, int], int] = as_it_is
    mark_legal: Callable[[Record, Any], None] | None = None


@dataclass(frozen=True)
class Symmetry:
    """symmetry.py: positions that are the same game."""

    symmetries: Callable[[Record], int]
    image: Callable[[Record, int, Record], None]
    image_action: Callable[[Record, int, int], int]
    image_seat: Callable[[Record, int, int], int]


@dataclass(frozen=True)
class Traces:
    """traces.py: trace lines that only this game has."""

    check: Callable[[dict[str, Any], Callable[..., Any]], str | None]
    check_round: Callable[[dict[str, Any], Callable[..., Any]], str | None] | None = None


@dataclass(frozen=True)
class Evaluation:
    """evaluate.py: what a computer player thinks of positions and actions."""

    values: Callable[[Record, Ints], None] = no_values
    order: Callable[[Record, int], int] = no_order
    rank: Callable[[Record, Ints, int, Any], None] | None = None
    prune: Callable[[Record, Ints, int, int], int] = no_prune
    ahead: Callable[[Record, Ints, int, int, int], tuple[int, int]] = no_ahead
    candidates: Callable[[Record, Ints, Any, int, Any], int] | None = None
    guess: Callable[[Record, Any], int] = no_guess
    skip: Callable[[Record], None] | None = None
    settled: Callable[[Record, int], int] = not_settled
    plausible: Callable[[Record, int, Any, Ints, Any], int] = all_plausible
    solve: Callable[..., int] | None = None
    SCALE: int = 100
    LATE: int = 4
    MARGIN: int = 0
    ROOM: tuple[int, int] = (1, 1)
    SOLVE_ROOM: tuple[tuple[int, ...], ...] = ()
    SEARCH: Literal["", "tree"] = ""
    LEVELS: tuple[Level, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the game judges at all; if not, only play to the end tells."""
        return self.values is not no_values

    @property
    def looks_ahead(self) -> bool:
        """Whether it can judge a ply further."""
        return self.ahead is not no_ahead

    @property
    def settles(self) -> bool:
        """Whether it sees some wins without a search."""
        return self.settled is not not_settled

    @property
    def tree(self) -> bool:
        """Whether tree search plays this game better than alpha-beta, for two seats too."""
        return self.SEARCH == "tree"

    @cached_property
    def ranking(self) -> Callable[[Record, Ints, int, Any], None]:
        """How actions are ranked: all together, or one by one in the game's order."""
        ranked: Callable[[Record, Ints, int, Any], None] = self.rank or _rank_by(self.order)
        return ranked


# --- reading them ---


def module(package: str, file: str) -> ModuleType | None:
    """A file of a game's folder, or None if the folder does without it."""
    name = f"{package}.{file}"
    return import_module(name) if find_spec(name) else None


def read(part: type[Part], found: ModuleType) -> Part:
    """A file's hooks; TypeError names one that it has to bring and does not, or that can't be called as it will be."""
    brought: dict[str, Any] = {}
    for hook in fields(part):  # type: ignore[arg-type]
        if hook.name.endswith("_"):
            brought[hook.name] = {name.removeprefix(hook.name): value for name, value in vars(found).items() if name.startswith(hook.name)}
        elif hook.name in vars(found):
            brought[hook.name] = vars(found)[hook.name]
        elif hook.default is MISSING and hook.default_factory is MISSING:
            raise TypeError(f"{found.__name__} has no `{hook.name}`")
    for name, value in brought.items():
        if (wrong := _misfit(part, name, value, brought)) is not None:
            raise TypeError(f"{found.__name__}: `{name}` {wrong}")
    return part(**brought)


_RULES = (Rules, Symmetry, Evaluation)  # files whose functions are all rules


def _misfit(part: type[Any], name: str, value: Any, brought: Mapping[str, Any]) -> str | None:
    """What is wrong with a hook, as far as that can be told without calling it."""
    if name == "OPTIONS" and not (isinstance(value, tuple) and all(isinstance(option, Option) for option in value)):
        return "is not a tuple of `Option`s; a tuple of one has a comma: `(Option(…),)`"
    hint = get_type_hints(part)[name]
    called = next((kind for kind in (hint, *get_args(hint)) if get_origin(kind) is Callable), None)
    if called is None or value is None or isinstance(value, Mapping):
        return None
    if not callable(value):
        return f"is no function, but {type(value).__name__}"
    if part in _RULES and not is_rule(value):
        return "is no rule: write `@rule` above it"
    given = get_args(called)[0]
    if given is ... and name != "start":  # that depends on more than the file
        return None
    number = 1 + len(brought["OPTIONS"]) if given is ... else len(given)
    takes = signature(getattr(value, "py_func", value))
    try:
        takes.bind(*range(number))
    except TypeError:
        return f"is called with {number} value{'s' * (number > 1)}, and takes {takes}"
    return None
