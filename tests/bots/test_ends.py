"""Ends: what is called a sure win is won in no more plies than announced, whatever the other plays; nobody goes round in circles with it."""

import random
from itertools import count

import numpy as np
import pytest

import hanpan
from hanpan.bots.alphabeta import SURE, WIN
from hanpan.bots.deepening import Deepening
from hanpan.core.rule import OVER

TABLES = [
    ("puoribor", {"rotation": False, "walls": 4}),
    ("puoribor", {"rotation": False}),
    ("puoribor", {"walls": 5}),
    ("kulami", {"board": "random"}),
    ("reversedrop", {"max_plies": 60}),
]
IDS = ["quoridor-few-walls", "quoridor", "puoribor", "kulami", "reversedrop"]
NODES = 3_000


def searched(player, record, seed=1):
    *_, last = player.think(record, None, NODES, 64, 0, seed)
    return last


def announced(found):
    """The plies within which the seat to act wins; None if that is not sure."""
    top = found.values[found.best]
    return round(WIN - top) if found.sure and top > SURE else None


def games(name, options, seed):
    """Positions of games that quick players play, with some actions as they come."""
    table, dice = hanpan.game(name, **options), random.Random(seed)
    rules, player = table.book.rules, Deepening(name, 2)
    for number in count():
        record, out = table.start(seed=seed + number).record, table.book.actions_buffer()
        for _ in range(400):
            if rules.mover(record[0]) < 0:
                break
            yield record.copy()
            n = int(rules.legal(record[0], out))
            *_, quick = player.think(record, None, 150, 64, 0, dice.randrange(1000))
            rules.apply(record[0], int(out[dice.randrange(n)]) if dice.random() < 0.25 else quick.best)


def win_announced(name, options, wanted, seed):
    """Play out so many positions whose win is announced: the winner by what it finds, the other by its own search or, in some games, at random."""
    table, dice = hanpan.game(name, **options), random.Random(seed)
    rules, winner, loser = table.book.rules, Deepening(name, 8), Deepening(name, 8)
    out, scores, done = table.book.actions_buffer(), table.book.scores_buffer(), 0
    for start in games(name, options, seed):
        if done == wanted:
            return
        first = announced(searched(winner, start))
        if first is None:
            continue
        done += 1
        record, seat, left = start.copy(), int(rules.mover(start[0])), first
        at_random = dice.random() < 0.3
        while rules.mover(record[0]) != OVER:
            n = int(rules.legal(record[0], out))
            if n == 1:  # nothing to think about
                action = int(out[0])
            elif rules.mover(record[0]) == seat:
                found = searched(winner, record)
                now = announced(found)
                assert now is not None, (table.options, start.tobytes().hex(), first, left)
                assert now <= left, (table.options, start.tobytes().hex(), first, left, now)
                action = found.best
            else:
                action = int(out[dice.randrange(n)]) if at_random else searched(loser, record).best
            rules.apply(record[0], action)
            left -= 1
            assert left >= 0
        assert int(rules.outcome(record[0], scores)) == 1 << seat


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_no_sure_win_takes_longer_than_announced(name, options):
    win_announced(name, options, 40, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), TABLES, ids=IDS)
def test_of_a_thousand_sure_wins_none_takes_longer_than_announced(name, options):
    win_announced(name, options, 1_000 if name == "puoribor" else 200, seed=2)


def test_what_rests_on_a_circle_is_not_remembered_for_another_way():
    """Two pawns in a corridor: with one memory for all positions of it, whoever is told to have won has won, and nobody is told that nobody wins."""
    table = hanpan.game("puoribor", rotation=False, walls=0)
    rules, player = table.book.rules, Deepening("puoribor", 2)
    for pawns in ("e4 e6", "e3 e6", "d4 e6", "e5 e6", "d5 e5", "c5 e5"):
        for seat in (1, 2):
            record = table.parse(f"{pawns} 0 0 - {seat}").record
            fresh = searched(Deepening("puoribor", 2), record)
            known = searched(player, record)
            assert fresh.sure
            assert known.sure
            assert np.sign(fresh.values[fresh.best]) == np.sign(known.values[known.best])
            assert rules.mover(record[0]) == seat - 1
