"""A game as its options and its actions, chance included: export, import, replay."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hanpan.core.option import Value
from hanpan.core.reading import is_text, label, quoted, read_json
from hanpan.core.refusal import IllegalAction
from hanpan.core.unfit import Unfit
from hanpan.game import Game, State, game, games
from hanpan.result import Result, check, judged, read_result, result_text

FORMAT = 1
_KEYS = {"hanpan", "game", "options", "start", "actions", "forced", "people", "over", "winner", "scores", "reason", "last"}


@dataclass(frozen=True)
class GameRecord:
    """Everything needed to see a game again.

    >>> record = GameRecord.begin(game("kulami")).add("e5").add("e3")
    >>> str(record.final()).split()[2:]
    ['e5', 'e3', 'r']
    >>> GameRecord.from_text(record.to_text()) == record == GameRecord.from_json(record.to_json())
    True
    """

    name: str
    options: dict[str, Value]
    actions: tuple[str, ...] = ()
    start: str | None = None  # a position text, when the game did not begin at its own start
    forced: frozenset[int] = frozenset()  # which actions (counted from 0) were played for a seat whose time was up, or that had resigned
    people: dict[int, str] = field(default_factory=dict)  # names by seat
    result: Result | None = None  # how it ended, where the last position alone does not say it: by resignation, time, agreement, claim …

    @classmethod
    def begin(cls, of: Game, start: State | None = None, people: dict[int, str] | None = None) -> GameRecord:
        """The record of a game in which nothing has happened yet."""
        return cls(of.name, dict(of.options), (), None if start is None else str(start), frozenset(), people or {})

    def add(self, action: str, forced: bool = False) -> GameRecord:
        """The record with one more action (which is not checked here)."""
        marks = self.forced | {len(self.actions)} if forced else self.forced
        return GameRecord(self.name, self.options, (*self.actions, action), self.start, marks, self.people)

    def game(self) -> Game:
        """The game that was played."""
        return game(self.name, **self.options)

    def states(self) -> Iterator[State]:
        """Every position, from the first to the last. ValueError naming the ply when an action is not possible."""
        played = self.game()
        try:
            state = played.start() if self.start is None else played.parse(self.start)
        except ValueError as wrong:
            raise Unfit("start", reason=wrong) from None
        yield state
        for ply, action in enumerate(self.actions):
            try:
                state = state.play(action)
            except IllegalAction as refused:
                raise Unfit("ply", played.book.package, ply=ply + 1, action=quoted(action), why=refused.phrase) from None
            yield state

    def final(self) -> State:
        """The last position."""
        *_, last = self.states()
        return last

    def outcome(self, last: State | None = None) -> Result | None:
        """How the game ended; None while it is unfinished. Whoever has its last position already brings it along."""
        last = last or self.final()
        return self.result or (judged(last) if last.over else None)

    @classmethod
    def read(cls, text: str, most: int | None = None) -> GameRecord:
        """Read a record in either form, of at most so many actions, or a position as other programs write it; ValueError names what is wrong."""
        if not isinstance(text, str):  # bytes of a file, say
            raise Unfit("no-text")
        plain = text.removeprefix("\ufeff").strip()
        if plain.startswith("{"):
            return cls.from_json(text, most)
        return cls._foreign(plain) or cls.from_text(text, most)

    @classmethod
    def _foreign(cls, text: str) -> GameRecord | None:
        """The record without actions of a position in another program's words, where a game knows them."""
        if ":" in text or len(text) > 1000 or not is_text(text):
            return None
        for name in games():
            found = game(name)
            if (start := found.book.text.foreign_position(text)) is not None:
                return cls.begin(found, found.parse(start))
        return None

    # --- JSON ---

    def to_json(self) -> str:
        """The record as one JSON object. How the game stands at the end is written too, for readers; it is checked on import."""
        last = self.final()
        data: dict[str, Any] = {"hanpan": FORMAT, "game": self.name, "options": self.options}
        if self.start is not None:
            data["start"] = self.start
        data["actions"] = list(self.actions)
        if self.forced:
            data["forced"] = sorted(self.forced)
        if self.people:
            data["people"] = {str(seat + 1): name for seat, name in sorted(self.people.items())}
        ended = self.result or (judged(last) if last.over else None)
        data |= {"over": ended is not None, "winner": None if ended is None else ended.winner, "scores": last.scores}
        if ended is not None:
            data["reason"] = ended.reason
            data |= {"last": list(ended.last)} if ended.last else {}
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, most: int | None = None) -> GameRecord:
        """Read `to_json`'s text, of at most so many actions; ValueError names the field that is wrong."""
        if not isinstance(text, str):
            raise Unfit("no-text")
        try:
            data = read_json(text)
        except ValueError as wrong:
            raise Unfit("record", reason=wrong) from None
        if not isinstance(data, dict):
            raise Unfit("no-object")
        if "format" in data:  # as the first lines of our other files have it
            raise Unfit("kind", kind=quoted(data.get("hanpan")))
        if unknown := sorted(set(data) - _KEYS):
            raise Unfit("no-field", field=label(unknown[0]))
        if not _same(data.get("hanpan"), FORMAT):
            raise Unfit("format", given=quoted(data.get("hanpan")), known=FORMAT)
        record = cls(
            _typed(data, "game", str),
            _typed(data, "options", dict),
            tuple(_strings(data, "actions")),
            None if data.get("start") is None else _typed(data, "start", str),
            frozenset(_plies(data)),
            _people(data.get("people", {})),
            _result(data),
        )
        last = deque(record._checked(most), maxlen=1)[0]
        ended = record.result or (judged(last) if last.over else None)
        for key, true in (("over", ended is not None), ("winner", None if ended is None else ended.winner), ("scores", last.scores)):
            if key in data and not _same(data[key], true):
                raise Unfit("contradiction", field=key, given=quoted(data[key]), true=repr(true))
        return record

    # --- a text that a person can read ---

    def to_text(self) -> str:
        """The record for people: a head of `key: value` lines, then one numbered action a line."""
        lines = [f"game: {self.name}"]
        lines += [f"option {key}: {_word(value)}" for key, value in self.options.items()]
        lines += [f"seat {seat + 1}: {name}" for seat, name in sorted(self.people.items())]
        if self.start is not None:
            lines.append(f"start: {self.start}")
        states = list(self.states())
        lines.append(f"result: {result_text(states[-1], self.result)}")
        lines.append("")
        for ply, (state, action) in enumerate(zip(states, self.actions, strict=False)):
            mark = "  (forced)" if ply in self.forced else ""
            lines.append(f"{ply + 1:>4}  {_mover(state):<7} {action}{mark}")
        return "\n".join(lines) + "\n"

    @classmethod
    def from_text(cls, text: str, most: int | None = None) -> GameRecord:
        """Read `to_text`'s text, as it is or as editors keep it (a byte order mark, CRLF); ValueError names the line that is wrong."""
        if not is_text(text):
            raise Unfit("no-text")
        head, _, body = text.removeprefix("\ufeff").replace("\r\n", "\n").partition("\n\n")
        name, start, result, options, people = "", None, None, {}, {}
        seen: dict[str, int] = {}
        for number, line in enumerate(head.split("\n"), 1):
            key, colon, value = line.partition(": ")
            if not colon:
                raise Unfit("line-pair", line=number, text=quoted(line))
            if key in seen:
                raise Unfit("line-twice", line=number, key=quoted(key), before=seen[key])
            seen[key] = number
            if key == "game":
                name = value
            elif key == "start":
                start = value
            elif key == "result":
                result = value
            elif key.startswith("option "):
                options[key[7:]] = value
            elif re.fullmatch(r"seat [1-9]", key):
                if not value.strip():
                    raise Unfit("line-name", line=number)
                people[int(key[5:]) - 1] = value
            else:
                raise Unfit("line-key", line=number, key=quoted(key))
        actions: list[str] = []
        forced: set[int] = set()
        movers: list[tuple[int, str]] = []  # the line of each action, and who is written to have played it
        for number, line in enumerate(body.split("\n"), head.count("\n") + 3):
            if not line.strip():
                continue
            found = re.fullmatch(r" *([1-9][0-9]{0,8})  (chance|seat [1-9]) +(\S.*?)(  \((?:forced|time)\))?", line)  # once it was always called time
            if found is None or int(found[1]) != len(actions) + 1:
                raise Unfit("line-action", line=number, text=quoted(line), n=len(actions) + 1)
            if found[4]:
                forced.add(len(actions))
            movers.append((number, found[2]))
            actions.append(found[3])
        known = {option.name: option for option in game(name).book.options}
        read = {key: known[key].read(value) if key in known else value for key, value in options.items()}
        record = cls(name, read, tuple(actions), start, frozenset(forced), people, None if result is None else read_result(result))
        written = iter(movers)
        for last in record._checked(most):
            number, who = next(written, (0, ""))
            if number and who != _mover(last):
                raise Unfit("line-mover", line=number, given=who, true=_mover(last))
        if result is not None and result != (told := result_text(last, record.result)):
            raise Unfit("contradiction", field="result", given=quoted(result), true=repr(told))
        return record

    def _checked(self, most: int | None) -> Iterator[State]:
        """Every position of a record that came from outside: all its parts belong to the game. How long it is, is looked at before it is played; positions
        are not kept, since there may be many."""
        if most is not None and len(self.actions) > most:
            raise Unfit("too-long", n=len(self.actions), most=most)
        if bad := [seat for seat in self.people if not 0 <= seat < self.game().seats]:
            raise Unfit("no-seat", field="people", seat=bad[0] + 1)
        if bad := [ply for ply in self.forced if not 0 <= ply < len(self.actions)]:
            raise Unfit("no-action", n=bad[0])
        for last in self.states():
            yield last
        if self.result is not None:
            check(last, self.result, len(self.actions))

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.options.items()), self.actions, self.start))


