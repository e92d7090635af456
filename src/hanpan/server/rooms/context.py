"""What every room of this process is given: where it stores, how it tells, what the time is, who thinks and draws for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hanpan.server.people.identity import People
from hanpan.server.people.speech import Speech
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.games import GameLoader
from hanpan.server.rooms.outbox import Outbox
from hanpan.server.rooms.passwords import Passwords
from hanpan.server.rooms.studio import Studio
from hanpan.server.rooms.timers import Calendar
from hanpan.server.storage.store import Store


@dataclass
class Timeouts:
    """How long a room waits for people, in seconds."""

    patience: float  # for someone whose connection is lost
    claim: float  # without a clock: until those who are left may claim the game
    abandoned: float  # until a game that nobody is left of ends
    ready: float  # for the last one to be ready, once someone is


@dataclass(frozen=True)
class Context:
    """The parts that rooms share."""

    store: Store
    outbox: Outbox
    people: People
    speech: Speech
    bots: BotPool
    chance: Chance
    sketches: Studio
    games: GameLoader
    passwords: Passwords
    timeouts: Timeouts
    calendar: Calendar
    chat_days: int
    now: Callable[[], int]  # the server's clock, in milliseconds
    acted: Callable[[float], None]  # told how many seconds an action took until everyone knew of it
