"""Game and State: the public face of any game."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from hanpan.core.option import Value
from hanpan.core.reading import is_text, label, number_in, quoted
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import CHANCE, OPEN, OVER, SPECTATOR, Record, Rng, copied, hide_nothing, rng
from hanpan.core.scene import Motion, Past, Round, Scene
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase
from hanpan.rulebook import check_name, games, rulebook

__all__ = ["Game", "State", "game", "games"]


def game(name: str, /, **options: Value) -> Game:
    """A game with its options.

    >>> game("kulami", level=1).options["level"]
    1
    >>> game("kulami", level=9)
    Traceback (most recent call last):
    hanpan.core.unfit.Unfit: level: 9 is not in 0…2
    """
    return Game(check_name(name), options)


class Game:
    """A game and its options: makes positions."""

    def __init__(self, name: str, options: dict[str, Value]) -> None:
        self.name = name
        self.book = rulebook(name)
        self.options = self._check(options)
        self._first = np.zeros(1, self.book.rules.State)
        self.book.rules.start(self._first[0], *(option.code(self.options[option.name]) for option in self.book.options))
        self.book.text.prepare(self._first[0], self.options)
        self.seats: int = int(self.book.rules.seats(self._first[0]))

    def _check(self, given: dict[str, Value]) -> dict[str, Value]:
        known = {option.name: option for option in self.book.options}
        for key in given:
            if key not in known:
                raise Unfit("no-option", option=label(key), game=self.name, options=", ".join(known) or "–")
        plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in given.items()}  # NumPy's can't be written down
        checked = {key: option.check(plain.get(key, option.default)) for key, option in known.items()}
        return self.book.text.settle(checked, plain)

    @property
    def clock(self) -> dict[str, Any]:
        """The clock that people usually play this game with, as plain data of a table's settings."""
        return dict(self.book.text.clock(self.options))

    @property
    def timed(self) -> bool:
        """Whether a table has that clock unless it is told otherwise."""
        return self.book.rules.TIMED

    def start(self, seed: int | None = None) -> State:
        """The very first position; with a seed, what chance decides first is drawn from it until a seat can act."""
        state = State(self, self._first.copy(), OPEN)
        if seed is None:
            return state
        r = rng(seed)
        while state.chance:
            state = state.draw_and_play(r)[1]
        return state

    def parse(self, text: str, viewer: int | None = OPEN) -> State:
        """The position that a text describes; with a viewer (a seat, or None for a spectator), the view that it describes."""
        if not is_text(text):
            raise Unfit("field-text", field="position", given=quoted(text))
        text = self.book.text.foreign_position(text) or text
        record = self._first.copy()
        self.book.text.parse_position(record[0], text, self.viewer_number(viewer))
        state = State(self, record, self.viewer_number(viewer))
        if str(state) != text:
            raise Unfit("canonical", text=repr(str(state)))
        return state

    def viewer_number(self, viewer: int | None) -> int:
        """A viewer as the rules count them: a seat, SPECTATOR for None, or OPEN; ValueError if this game has no such seat."""
        if viewer is None:
            return SPECTATOR
        return OPEN if number_in(viewer, OPEN, OPEN) is not None else self.seat_number(viewer)

    def seat_number(self, seat: int) -> int:
        """The number of a seat, which may come from NumPy's arrays; ValueError if this game has no such seat."""
        number = number_in(seat, 0, self.seats - 1)
        if number is None:
            raise ValueError(f"seat: {quoted(seat)} is not in 0…{self.seats - 1}")
        return number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items())))

    def __reduce__(self) -> Any:
        return Game, (self.name, self.options)

    def __repr__(self) -> str:
        chosen = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return f"hanpan.game({self.name!r}{chosen})"


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
        return self._seats(self._outcome[1]) if self.over else None

    def winner_among(self, seats: Iterable[int]) -> list[int]:
        """The winning seats of a finished position where no others than these can win; [] for a draw."""
        return self._seats(int(self.game.book.outcome_among(self._record, sum(1 << seat for seat in set(seats)), self.game.book.scores_buffer())))

    def _seats(self, bits: int) -> list[int]:
        return [seat for seat in range(self.game.seats) if bits >> seat & 1]

    # --- actions ---

    @cached_property
    def actions(self) -> Mapping[str, int]:
        """The legal actions by their texts, sorted, each with its number; none when no seat (or, in a view, not the viewer's own seat) is to act."""
        if self._mover < 0 or self._viewer not in (OPEN, self._mover):
            return {}
        if self._whole is not None:
            return self._whole.actions
        s, name = self._record[0], self.game.book.text.format_action
        return dict(sorted((name(s, a), a) for a in self.game.book.listed(self._record)))

    def legal(self) -> list[str]:
        """The texts of all legal actions, sorted."""
        return list(self.actions)

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
        if self.chance:
            record = copied(self._record)
            book.text.parse_chance(record[0], text)
            if self._viewer != OPEN:
                book.rules.hide(record[0], self._viewer)
            return self._next(text, record, self._chance_past(record, text))
        if self._viewer not in (OPEN, self._mover):
            raise IllegalAction("not-your-turn", seat=self._mover + 1)
        action = self.actions.get(text)
        if action is None:
            unknown = book.text.parse_action(s, text)
            raise book.text.refusal(s, unknown)
        return self._acted(text, action)

    def again(self, text: str) -> State:
        """The position after what was played here before: whether it is allowed is not asked again, which takes most of the time of `play`."""
        return self._play(text) if self.chance else self._acted(text, self.game.book.text.parse_action(self._record[0], text))

    def _acted(self, text: str, action: int) -> State:
        """The position after an action of the seat to act."""
        book, record = self.game.book, copied(self._record)
        past = book.past(self._record[0], action, self._mover, self._past)
        book.apply(record, action)
        return self._next(text, record, past)

    def _chance_past(self, record: Any, text: str) -> Past:
        """How what chance decided is shown."""
        return Past(motions=tuple(self.game.book.scene.chance_motions(record[0], text)), builders=self._past.builders)

    def _next(self, text: str, record: Any, past: Past) -> State:
        """The position after an action, with how the part of the game lay that it ended."""
        following, rounds = State(self.game, record, self._viewer, past), self.game.book.rounds
        if rounds is not None and following.seat is None:
            lay = copied(self._record)
            if rounds.closed(lay[0], text):
                if self._viewer != OPEN:
                    self.game.book.rules.hide(lay[0], self._viewer)
                following.closing = State(self.game, lay, self._viewer, past)
        return following

    def draw(self, seed: int) -> str:
        """One chance action, drawn from the seed."""
        if not self.chance:
            raise ValueError("draw: chance is not to act here")
        return self.draw_and_play(rng(seed))[0]

    def draw_and_play(self, r: Rng) -> tuple[str, State]:
        """What chance decides by the next numbers of a generator, and the position after it."""
        record = copied(self._record)
        text = self.game.book.text.draw_chance(record[0], r)
        return text, self._next(text, record, self._chance_past(record, text))

    def forced(self, seed: int, draft: tuple[str, ...] | list[str] = ()) -> str:
        """What is played for the seat to act when its time is up. A draft (the clicks made so far) is kept where the rules say so."""
        if self._mover < 0:
            raise ValueError("forced: no seat is to act here")
        if self._viewer not in (OPEN, self._mover):
            raise ValueError(f"forced: seat {self._mover} is to act, and this is the view of {self._viewer_name()}")
        if len(draft) > 1 and draft[0] != draft[1]:  # something has moved
            kept = [text for text in self.actions if self.clicks(text)[: len(draft)] == tuple(draft)]
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
        viewer = SPECTATOR if seat is None else self.game.seat_number(seat)
        if self._viewer not in (OPEN, viewer):
            raise ValueError(f"seat: this is already the view of {self._viewer_name()}")
        closing = None if self.closing is None else self.closing.view(seat)
        if self.game.book.rules.hide is hide_nothing:
            return State(self.game, self._record, viewer, self._past, self._whole or self, closing)
        record = copied(self._record)
        self.game.book.rules.hide(record[0], viewer)
        return State(self.game, record, viewer, self._past, closing=closing)

    @property
    def trail(self) -> tuple[int, ...]:
        """The places of the last action, as far as the viewer's own board has them: their numbers among its places."""
        places = {place.id: number for number, place in enumerate(self.game.book.scene.board(self._record[0], self._viewer).places)}
        return tuple(places[place] for place in self._past.trail if place in places)

    @property
    def motions(self) -> tuple[Motion, ...]:
        """How the last action moved things."""
        return self._past.motions

    @property
    def viewer(self) -> int | None:
        """The seat whose view this is; None for a spectator's view, and for the open position."""
        return self._viewer if self._viewer >= 0 else None

    @property
    def viewer_number(self) -> int:
        """Whose view this is, as the rules count viewers: a seat, SPECTATOR, or OPEN."""
        return self._viewer

    def _viewer_name(self) -> str:
        return f"seat {self._viewer}" if self._viewer >= 0 else "a spectator"

    def imagine(self, seed: int) -> State:
        """An open position that looks like this view to its viewer: what it hides is filled with a consistent guess."""
        record = copied(self._record)
        if self._viewer != OPEN:
            self.game.book.rules.imagine(record[0], self._viewer, rng(seed))
        return State(self.game, record, OPEN)

    def info(self) -> dict[str, Any]:
        """The position as plain data for programs, in the game's own terms."""
        tell = self.game.book.text.info
        return {"position": str(self), "seat": self.seat, "scores": self.scores} if tell is None else dict(tell(self._record[0], self._viewer))

    def account(self) -> Round | None:
        """What the part of the game brought that the last action ended; None if it ended none."""
        rounds = self.game.book.rounds
        if self.closing is None or rounds is None:
            return None
        return rounds.account(self.closing._record[0])

    def told(self, text: str, seat: int | None) -> str:
        """How an action of the seat to act is told to another seat (None: a spectator): without what it may not know."""
        viewer = self.game.viewer_number(seat)
        if not is_text(text) or text not in self.actions:
            raise ValueError(f"told: {quoted(text)} is not legal here")
        tell = self.game.book.text.told
        return text if viewer == self._mover or tell is None else tell(self._record[0], self.actions[text])

    def spoken(self, text: str) -> Phrase | None:
        """An action, as it is told, in the game's words; None where its text is what people read."""
        return self.game.book.text.spoken(text)

    def heard(self, text: str) -> Phrase | None:
        """An action, as it is told, in words for those who listen; None where its text is what people say."""
        words = self.game.book.text
        return words.heard(text) or words.spoken(text)

    def told_chance(self, text: str) -> str:
        """How a chance action played here is told to everyone: without what it hides."""
        return self.game.book.text.told_chance(text)

    def clicks(self, text: str) -> tuple[str, ...]:
        """The places a person points at, one after the other, to play a legal action."""
        if not is_text(text) or text not in self.actions:
            raise ValueError(f"clicks: {quoted(text)} is not legal here")
        return tuple(self.game.book.scene.clicks(self._record[0], self.actions[text]))

    def why_not(self, places: tuple[str, ...] | list[str]) -> IllegalAction | None:
        """Why no legal action of the seat to act begins with pointing at these places; None if one does, or if there is nothing to say."""
        s, book, wanted = self._record[0], self.game.book, tuple(places)
        if self._mover < 0 or self._viewer not in (OPEN, self._mover):
            return None
        if any(self.clicks(text)[: len(wanted)] == wanted for text in self.actions):
            return None
        meant = book.meant(s, wanted)
        if meant is None:
            return None
        refused = book.text.refusal(s, meant)
        return IllegalAction(refused.code, book.say(refused.phrase), **refused.values)

    def scene(self, targets: bool = False) -> Scene:
        """What is seen; with targets, also the places that a legal action begins with. A part of the game that has ended lies there until the next begins."""
        s, book = self._record[0], self.game.book
        reason = book.scene.reason(s, self._viewer) if self.over else None
        if self.closing is not None:
            return dataclasses.replace(self.closing.scene(), reason=reason)
        board, look = book.picture(s, self._viewer, self._past)
        first = tuple(sorted({self.clicks(text)[0] for text in self.actions})) if targets else ()
        prompt = book.scene.prompt(s, self._viewer) if self._mover >= 0 else None
        return Scene(board, look, book.scene.COLOURS[: self.game.seats], self.seat, first, self._past.motions, reason, prompt)

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
        for known in ("actions", "_text", "_outcome"):
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
        seen = "" if self._viewer == OPEN else f" as seen by {self._viewer_name()}"
        return f"<{self.game.name} {str(self)!r}{seen}>"

    @property
    def record(self) -> Record:
        """A copy of the record behind this position, for compiled code: an array of one."""
        return copied(self._record)


def _remake_state(game: Game, data: bytes, viewer: int, past: Past, closing: State | None = None) -> State:
    return State(game, np.frombuffer(data, game.book.rules.State).copy(), viewer, past, closing=closing)
