"""The games of a match, one by one: what decides them, the opening and the chance of a pair, and the players of one process."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from hanpan.bots.bot import STRONGEST, Bot
from hanpan.bots.players import make_player
from hanpan.bots.program import Fault
from hanpan.bots.tally import Played
from hanpan.core.option import Value
from hanpan.core.rule import hide_nothing
from hanpan.core.seeds import derive
from hanpan.game import Game, State, game
from hanpan.result import sides

_ATTEMPTS = 100  # openings that are drawn for a pair, until one will do
_EVEN = 0.3  # how far a side's odds may be from everyone's in an even opening, as a logarithm: with two sides nobody wins more than 57 %


@dataclass(frozen=True)
class Plan:
    """All that decides the games of a match: the same plan is the same match."""

    game: str
    options: dict[str, Value]
    players: tuple[str, str]
    seconds: float | None = None  # a move; None: as much as each player's own level says
    openings: int = 4  # random plies at the start of every pair
    seed: int = 1
    megabytes: int = 64  # for each seat's computer player
    longest: int = 1000  # plies, then nobody has won
    even: int | None = None  # only openings that the strongest level, with so many nodes, finds even

    def table(self) -> Game:
        """The game that is played."""
        return game(self.game, **self.options)

    def head(self) -> dict[str, Any]:
        """The plan as JSON."""
        return asdict(self) | {"players": list(self.players)}

    @contextmanager
    def open(self) -> Iterator[Callable[[tuple[int, int]], Played]]:
        """The match as work that is shared out: a job is a pair and a side."""
        with Players(self) as players:
            yield lambda job: players.play(*job)


def usual_openings(of: Game) -> int:
    """Random plies that suit a game: a few, but none where hidden chance makes every deal another game anyway."""
    return 4 if of.book.rules.hide is hide_nothing else 0


class Players:
    """The players of a match in one process: one of each for every seat, so that nobody hears what another seat knows."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._table = plan, plan.table()
        self._sides = sides(self._table)
        self._players = [[make_player(spec, plan.game, plan.megabytes) for _ in self._sides] for spec in plan.players]

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *_: object) -> None:
        for players in self._players:
            for player in players:
                player.close()

    def play(self, pair: int, side: int) -> Played:
        """One game: the first player has this side, the second all others."""
        plan = self._plan
        who = [0 if one == side else 1 for one in self._sides]  # which player sits at each seat
        state, actions, chance = opening(self._table, plan, pair)
        fault, at_fault = None, 0
        spent, moves = [0.0, 0.0], [0, 0]
        try:
            for seat, at_fault in enumerate(who):
                self._players[at_fault][seat].begin(derive(plan.seed, pair, "player", side, seat))
            while not state.over and len(actions) < plan.longest:
                if state.seat is None:
                    action = chance.draw(state)
                else:
                    at_fault = who[state.seat]
                    player = self._players[at_fault][state.seat]
                    began = time.perf_counter()
                    action = player.choose(state.view(state.seat), plan.seconds)
                    if action not in state.legal():
                        player.close()
                        raise Fault(f"player {plan.players[at_fault]!r}: {action[:60]!r} is not legal in {state.view(state.seat)}")
                    spent[at_fault] += time.perf_counter() - began
                    moves[at_fault] += 1
                state = state.play(action)
                actions.append(action)
        except Fault as failed:
            fault = str(failed)
        score = float(at_fault) if fault else share(state, self._sides, side)
        means = tuple(round(time / max(1, count), 4) for time, count in zip(spent, moves, strict=True))
        return Played(pair, side, score, state.winner, len(actions), means, tuple(actions), fault)


def share(state: State, of: Sequence[int], side: int) -> float:
    """What one side has of a game: the winners share one; without a winner all do."""
    winners = {of[seat] for seat in state.winner or ()} or set(of)
    return 1 / len(winners) if side in winners else 0.0


class PairChance:
    """What chance decides in a pair: the first draw, the second … are the same for every game of the pair, whoever plays where."""

    def __init__(self, plan: Plan, pair: int) -> None:
        self._plan, self._pair, self._count = plan, pair, 0

    def draw(self, state: State) -> str:
        """The next chance action."""
        self._count += 1
        return state.draw(derive(self._plan.seed, self._pair, "chance", self._count))


def opening(table: Game, plan: Plan, pair: int) -> tuple[State, list[str], PairChance]:
    """The position that a pair begins with, the actions to it, and the chance from there on: some random plies that do not end the game."""
    ended = 0
    for attempt in range(_ATTEMPTS):
        dice, chance = random.Random(derive(plan.seed, pair, "opening", attempt)), PairChance(plan, pair)
        state, actions, plies = table.start(), list[str](), 0
        while not state.over and (state.chance or plies < plan.openings):
            action = chance.draw(state) if state.chance else dice.choice(state.legal())
            plies += not state.chance
            state = state.play(action)
            actions.append(action)
        ended += state.over
        if not state.over and (plan.even is None or _is_even(state, plan.even)):
            return state, actions, chance
    if ended == _ATTEMPTS:
        raise ValueError(f"openings: {plan.openings} random plies end the game")
    raise ValueError(f"even: of {_ATTEMPTS} openings of {plan.openings} random plies none is even")


def _is_even(state: State, nodes: int) -> bool:
    """Whether the strongest level thinks that the side to act wins about as often as any other; a new player each time, so that it is the same every time."""
    *_, found = Bot(state.game.name, STRONGEST, megabytes=8, nodes=nodes).analyse(state, lines=1)
    odds = 110 * next(iter(found.values.values())) / state.game.book.evaluation.SCALE
    return abs(odds + math.log(len(set(sides(state.game))) - 1)) <= _EVEN
