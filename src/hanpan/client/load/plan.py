"""What a load shall be like."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from hanpan.core.option import Value
from hanpan.core.reading import quoted
from hanpan.core.rule import hide_nothing
from hanpan.game import Game, game

CLOCK = {"kind": "byoyomi", "main_ms": 600_000, "byoyomi_ms": 30_000}


@dataclass(frozen=True)
class Plan:
    """So many tables, each with its people, who play one game after another. ValueError names what can't be."""

    servers: tuple[str, ...]
    game: str
    tables: int
    options: dict[str, Value] = field(default_factory=dict)
    rate: float | None = None  # actions a second in all; None: as many as can be
    planned: bool = False  # the open loop
    seconds: float = 30.0
    watchers: int = 0  # at each table
    chat: float = 0.0  # messages a minute in all
    drop_outs: float = 0.0  # connections a minute in all that are cut and come back
    brief: bool = False  # people are told briefly, and know the game themselves
    seed: int = 1
    together: bool = False  # the people of a table at one server, as a balancer sends them that goes by the room; else at one after the other

    def __post_init__(self) -> None:
        if not self.servers:
            raise ValueError("--server: the address of a server is needed, such as http://127.0.0.1:8000; `hanpan serve` starts one")
        for server in self.servers:
            if not server.startswith(("http://", "https://")):
                raise ValueError(f"--server {quoted(server)}: an address begins with http:// or https://")
        if self.planned and self.rate is None:
            raise ValueError("--rate: the open loop plans its actions beforehand, so it has to know how many a second")
        if self.rate is not None and self.rate <= 0:
            raise ValueError(f"--rate {self.rate:g}: more than none")
        if self.brief and self.played.book.rules.hide is not hide_nothing:
            raise ValueError(f"--brief: {self.game} has secrets, and only players without any can follow it by the actions alone")

    @property
    def played(self) -> Game:
        """The game with its options."""
        return game(self.game, **self.options)

    @property
    def room(self) -> dict[str, Any]:
        """How the rooms are to be: nobody waits between the parts of a game."""
        return {"game": self.game, "options": self.options, "settings": {"time": CLOCK, "pause": 0}}

    def json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)
