"""Who sits where: chairs, readiness, swapping, and who may take over a chair during a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hanpan.server.protocol.refusals import Refused
from hanpan.server.storage.models import ChairDocument, Sitter

NOBODY: frozenset[Any] = frozenset()  # of people, or of seats: one for all rooms, each of which has several such sets that are mostly empty


@dataclass(slots=True)
class Chair:
    """One seat of a table."""

    person: str | None = None
    bot: int | None = None  # the level of the computer player that sits here
    ready: bool = False
    first: str | None = None  # who sat here when the game began: may come back to this chair and to no other
    missed: int = 0  # turns in a row that nobody was here to play
    left_at: int | None = None  # since when the person is away
    substitute: bool = False  # the computer player is only keeping the chair for its first sitter
    held: list[str] = field(default_factory=list)  # everyone who has sat here in this game
    auto: int | None = None  # the level of the computer player that acts for the person, who still holds the chair

    @property
    def taken(self) -> bool:
        """Whether someone, or a computer player, sits here."""
        return self.person is not None or self.bot is not None

    @property
    def acting(self) -> int | None:
        """The level of the computer player that acts here, sitting here itself or for the person; None where the person acts."""
        return self.auto if self.bot is None else self.bot

    def give_to(self, person: str) -> None:
        """Someone sits down during a game."""
        self.person, self.bot, self.auto, self.substitute, self.missed, self.left_at = person, None, None, False, 0, None
        if person not in self.held:
            self.held.append(person)

    def give_to_bot(self, level: int) -> None:
        """A computer player keeps the chair for its first sitter."""
        self.person, self.bot, self.auto, self.substitute = None, level, None, True


class Seating:
    """The chairs of a room."""

    __slots__ = "chairs"

    def __init__(self, seats: int) -> None:
        self.chairs = [Chair() for _ in range(seats)]

    def json(self) -> list[ChairDocument]:
        """The chairs as plain data."""
        return [
            ChairDocument(
                person=chair.person, bot=chair.bot, ready=chair.ready, first=chair.first, missed=chair.missed, left_at=chair.left_at,
                substitute=chair.substitute, held=list(chair.held), auto=chair.auto,
            )
            for chair in self.chairs
        ]  # fmt: skip

    @classmethod
    def from_json(cls, data: Iterable[ChairDocument]) -> Seating:
        """The chairs from plain data."""
        seating = cls(0)
        seating.chairs = [Chair(**chair) for chair in data]
        return seating

    def people(self) -> list[Sitter]:
        """Who plays, as it is kept with the game: who sits there now, and who began."""
        return [{"person": chair.person, "bot": chair.bot, "first": chair.first} for chair in self.chairs]

    def resize(self, seats: int) -> None:
        """Another number of chairs: whoever sat on one that is gone stands."""
        self.chairs = (self.chairs + [Chair() for _ in range(seats)])[:seats]
        self.unready()

    def chair(self, seat: int) -> Chair:
        """A chair by its number."""
        if seat >= len(self.chairs):
            raise Refused("no-such-seat", seat=seat + 1, seats=len(self.chairs))
        return self.chairs[seat]

    def of(self, person: str) -> list[int]:
        """The seats that a person holds."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.person == person]

    def everyone(self) -> set[str]:
        """All people who sit."""
        return {chair.person for chair in self.chairs if chair.person is not None}

    def known(self) -> set[str]:
        """All people who sit, or sat when the game began."""
        return self.everyone() | {chair.first for chair in self.chairs if chair.first is not None}

    def own(self, person: str, seat: int | None) -> int:
        """The seat of a person's own that is meant."""
        seats = self.of(person)
        if seat is None and seats:
            return seats[0]
        if seat is None or seat not in seats:
            raise Refused("not-your-seat")
        return seat

    def own_first(self, person: str, seat: int | None) -> int:
        """The same, for what only the first sitter may decide: whoever sits in for someone acts on the board only."""
        mine = self.own(person, seat)
        if self.chairs[mine].first != person:
            raise Refused("sitting-in")
        return mine

    def sit(self, person: str, seat: int, local: bool) -> None:
        """Sit down between games."""
        chair = self.chair(seat)
        if chair.person == person:
            return
        if chair.taken:
            raise Refused("seat-taken", seat=seat + 1)
        others = self.of(person)
        if others and local and len(self.chairs) != 2:
            raise Refused("local-needs-two")
        if others and not local:
            for other in others:
                self.stand(other)
        self.chairs[seat] = Chair(person)

    def stand(self, seat: int) -> None:
        """Leave a chair empty."""
        self.chairs[seat] = Chair()

    def swap(self, one: int, other: int) -> None:
        """Exchange two chairs; both must be made ready again."""
        self.chairs[one], self.chairs[other] = self.chairs[other], self.chairs[one]
        for chair in (self.chairs[one], self.chairs[other]):
            chair.ready = chair.bot is not None

    def unready(self) -> None:
        """Everyone must say again that they are ready."""
        for chair in self.chairs:
            chair.ready = chair.bot is not None

    @property
    def full(self) -> bool:
        """Whether every chair is taken."""
        return all(chair.taken for chair in self.chairs)

    @property
    def all_ready(self) -> bool:
        """Whether the game can start."""
        return self.full and all(chair.ready for chair in self.chairs)

    @property
    def some_ready(self) -> bool:
        """Whether a person is ready, so that the timer runs."""
        return any(chair.ready and chair.person is not None for chair in self.chairs)

    def begin(self, rated: bool) -> None:
        """The game starts: these are its first sitters. In a rated game everyone acts for themselves."""
        for chair in self.chairs:
            chair.auto = None if rated else chair.auto
            chair.first, chair.missed, chair.left_at, chair.substitute = chair.person, 0, None, False
            chair.held = [] if chair.person is None else [chair.person]

    @property
    def computers_only(self) -> bool:
        """Whether nobody but computer players acts, none of them in the place of someone who has left."""
        return all(chair.acting is not None and not chair.substitute for chair in self.chairs)

    def replace(self, guest: str, account: str) -> None:
        """Someone is called otherwise from now on."""
        for chair in self.chairs:
            chair.person = account if chair.person == guest else chair.person
            chair.first = account if chair.first == guest else chair.first
            chair.held = [account if person == guest else person for person in chair.held]

    def rated(self) -> bool:
        """Whether this is between people only, each at one seat."""
        people = [chair.person for chair in self.chairs]
        return None not in people and len(set(people)) == len(people)

    def may_take_over(self, person: str, seat: int, free: bool) -> bool:
        """Refuse sitting down during a game unless it is back on one's own first chair (then True), or on one that is free for spectators."""
        chair = self.chair(seat)
        mine = [number for number, other in enumerate(self.chairs) if other.first == person]
        if mine and seat not in mine:
            raise Refused("only-your-first-seat", seat=mine[0] + 1)
        if not mine and not free:
            raise Refused("seat-not-free", seat=seat + 1)
        if not mine and any(person in other.held for other in self.chairs if other is not chair):
            raise Refused("seat-held-already")
        return bool(mine)