def _mover(state: State) -> str:
    """Who plays here, as a text record says it."""
    return "chance" if state.chance else f"seat {(state.seat or 0) + 1}"


def _same(given: object, true: object) -> bool:
    """Whether a value from outside is that value, and not one that Python only holds to be equal (true and 1)."""
    return given == true and json.dumps(given) == json.dumps(true)


def _word(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _typed(data: dict[str, Any], key: str, kind: type) -> Any:
    if not isinstance(data.get(key), kind):
        raise Unfit("field-text" if kind is str else "field-object", field=key, given=quoted(data.get(key)))
    return data[key]


def _strings(data: dict[str, Any], key: str) -> list[str]:
    found = data.get(key)
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise Unfit("field-texts", field=key)
    return found


def _plies(data: dict[str, Any]) -> list[int]:
    found = data.get("forced", [])
    if not isinstance(found, list) or not all(isinstance(ply, int) and not isinstance(ply, bool) for ply in found):
        raise Unfit("field-plies")
    return found


def _result(data: dict[str, Any]) -> Result | None:
    """How a game ended, where its last position alone does not say it."""
    reason, last = data.get("reason", "rules"), _seats("last", data.get("last", []))
    if not isinstance(reason, str):
        raise Unfit("field-text", field="reason", given=quoted(reason))
    if reason != "rules" and "winner" not in data:
        raise Unfit("no-winner", reason=quoted(reason))
    if reason == "rules" and "reason" in data and data.get("over") is False:
        raise Unfit("not-over")
    if reason == "rules" and not last:
        return None
    return Result(_seats("winner", data.get("winner")), reason, tuple(last))


def _seats(key: str, found: object) -> list[int]:
    if not isinstance(found, list) or not all(isinstance(seat, int) and not isinstance(seat, bool) for seat in found):
        raise Unfit("field-seats", field=key)
    return found


def _people(found: object) -> dict[int, str]:
    if not isinstance(found, dict) or not all(key in "123456789" and len(key) == 1 and isinstance(name, str) for key, name in found.items()):
        raise Unfit("field-people")
    if any("\n" in name or "\r" in name or not name.strip() for name in found.values()):
        raise Unfit("field-name")
    return {int(key) - 1: name for key, name in found.items()}
