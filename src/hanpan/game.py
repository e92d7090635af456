"""Game and State: the public face of any game, and the registry that finds games by name."""

from __future__ import annotations

import dataclasses
import pkgutil
import threading
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

import hanpan.games as folder  # loaded before `hanpan` gives its name to the function `games`, so that it is never taken back
from hanpan.core import words
from hanpan.core.option import Option, Value
from hanpan.core.reading import is_text, label, quoted
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import CHANCE, INTERPRET, OVER, SPECTATOR, Record, hide_nothing, rng, rule
from hanpan.core.scene import Board, Look, Mark, Past, Round, Scene
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase

_OPEN = -3  # the viewer who sees everything: the server itself, or players who share all they know


@cache
def _packages() -> dict[str, str]:
    """Where each game's package is: the folders under hanpan.games, and entry points of the group `hanpan.games`."""
    found = {module.name: f"hanpan.games.{module.name}" for module in pkgutil.iter_modules(folder.__path__) if module.ispkg}
    for point in entry_points(group="hanpan.games"):
        found.setdefault(point.name, point.value)
    return dict(sorted(found.items()))


def games() -> list[str]:
    """The names of all games.

    >>> "kulami" in games()
    True
    """
    return list(_packages())


def game(name: str, /, **options: Value) -> Game:
    """A game with its options.

    >>> game("kulami", level=1).options["level"]
    1
    >>> game("kulami", level=9)
    Traceback (most recent call last):
    hanpan.core.unfit.Unfit: level: 9 is not in 0…2
    """
    if not isinstance(name, str) or name not in _packages():
        raise Unfit("game", given=quoted(name), games=", ".join(games()))
    return Game(name, options)


def _on_arrays(rules: ModuleType) -> tuple[Any, Any, Any, Any]:
    """mover, legal, apply and outcome of the one record in an array: Numba takes an array ten times as fast as a record."""
    mover, legal, apply, outcome = rules.mover, rules.legal, rules.apply, rules.outcome

    @rule
    def mover_of(record: Any) -> Any:
        return mover(record[0])

    @rule
    def legal_of(record: Any, out: Any) -> Any:
        return legal(record[0], out)

    @rule
    def apply_to(record: Any, action: int) -> None:
        apply(record[0], action)

    @rule
    def outcome_of(record: Any, out: Any) -> Any:
        return outcome(record[0], out)

    return mover_of, legal_of, apply_to, outcome_of


class Rulebook:
    """Everything a game's package says, loaded once: rules, text, scene and words."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.package = _packages()[name]
        self.rules: ModuleType = import_module(f"{self.package}.rules")
        self.text: ModuleType = import_module(f"{self.package}.text")
        self.scene: ModuleType = import_module(f"{self.package}.scene")
        self.rounds: ModuleType | None = import_module(f"{self.package}.rounds") if find_spec(f"{self.package}.rounds") else None
        self.options: tuple[Option, ...] = self.rules.OPTIONS
        self.mover, self.legal, self.apply, self.outcome = _on_arrays(self.rules)
        self.make_ready()

    def make_ready(self) -> None:
        """Have the machine code of all that is called from outside the rules."""
        if INTERPRET:
            return
        from hanpan.core.compiled import make_ready

        record = np.zeros(1, self.rules.State)
        s, r, rules = record[0], rng(0), self.rules
        jobs = [(rules.start, (s, *(0 for _ in self.options))), (self.mover, (record,)), (self.legal, (record, self.actions_buffer()))]
        jobs += [(self.apply, (record, 0)), (self.outcome, (record, self.scores_buffer()))]
        jobs += [(rules.seats, (s,)), (rules.chance, (s, r)), (rules.forced, (s, r)), (rules.hide, (s, 0)), (rules.imagine, (s, 0, r))]
        make_ready(f"{self.name}'s rules", jobs)

    def actions_buffer(self) -> Any:
        """Room for the longest list of legal actions."""
        return np.empty(self.rules.MOST_LEGAL, np.int32)

    def scores_buffer(self) -> Any:
        """Room for one score a seat."""
        return np.zeros(self.rules.MOST_SEATS, np.int32)

    def say(self, phrase: words.Phrase, language: str = "en") -> str:
        """A phrase in this game's words."""
        return words.say(self.package, phrase, language)


