"""What other processes of this server have told about themselves: who is in the lobby there, and which rooms they have. Empty where there is one process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hanpan.server.protocol.messages import PersonInfo, RoomLine


@dataclass(frozen=True)
class RoomElsewhere:
    """A room that another process has."""

    node: str
    line: RoomLine
    master: str
    opened_from: str


@dataclass
class Mirror:
    """The lobby of the other processes."""

    people: dict[str, dict[str, PersonInfo]] = field(default_factory=dict)  # node → person → how others see them
    rooms: dict[str, RoomElsewhere] = field(default_factory=dict)

    def online(self) -> dict[str, PersonInfo]:
        """Everyone who is in the lobby there."""
        return {person: info for there in self.people.values() for person, info in there.items()}

    def nodes_of(self, person: str) -> list[str]:
        """Where someone is."""
        return [node for node, there in self.people.items() if person in there]

    def is_online(self, person: str) -> bool:
        """Whether someone is in the lobby there."""
        return any(person in there for there in self.people.values())

    def changed(self, info: PersonInfo) -> None:
        """Someone has another name, or another rating."""
        for there in self.people.values():
            if info["id"] in there:
                there[info["id"]] = info

    def take(self, node: str, people: Iterable[PersonInfo], rooms: dict[str, RoomElsewhere]) -> None:
        """All that another process has now."""
        self.people[node] = {info["id"]: info for info in people}
        self.rooms = {id: room for id, room in self.rooms.items() if room.node != node} | rooms

    def forget(self, node: str) -> list[str]:
        """A process has gone; whoever was there only is not here any more. Its rooms stay in the list until another process has them."""
        gone = self.people.pop(node, {})
        return [person for person in gone if not self.is_online(person)]
