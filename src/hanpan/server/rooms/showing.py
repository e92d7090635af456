"""What is done in the studio: whole games played through, positions drawn, texts read. Plain data in and out; ValueError where something can't be read."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, zip_longest

import orjson

from hanpan.core.reading import quoted, read_json, whole
from hanpan.core.refusal import IllegalAction
from hanpan.game import Game, State, game
from hanpan.record import GameRecord
from hanpan.result import MOST_ACTIONS, Result
from hanpan.server.protocol.messages import InWords, Refusal, Sketch, put_words
from hanpan.server.protocol.refusals import Refused
from hanpan.server.stills import in_scenes

LEVEL = 4  # of packing; the highest is three times the work for a few bytes


def plain(told: object) -> bytes:
    """Plain data as JSON, written without a look at each of its thousands of parts."""
    return orjson.dumps(told, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)


def asked_game(name: str, options: str) -> Game:
    """The game that an address asks for, its options as a JSON object."""
    try:
        chosen = read_json(options)
        if not isinstance(chosen, dict):
            raise ValueError("not a JSON object")
    except ValueError as wrong:
        raise ValueError(f"options: {wrong}") from None
    return game(name, **chosen)


# --- records ---


def read_record(text: str) -> GameRecord:
    """A record that someone has sent, as JSON or as text."""
    try:
        return GameRecord.read(text, MOST_ACTIONS)
    except ValueError as wrong:
        raise Refused.by_reader(wrong) from None


def checked(text: str) -> bytes:
    """How a record from outside ends."""
    record = read_record(text)
    last = record.final()
    ended = record.outcome(last)
    told = {"game": record.name, "options": record.options, "plies": len(record.actions), "position": str(last)}
    return plain(told | {"over": ended is not None, "winner": ended and ended.winner, "reason": ended and ended.reason})


def played_through(text: str) -> tuple[GameRecord, list[int | None], Result | None, list[int]]:
    """A record from outside, who played each of its actions, and how it ended."""
    record = read_record(text)
    *_, last = states = list(record.states())
    return record, [None if state.chance else state.seat for state in states[:-1]], record.outcome(last), last.scores


def film(record: GameRecord, seats: Sequence[int | None], since: int) -> bytes:
    """Every position of a finished game, from one on."""
    start = record.game().start()
    told = [_line(start, action, seat, ply in record.forced) for ply, (action, seat) in enumerate(zip(record.actions, seats, strict=True))]
    return _filmed(islice(record.states(), since, None), lambda: _about(record, told))


def film_of_text(text: str) -> bytes:
    """Every position of a record from outside, and how it ends."""
    record, told, seen = read_record(text), [], deque[State](maxlen=1)

    def states() -> Iterator[State]:
        for ply, (action, state) in enumerate(zip_longest(record.actions, record.states())):
            if action is not None:
                told.append(_line(state, action, None if state.chance else state.seat, ply in record.forced))
            seen.append(state)
            yield state

    def about() -> dict[str, object]:
        ended = record.outcome(seen[0])
        return _about(record, told) | {"winner": ended and ended.winner, "reason": ended and ended.reason}

    return _filmed(states(), about)


def film_for(record: GameRecord, viewer: int | None, since: int, about: dict[str, object]) -> bytes:
    """The positions of a running game from one on, as someone may see them, and what is said about them."""
    return _filmed((state.view(viewer) for state in islice(record.states(), since, None)), lambda: about)


def _about(record: GameRecord, told: list[dict[str, object]]) -> dict[str, object]:
    people = {str(seat): name for seat, name in record.people.items()}
    about: dict[str, object] = {"game": record.name, "options": record.options, "actions": told, "people": people}
    return about if record.start is None else about | {"start": record.start}


def _line(state: State, action: str, seat: int | None, forced: bool) -> dict[str, object]:
    """An action of an open record, with its words where the game has some."""
    line = {"action": action, "seat": seat, **put_words(InWords(), state.spoken(action), state.heard(action))}
    return line | {"forced": True} if forced else line


def _filmed(states: Iterable[State], about: Callable[[], dict[str, object]]) -> bytes:
    """All positions as pictures, each packed as soon as it is there, and what there is to say about them once they were seen."""
    packer, packed, before = zlib.compressobj(LEVEL, wbits=31), [], b'{"scenes":['
    for scene in in_scenes(states):
        packed.append(packer.compress(before + plain(scene)))
        before = b","
    packed.append(packer.compress((b"]," if before == b"," else before + b"],") + plain(about())[1:]))
    return b"".join([*packed, packer.flush()])


# --- pictures ---


def picture(seen: State, theme: str, language: str) -> str:
    """A position as SVG."""
    return seen.svg(theme=theme, language=language)


def picture_of_record(record: GameRecord, ply: int | None, theme: str, language: str) -> str:
    """A position of a finished game; without a ply the last one."""
    return picture(deque(islice(record.states(), None if ply is None else ply + 1), maxlen=1)[0], theme, language)


def picture_for(record: GameRecord, viewer: int | None, theme: str, language: str) -> str:
    """The last position of a record, as someone may see it."""
    return picture(record.final().view(viewer), theme, language)


def picture_of_text(name: str, position: str | None, options: str, seat: str | None, theme: str, language: str, seed: int) -> str:
    """A position that a text describes; without one, the beginning."""
    made = asked_game(name, options)
    if position is None:
        seen = made.start(seed=seed)
    elif seat is None:
        seen = made.parse(position)
    else:
        seen = made.parse(position, None if seat == "spectator" else _seat(seat))
    return picture(seen, theme, language)


def _seat(text: str) -> int:
    number = whole(text)
    if number is None:
        raise ValueError(f"seat: {quoted(text)} is neither a seat nor `spectator`")
    return number


def scene(seen: State, ply: int) -> bytes:
    """How it stands after so many actions."""
    return plain({"ply": ply, "scene": seen.scene().json()})


def first_scene(name: str, options: str) -> bytes:
    """The first position of a game, as spectators see it."""
    return plain(asked_game(name, options).start().view(None).scene().json())


# --- advice ---


def why(seen: State, clicks: list[str]) -> Refusal | None:
    """Why no action begins with pointing at these places."""
    refused = seen.why_not(clicks)
    return None if refused is None else Refused.by_rules(refused, seen.game.book.package).json("why")


def preview(seen: State, action: str) -> Sketch:
    """The picture after an action."""
    try:
        return Sketch(scene=seen.play(action).scene().json(seen.scene().board))
    except IllegalAction as refused:
        raise Refused.by_rules(refused, seen.game.book.package) from None


# --- options that are texts of their own ---


def option_read(name: str, option: str, value: str) -> bytes:
    """A text for an option as it is kept, and the first picture."""
    try:
        chosen = game(name, **{option: value})
    except ValueError as wrong:
        raise _why(name, wrong) from None
    return plain({"value": chosen.options[option], "scene": chosen.start().view(None).scene().json()})


def option_drawn(name: str, option: str, laid: str, actions: list[str], clicks: list[str]) -> bytes:
    """The picture, the places of each step so far, the next steps with their places, and the text once it is whole; `why` answers `clicks`."""
    state = game(name, **{option: laid}).start()
    steps = []  # the places that each step has marked, so that one can be taken back by pointing at it
    for action in actions:
        if _whole(state, option) is not None:
            raise ValueError(f"{option}: is whole already")
        try:
            state = state.play(action)
        except IllegalAction as wrong:
            raise Refused.by_rules(wrong, state.game.book.package) from None
        steps.append([mark.place for mark in state.scene().look.marks if mark.kind == "last"])
    value = _whole(state, option)
    legal = state.legal() if value is None else []
    why = state.why_not(clicks) if clicks else None
    told = {"value": value, "steps": steps, "scene": state.scene().json(), "clicks": {action: list(state.clicks(action)) for action in legal}}
    return plain(told | ({} if why is None else {"why": Refused.by_rules(why, state.game.book.package).json("")}))


def _whole(state: State, option: str) -> str | None:
    return state.game.book.text.drawn_[option](state.record[0])


def _why(name: str, wrong: ValueError) -> Refused:
    """What is wrong with a value, in the game's words where the game says why."""
    cause: BaseException | None = wrong
    while cause is not None:
        if isinstance(cause, IllegalAction):
            return Refused.by_rules(cause, game(name).book.package)
        cause = cause.__cause__
    return Refused.because(wrong)