_opening = threading.RLock()  # two who open a rulebook at once shall not both compile it


def rulebook(name: str) -> Rulebook:
    """The rulebook of a game, loaded at its first use."""
    with _opening:
        return _rulebook(name)


@cache
def _rulebook(name: str) -> Rulebook:
    return Rulebook(name)


def package(name: str) -> str:
    """Where a game's words and pages are."""
    return _packages()[name]


class Game:
    """A game and its options: makes positions."""

    def __init__(self, name: str, options: dict[str, Value]) -> None:
        self.name = name
        self.book = rulebook(name)
        self.options = self._check(options)
        self._first = np.zeros(1, self.book.rules.State)
        self.book.rules.start(self._first[0], *(option.code(self.options[option.name]) for option in self.book.options))
        if hasattr(self.book.text, "prepare"):
            self.book.text.prepare(self._first[0], self.options)
        self.seats: int = int(self.book.rules.seats(self._first[0]))

    def _check(self, given: dict[str, Value]) -> dict[str, Value]:
        known = {option.name: option for option in self.book.options}
        for key in given:
            if key not in known:
                raise Unfit("no-option", option=label(key), game=self.name, options=", ".join(known) or "–")
        checked = {key: option.check(given.get(key, option.default)) for key, option in known.items()}
        if hasattr(self.book.text, "settle"):
            checked = self.book.text.settle(checked, given)
        return checked

    @property
    def clock(self) -> dict[str, Any]:
        """The clock that people usually play this game with, as plain data of a table's settings."""
        usual = getattr(self.book.text, "clock", None)
        return {"kind": "none"} if usual is None else dict(usual(self.options))

    @property
    def timed(self) -> bool:
        """Whether a table has that clock unless it is told otherwise."""
        return bool(getattr(self.book.rules, "TIMED", False))

    def start(self, seed: int | None = None) -> State:
        """The very first position; with a seed, what chance decides first is drawn from it until a seat can act."""
        state = State(self, self._first.copy(), _OPEN)
        if seed is None:
            return state
        r = rng(seed)
        while state.chance:
            state = state._draw_and_play(r)[1]
        return state

    def parse(self, text: str, viewer: int | None = _OPEN) -> State:
        """The position that a text describes; with a viewer (a seat, or None for a spectator), the view that it describes."""
        if not is_text(text):
            raise Unfit("field-text", field="position", given=quoted(text))
        text = self._own_words(text)
        record = self._first.copy()
        self.book.text.parse_position(record[0], text, self._seat_number(viewer))
        state = State(self, record, self._seat_number(viewer))
        if str(state) != text:
            raise Unfit("canonical", text=repr(str(state)))
        return state

    def _own_words(self, text: str) -> str:
        """A position as other programs write it, if the game knows such a way (`text.foreign_position`), in the game's own words."""
        read = getattr(self.book.text, "foreign_position", None)
        return text if read is None else read(text) or text

    def _seat_number(self, viewer: int | None) -> int:
        if viewer is None:
            return SPECTATOR
        if viewer == _OPEN and not isinstance(viewer, bool):
            return _OPEN
        if isinstance(viewer, bool) or not isinstance(viewer, int) or not 0 <= viewer < self.seats:
            raise ValueError(f"seat: {quoted(viewer)} is not in 0…{self.seats - 1}")
        return viewer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> Any:
        return _remake_game, (self.name, self.options)

    def __repr__(self) -> str:
        chosen = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"hanpan.game({self.name!r}{chosen})"


def _remake_game(name: str, options: dict[str, Value]) -> Game:
    return Game(name, options)


def _copy(record: Any) -> Any:
    """A record's bytes in a new place: numpy's own copy goes field by field, which takes several times as long."""
    return record.view(np.uint8).copy().view(record.dtype)


_NO_PAST = Past()


