"""A match between two players: pairs of games from the same opening with the same chance, once for every way to sit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

from hanpan.bots.match_log import MatchLog
from hanpan.bots.players import Player, make_player
from hanpan.bots.program import Fault
from hanpan.bots.tally import Played, Tally
from hanpan.core.option import Value
from hanpan.core.rule import hide_nothing
from hanpan.core.seeds import derive
from hanpan.game import Game, State, game
from hanpan.result import sides


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

    def table(self) -> Game:
        """The game that is played."""
        return game(self.game, **self.options)

    def head(self) -> dict[str, Any]:
        """The plan as JSON."""
        return asdict(self) | {"players": list(self.players)}


def usual_openings(of: Game) -> int:
    """Random plies that suit a game: a few, but none where hidden chance makes every deal another game anyway."""
    return 4 if of.book.rules.hide is hide_nothing else 0


def play_match(
    plan: Plan, games: int, cores: int = 1, log: MatchLog | None = None, tally: Tally | None = None, tell: Callable[[Tally], None] = lambda tally: None
) -> Tally:
    """Play (or, with what was kept, go on playing) until so many games are finished or the tally's test is decided.

    Games are rounded up to whole pairs. Ctrl-C ends the match and keeps what is finished.
    """
    table = plan.table()
    ways = len(set(sides(table)))
    tally = tally or Tally(ways)
    wanted = [(pair, side) for pair in range(-(-games // ways)) for side in range(ways)]
    done = {(played.pair, played.side): played for played in (log.played(plan.players) if log else ())}
    for job in wanted:
        if job in done:
            tally.add(done[job])
    tell(tally)
    left = [job for job in wanted if job not in done]
    try:
        for spec in plan.players:  # a wrong name is told before anything begins, and machine code is made once, not in every process
            if left and not tally.decided:
                _try_out(make_player(spec, plan.game, plan.megabytes), table, plan)
        with closing(_played(plan, left, cores)) as finished:
            while not tally.decided and (played := next(finished, None)):
                if log:
                    log.add(plan.players, played)
                tally.add(played)
                tell(tally)
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally


def _try_out(player: Player, table: Game, plan: Plan) -> None:
    state = opening(table, plan, 0)[0]
    try:
        if state.seat is not None:
            player.choose(state.view(state.seat), 0.05)
    except Fault as fault:
        raise ValueError(str(fault)) from None
    finally:
        player.close()


def _played(plan: Plan, jobs: list[tuple[int, int]], cores: int) -> Generator[Played]:
    if min(cores, len(jobs)) > 1:
        from hanpan.bots.workers import share_out

        yield from share_out(plan, jobs, cores)
        return
    with Players(plan) as players:
        for pair, side in jobs:
            yield players.play(pair, side)


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
        for seat, number in enumerate(who):
            self._players[number][seat].begin(derive(plan.seed, pair, "player", side, seat))
        state, actions, chance = opening(self._table, plan, pair)
        fault, at_fault = None, 0
        spent, moves = [0.0, 0.0], [0, 0]
        while not state.over and len(actions) < plan.longest:
            if state.seat is None:
                action = chance.draw(state)
            else:
                number, player = who[state.seat], self._players[who[state.seat]][state.seat]
                began = time.perf_counter()
                try:
                    action = player.choose(state.view(state.seat), plan.seconds)
                    if action not in state.legal():
                        player.close()
                        raise Fault(f"player {plan.players[number]!r}: {action[:60]!r} is not legal in {state.view(state.seat)}")
                except Fault as failed:
                    fault, at_fault = str(failed), number
                    break
                spent[number] += time.perf_counter() - began
                moves[number] += 1
            state = state.play(action)
            actions.append(action)
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
    for attempt in range(100):
        dice, chance = random.Random(derive(plan.seed, pair, "opening", attempt)), PairChance(plan, pair)
        state, actions, plies = table.start(), list[str](), 0
        while not state.over and (state.chance or plies < plan.openings):
            action = chance.draw(state) if state.chance else dice.choice(state.legal())
            plies += not state.chance
            state = state.play(action)
            actions.append(action)
        if not state.over:
            return state, actions, chance
    raise ValueError(f"openings: {plan.openings} random plies end the game")
