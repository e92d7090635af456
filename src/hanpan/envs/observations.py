"""What any game looks like to a learning machine: its own observe.py and symmetry.py, or what follows from its record; and what its end is worth."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

import numpy as np

from hanpan.contract import Symmetry, as_it_is
from hanpan.core.planes import unpack_bits, words
from hanpan.core.reading import is_text, number_in, quoted
from hanpan.core.rule import hide_nothing, rule
from hanpan.game import Game, State
from hanpan.rulebook import rulebook


@cache
def seen_action(name: str) -> Any:
    """`seen_action(game)(s, seat, a)`: an action's number from the seat's side, and the action that has that number there (it is its own inverse)."""
    observe = rulebook(name).observe
    return as_it_is if observe is None else observe.seen_action


@cache
def mark_legal(name: str) -> Any:
    """`mark_legal(game)(states, i, seat, out, masks)`: set the bits of the legal actions of states[i] in masks[i], numbered from the seat's side.

    `out` is room to list them.
    """
    observe, legal, seen = rulebook(name).observe, rulebook(name).rules.legal, seen_action(name)
    mark_at_once = None if observe is None else observe.mark_legal
    if mark_at_once is not None:

        @rule
        def mark_together(states: Any, i: int, seat: int, out: Any, masks: Any) -> None:
            mark_at_once(states[i], masks[i])

        return mark_together

    @rule
    def mark_each(states: Any, i: int, seat: int, out: Any, masks: Any) -> None:
        word, held = 0, 0  # neighbours in the list mostly share a word: gather them before writing
        for j in range(legal(states[i], out)):
            a = seen(states[i], seat, int(out[j]))
            if a >> 5 != word:
                masks[i, word] |= held
                word, held = a >> 5, 0
            held |= 1 << (a & 31)
        masks[i, word] |= held

    return mark_each


@cache
def look(name: str) -> Any:
    """`look(game)(states, scratch, raw, i, seat, bits, level)`: pack what a seat sees of states[i] into bits[i] and level[i].

    `scratch` is room for as many records as there are states, `raw` the same memory as words [n, words].
    """
    observe, rules = rulebook(name).observe, rulebook(name).rules
    hide, secrets = rules.hide, rules.hide is not hide_nothing

    @rule
    def clean(i: int, bits: Any, level: Any) -> None:
        for plane in range(bits.shape[1]):
            level[i, plane] = 1
            for word in range(bits.shape[2]):
                bits[i, plane, word] = 0

    if observe is None:

        @rule
        def look_at_record(states: Any, scratch: Any, raw: Any, i: int, seat: int, bits: Any, level: Any) -> None:
            scratch[i] = states[i]
            hide(scratch[i], seat)
            level[i, 0] = 1
            for word in range(bits.shape[2]):
                bits[i, 0, word] = raw[i, word]

        return look_at_record

    paint = observe.observe
    if secrets:

        @rule
        def look_at_hidden(states: Any, scratch: Any, raw: Any, i: int, seat: int, bits: Any, level: Any) -> None:
            clean(i, bits, level)
            scratch[i] = states[i]
            hide(scratch[i], seat)
            paint(scratch[i], seat, bits[i], level[i])

        return look_at_hidden

    @rule
    def look_at_open(states: Any, scratch: Any, raw: Any, i: int, seat: int, bits: Any, level: Any) -> None:
        clean(i, bits, level)
        paint(states[i], seat, bits[i], level[i])

    return look_at_open


def shape(game: Game) -> tuple[int, int, int]:
    """Planes, rows, columns of an observation. A game without observe.py is seen as the bits of its hidden record, [1, bytes, 8]."""
    observe = game.book.observe
    if observe is None:
        return 1, int(game.book.rules.State.itemsize), 8
    planes, rows, columns = observe.shape(game.start().record[0])
    return int(planes), int(rows), int(columns)


def planes(game: Game) -> tuple[str, ...]:
    """What each plane of an observation means; only numbers, where a game with its own planes does not say."""
    observe = game.book.observe
    if observe is None:
        return ("bits of the record",)
    return observe.planes(game.start().record[0]) or tuple(f"plane {number}" for number in range(shape(game)[0]))


def actions(game: Game) -> int:
    """The size of the action space: under these options where the game's rules say so."""
    return game.book.rules.action_space(game.start().record[0])


def observation(state: State, seat: int | None = None) -> Any:
    """What a seat (the mover if left out) sees of one position: uint8 [planes, rows, columns].

    >>> import hanpan
    >>> observation(hanpan.game("kulami").start()).shape
    (14, 10, 10)
    """
    viewer = state.seat if seat is None else seat
    if viewer is None:
        raise ValueError("seat: nobody is to act here, so say who looks")
    viewer = state.game.seat_number(viewer)
    size = shape(state.game)
    record = state.record
    scratch = np.zeros(1, record.dtype)
    bits, level = np.zeros((1, size[0], words(size[1] * size[2])), np.uint32), np.ones((1, size[0]), np.uint8)
    look(state.game.name)(record, scratch, scratch.view(np.uint32).reshape(1, -1), 0, viewer, bits, level)
    return unpack(bits, level, size)[0]


def unpack(bits: Any, level: Any, size: tuple[int, int, int]) -> Any:
    """Packed planes [n, planes, words] as uint8 [n, planes, rows, columns]."""
    return (unpack_bits(bits, size[1] * size[2]) * level[:, :, None]).reshape(len(bits), *size)


# --- symmetries ---


def symmetries(state: State) -> int:
    """How many symmetries this position has a place in; number 0 changes nothing. A game without symmetry.py has that one only."""
    found = state.game.book.symmetry
    return 1 if found is None else int(found.symmetries(state.record[0]))


def _symmetry(state: State, k: int) -> Symmetry | None:
    if number_in(k, 0, symmetries(state) - 1) is None:
        raise ValueError(f"symmetry: {quoted(k)} is not in 0…{symmetries(state) - 1}")
    return state.game.book.symmetry


def image(state: State, k: int) -> State:
    """The position that the k-th symmetry makes of this one."""
    found, record, made = _symmetry(state, k), state.record, state.record
    if found is not None:
        found.image(record[0], k, made[0])
    viewer = state.viewer_number if state.viewer is None else image_seat(state, k, state.viewer)
    return State(state.game, made, viewer)


def image_action(state: State, k: int, action: str) -> str:
    """What an action that is legal in this position becomes in its image."""
    found = _symmetry(state, k)
    if not is_text(action) or action not in state.actions:
        raise ValueError(f"action: {quoted(action)} is not legal here")
    number = state.actions[action]
    number = number if found is None else int(found.image_action(state.record[0], k, number))
    return state.game.book.text.format_action(image(state, k).record[0], number)


def image_seat(state: State, k: int, seat: int) -> int:
    """The seat that plays in the image what this seat plays here."""
    found, seat = _symmetry(state, k), state.game.seat_number(seat)
    return seat if found is None else int(found.image_seat(state.record[0], k, seat))


def rewards(winner: Collection[int] | None, seats: int) -> list[float]:
    """What the end of a game is worth to each seat: 1 to winners, and the others lose as much together; nothing where nobody has won, or everyone.

    >>> rewards([1], 3), rewards([0, 2], 4), rewards([], 2)
    ([-0.5, 1.0, -0.5], [1.0, -1.0, 1.0, -1.0], [0.0, 0.0])
    """
    if not winner or len(winner) == seats:
        return [0.0] * seats
    return [1.0 if seat in winner else -len(winner) / (seats - len(winner)) for seat in range(seats)]