class State:
    """A position of a game, or what one viewer may know of it. It never changes; `play` gives a new one."""

    def __init__(self, game: Game, record: Any, viewer: int, past: Past = _NO_PAST, whole: State | None = None, closing: State | None = None) -> None:
        self.game, self._record, self._viewer, self._past = game, record, viewer, past
        self.closing = closing  # how the part of the game lay that the last action ended, seen with the same eyes
        self._whole = whole  # the open position, if this view of it hides nothing: then what one has found out, the other knows

    # --- who acts, and how it stands ---

    @cached_property
    def _mover(self) -> int:
        return self._whole._mover if self._whole is not None else int(self.game.book.mover(self._record))

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the game is over or chance is to act."""
        return self._mover if self._mover >= 0 else None

    @property
    def chance(self) -> bool:
        """True when chance is to act."""
        return self._mover == CHANCE

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self._mover == OVER

    @cached_property
    def _outcome(self) -> tuple[list[int], int]:
        if self._whole is not None:
            return self._whole._outcome
        out = self.game.book.scores_buffer()
        winners = int(self.game.book.outcome(self._record, out))
        return out[: self.game.seats].tolist(), winners

    @property
    def scores(self) -> list[int]:
        """The current score of each seat."""
        return list(self._outcome[0])

    @property
    def winner(self) -> list[int] | None:
        """The winning seats; [] for a draw; None while the game is played."""
        return [seat for seat in range(self.game.seats) if self._outcome[1] >> seat & 1] if self.over else None

    # --- actions ---

    @cached_property
    def _actions(self) -> dict[str, int]:
        """Legal actions of the seat to act, by text, sorted."""
        if self._mover < 0 or self._viewer not in (_OPEN, self._mover):
            return {}
        if self._whole is not None:
            return self._whole._actions
        s, out = self._record[0], self.game.book.actions_buffer()
        n = self.game.book.legal(self._record, out)
        name = self.game.book.text.format_action
        return dict(sorted((name(s, a), a) for a in out[:n].tolist()))

    def legal(self) -> list[str]:
        """All legal actions as sorted texts; empty when no seat (or, in a view, not the viewer's own seat) is to act."""
        return list(self._actions)

    def play(self, text: str) -> State:
        """The position after an action, or after what chance decided. IllegalAction if it is not allowed here."""
        try:
            return self._play(text)
        except IllegalAction as refused:
            sentence = self.game.book.say(refused.phrase)
            raise IllegalAction(refused.code, sentence, **refused.values) from None

    def _play(self, text: str) -> State:
        book, s = self.game.book, self._record[0]
        if self.over:
            raise IllegalAction("over")
        if not is_text(text):
            raise IllegalAction("unreadable", text=quoted(text))
        record = _copy(self._record)
        if self.chance:
            book.text.parse_chance(record[0], text)
            if self._viewer != _OPEN:
                book.rules.hide(record[0], self._viewer)
            return self._next(text, record, self._chance_past(record, text))
        if self._viewer not in (_OPEN, self._mover):
            raise IllegalAction("not-your-turn", seat=self._mover + 1)
        action = self._actions.get(text)
        if action is None:
            unknown = book.text.parse_action(s, text)
            raise book.text.refusal(s, unknown)
        trail = book.scene.trail(s, action) if hasattr(book.scene, "trail") else book.scene.clicks(s, action)
        motions = book.scene.motions(s, action) if hasattr(book.scene, "motions") else ()
        builders = self._past.builders
        if hasattr(book.scene, "built"):
            builders = builders | dict.fromkeys(book.scene.built(s, action), self._mover)
        book.apply(record, action)
        return self._next(text, record, Past(tuple(trail), tuple(motions), builders))

    def _chance_past(self, record: Any, text: str) -> Past:
        """How what chance decided is shown."""
        scene = self.game.book.scene
        motions = scene.chance_motions(record[0], text) if hasattr(scene, "chance_motions") else ()
        return Past(motions=tuple(motions), builders=self._past.builders)

    def _next(self, text: str, record: Any, past: Past) -> State:
        """The position after an action, with how the part of the game lay that it ended."""
        following, rounds = State(self.game, record, self._viewer, past), self.game.book.rounds
        if rounds is not None and following.seat is None:
            lay = _copy(self._record)
            if rounds.closed(lay[0], text):
                if self._viewer != _OPEN:
                    self.game.book.rules.hide(lay[0], self._viewer)
                following.closing = State(self.game, lay, self._viewer, past)
        return following

    def draw(self, seed: int) -> str:
        """One chance action, drawn from the seed."""
        if not self.chance:
            raise ValueError("draw: chance is not to act here")
        return self._draw_and_play(rng(seed))[0]

    def _draw_and_play(self, r: Any) -> tuple[str, State]:
        record = _copy(self._record)
        text = str(self.game.book.text.draw_chance(record[0], r))
        return text, self._next(text, record, self._chance_past(record, text))

    def forced(self, seed: int, draft: tuple[str, ...] | list[str] = ()) -> str:
        """What is played for the seat to act when its time is up. A draft (the clicks made so far) is kept where the rules say so."""
        if self._mover < 0:
            raise ValueError("forced: no seat is to act here")
        if self._viewer not in (_OPEN, self._mover):
            raise ValueError(f"forced: seat {self._mover} is to act, and this is the view of {self._viewer_name()}")
        if len(draft) > 1 and draft[0] != draft[1]:  # something has moved
            kept = [text for text in self._actions if self.clicks(text)[: len(draft)] == tuple(draft)]
            if kept:
                return kept[int(rng(seed, 1)[0]) % len(kept)]
        action = int(self.game.book.rules.forced(self._record[0], rng(seed)))
        return str(self.game.book.text.format_action(self._record[0], action))

    # --- texts, views and pictures ---

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        return self._whole._text if self._whole is not None else str(self.game.book.text.format_position(self._record[0]))

    def view(self, seat: int | None) -> State:
        """What that seat (None: a spectator) may know."""
        viewer = self.game._seat_number(seat)
        if self._viewer not in (_OPEN, viewer):
            raise ValueError(f"seat: this is already the view of {self._viewer_name()}")
        if viewer == _OPEN:
            raise ValueError(f"seat: {quoted(seat)} is not in 0…{self.game.seats - 1}")
        if self.game.book.rules.hide is hide_nothing:
            closing = None if self.closing is None else self.closing.view(seat)
            return State(self.game, self._record, viewer, self._past, self._whole or self, closing)
        record = _copy(self._record)
        self.game.book.rules.hide(record[0], viewer)
        closing = None if self.closing is None else self.closing.view(seat)
        return State(self.game, record, viewer, self._past, closing=closing)

    @property
    def viewer(self) -> int | None:
        """The seat whose view this is; None for a spectator's view, and for the open position."""
        return self._viewer if self._viewer >= 0 else None

    def _viewer_name(self) -> str:
        return f"seat {self._viewer}" if self._viewer >= 0 else "a spectator"

    def imagine(self, seed: int) -> State:
        """An open position that looks like this view to its viewer: what it hides is filled with a consistent guess."""
        record = _copy(self._record)
        if self._viewer != _OPEN:
            self.game.book.rules.imagine(record[0], self._viewer, rng(seed))
        return State(self.game, record, _OPEN)

    def info(self) -> dict[str, Any]:
        """The position as plain data for programs, in the game's own terms."""
        text = self.game.book.text
        if hasattr(text, "info"):
            return dict(text.info(self._record[0], self._viewer))
        return {"position": str(self), "seat": self.seat, "scores": self.scores}

    def account(self) -> Round | None:
        """What the part of the game brought that the last action ended; None if it ended none."""
        rounds = self.game.book.rounds
        if self.closing is None or rounds is None:
            return None
        found: Round = rounds.account(self.closing._record[0])
        return found

    def told(self, text: str, seat: int | None) -> str:
        """How an action of the seat to act is told to another seat (None: a spectator): without what it may not know."""
        viewer = self.game._seat_number(seat)
        if not is_text(text) or text not in self._actions:
            raise ValueError(f"told: {quoted(text)} is not legal here")
        if viewer == self._mover or not hasattr(self.game.book.text, "told"):
            return text
        return str(self.game.book.text.told(self._record[0], self._actions[text]))

    def spoken(self, text: str) -> Phrase | None:
        """An action, as it is told, in the game's words; None where its text is what people read."""
        teller = getattr(self.game.book.text, "spoken", None)
        found: Phrase | None = None if teller is None else teller(text)
        return found

    def told_chance(self, text: str) -> str:
        """How a chance action played here is told to everyone: without what it hides."""
        teller = getattr(self.game.book.text, "told_chance", None)
        return text if teller is None else str(teller(text))

    def clicks(self, text: str) -> tuple[str, ...]:
        """The places a person points at, one after the other, to play a legal action."""
        if not is_text(text) or text not in self._actions:
            raise ValueError(f"clicks: {quoted(text)} is not legal here")
        return tuple(self.game.book.scene.clicks(self._record[0], self._actions[text]))

    def why_not(self, places: tuple[str, ...] | list[str]) -> IllegalAction | None:
        """Why no legal action of the seat to act begins with pointing at these places; None if one does, or if there is nothing to say."""
        s, book, wanted = self._record[0], self.game.book, tuple(places)
        if self._mover < 0 or self._viewer not in (_OPEN, self._mover):
            return None
        if any(self.clicks(text)[: len(wanted)] == wanted for text in self._actions):
            return None
        meant: int | None = None  # an action that is whole with these places is meant rather than one that they begin
        for action in range(book.rules.ACTIONS):
            try:
                path = tuple(book.scene.clicks(s, action))
            except (ValueError, IndexError, KeyError, StopIteration):  # what is far from legal need not have a path
                continue
            if path == wanted:
                meant = action
                break
            if meant is None and path[: len(wanted)] == wanted:
                meant = action
        if meant is None:
            return None
        refused: IllegalAction = book.text.refusal(s, meant)
        return IllegalAction(refused.code, book.say(refused.phrase), **refused.values)

    def scene(self, targets: bool = False) -> Scene:
        """What is seen; with targets, also the places that a legal action begins with. A part of the game that has ended lies there until the next begins."""
        s, scene = self._record[0], self.game.book.scene
        reason = scene.reason(s, self._viewer) if self.over and hasattr(scene, "reason") else None
        if self.closing is not None:
            return dataclasses.replace(self.closing.scene(), reason=reason)
        board: Board = scene.board(s, self._viewer)
        look: Look = scene.look(s, self._viewer)
        known = {place.id for place in board.places}
        halo = tuple(Mark(place, "last") for place in self._past.trail if place in known)
        builders = self._past.builders
        pieces = (
            tuple(dataclasses.replace(piece, seat=builders[piece.id]) if piece.id in builders else piece for piece in look.pieces) if builders else look.pieces
        )
        look = dataclasses.replace(look, pieces=pieces, marks=look.marks + halo)
        first = tuple(sorted({self.clicks(text)[0] for text in self._actions})) if targets else ()
        prompt = scene.prompt(s, self._viewer) if self._mover >= 0 and hasattr(scene, "prompt") else None
        return Scene(board, look, scene.COLOURS[: self.game.seats], self.seat, first, self._past.motions, reason, prompt)

    def svg(self, theme: str = "auto", targets: bool = False, language: str = "en") -> str:
        """A picture: theme `light`, `dark`, or `auto` to follow the reader's setting."""
        from hanpan.draw.svg import svg

        return svg(self.scene(targets), self.game.book, theme, language)

    def ascii(self, targets: bool = False, language: str = "en") -> str:
        """A drawing in letters, for terminals."""
        from hanpan.draw.terminal import drawing

        return drawing(self.scene(targets), self.game.book, language)

    # --- as a value ---

    def forget(self) -> None:
        """Keep no more than the position itself: whatever was found out about it is found out again when it is asked for."""
        for known in ("_actions", "_text", "_outcome"):
            self.__dict__.pop(known, None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Game, int, bytes]:
        return self.game, self._viewer, self._record.tobytes()

    def __reduce__(self) -> Any:
        return _remake_state, (self.game, self._record.tobytes(), self._viewer, self._past, self.closing)

    def __repr__(self) -> str:
        seen = "" if self._viewer == _OPEN else f" as seen by {self._viewer_name()}"
        return f"<{self.game.name} {str(self)!r}{seen}>"

    @property
    def record(self) -> Record:
        """A copy of the record behind this position, for compiled code: an array of one."""
        return _copy(self._record)


def _remake_state(game: Game, data: bytes, viewer: int, past: Past, closing: State | None = None) -> State:
    return State(game, np.frombuffer(data, game.book.rules.State).copy(), viewer, past, closing=closing)
