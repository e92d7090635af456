"""A match between two players: pairs of games from the same opening with the same chance, once for every way to sit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan, opening
from hanpan.bots.players import Player, make_player
from hanpan.bots.program import Fault, Program
from hanpan.bots.tally import Tally
from hanpan.bots.workers import share_out
from hanpan.game import Game
from hanpan.result import sides


def play_match(
    plan: Plan,
    games: int,
    cores: int = 1,
    log: MatchLog | None = None,
    tally: Tally | None = None,
    tell: Callable[[Tally], None] = lambda tally: None,
    on: str | None = None,
) -> Tally:
    """Play (or, with what was kept, go on playing) until so many games are finished or the tally's test is decided.

    Games are rounded up to whole pairs, and shared out as `cores` and `on` say (`share_out`). Ctrl-C ends the match and keeps what is finished.
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
        with closing(share_out(plan, left, cores, on)) as finished:
            while not tally.decided and (played := next(finished, None)):
                if log:
                    log.add(plan.players, played)
                tally.add(played)
                tell(tally)
    except KeyboardInterrupt:
        tally.interrupted = True
    return tally


def _try_out(player: Player, table: Game, plan: Plan) -> None:
    """A program is only greeted: what it can't do before it plays may take it long, and counts in its games."""
    state = opening(table, plan, 0)[0]
    try:
        if isinstance(player, Program):
            player.start()
        elif state.seat is not None:
            player.choose(state.view(state.seat), 0.05)
    except Fault as fault:
        raise ValueError(str(fault)) from None
    finally:
        player.close()
