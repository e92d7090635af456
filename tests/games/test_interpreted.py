"""The rules are Python: interpreted they do what they do compiled, every function, byte for byte, in every game with many options; so does the judgement."""

import goita_table
import kulami_table
import numpy as np
import puoribor_table
import pytest
import wallgo_table
from variants import NO_WARNINGS, VARIANTS

import hanpan
from hanpan.core.rule import CHANCE, OVER, SPECTATOR, below, plain, rng

pytestmark = NO_WARNINGS

FUNCTIONS = ("start", "seats", "mover", "legal", "apply", "chance", "outcome", "forced", "hide", "imagine")
PLIES = 300  # to the end of every kind of game but one that may go on for ever
PIECES = [(3, 5, 0, 300), (3, 5, 1, 50), (30, 30, 0, 0), (30, 30, 1, 80), (1, 1, 0, 300), (1, 30, 1, 0), (2, 30, 0, 0), (30, 2, 0, 0), (2, 2, 0, 0)]
CASES = [
    *VARIANTS,
    *(("puoribor", options) for options in puoribor_table.OPTIONS),
    *(("kulami", options) for options in (*kulami_table.STARTS.values(), {"board": kulami_table.APART, "level": 2})),
    ("kulami", {"board": "random", "level": 0}),
    ("kulami", {"board": "random", "level": 2}),
    *(("wallgo", options) for options in wallgo_table.MANY),
    ("wallgo", {"players": 3}),
    ("wallgo", {"size": 8, "pieces": 5}),
    *(("reversedrop", {"black": black, "white": white, "setup": ("random", "manual")[by_hand], "max_plies": most}) for black, white, by_hand, most in PIECES),
    *(("goita", options) for options in goita_table.OPTIONS),
    ("tictactoe", {}),
]
GAMES = list({repr(game): game for game in (hanpan.game(name, **options) for name, options in CASES)}.values())


def is_a_list_of_actions(game, s, actions):
    rules = game.book.rules
    most = rules.ACTIONS
    if rules.actions is not None:
        assert rules.actions(s) == plain(rules.actions)(s) <= most
        most = rules.actions(s)
    assert len(actions) <= rules.MOST_LEGAL
    assert len(set(actions.tolist())) == len(actions)
    assert 0 <= actions.min() <= actions.max() < most


def each(games):
    """As parameters; those with options of their own are slow."""
    plain_or_slow = [pytest.param(game, marks=[] if game == hanpan.game(game.name) else pytest.mark.slow, id=repr(game)) for game in games]
    return pytest.mark.parametrize("game", plain_or_slow)


@each(GAMES)
def test_interpreted_is_compiled(game):
    """On a long random game, and on others after it."""
    rules = game.book.rules
    twins = {name: plain(getattr(rules, name)) for name in FUNCTIONS}
    codes = [option.code(game.options[option.name]) for option in game.book.options]
    fresh = np.zeros(2, rules.State)
    out, again, scores, same = game.book.actions_buffer(), game.book.actions_buffer(), game.book.scores_buffer(), game.book.scores_buffer()
    dice = rng(3)
    with np.errstate(all="raise"):
        rules.start(fresh[0], *codes)
        twins["start"](fresh[1], *codes)
        assert fresh[:1].tobytes() == fresh[1:].tobytes()
        compiled, interpreted = game.start().record, game.start().record
        for ply in range(PLIES):
            s, t = compiled[0], interpreted[0]
            who = rules.mover(s)
            assert who == twins["mover"](t)
            assert rules.seats(s) == twins["seats"](t) == game.seats
            assert rules.outcome(s, scores) == twins["outcome"](t, same)
            assert (scores == same).all()
            n = rules.legal(s, out)
            assert n == twins["legal"](t, again)
            assert out[:n].tolist() == again[:n].tolist()
            assert (n == 0) == (who < 0)
            for seat in range(SPECTATOR, game.seats):
                one, other = compiled.copy(), interpreted.copy()
                rules.hide(one[0], seat)
                twins["hide"](other[0], seat)
                assert one.tobytes() == other.tobytes()
                if (ply + seat) % 5 == 0:
                    rules.imagine(one[0], seat, rng(ply))
                    twins["imagine"](other[0], seat, rng(ply))
                    assert one.tobytes() == other.tobytes()
            if who == OVER:
                compiled, interpreted = game.start().record, game.start().record
            elif who == CHANCE:
                rules.chance(s, rng(ply))
                twins["chance"](t, rng(ply))
            else:
                is_a_list_of_actions(game, s, out[:n])
                forced = rules.forced(s, rng(ply))
                assert forced == twins["forced"](t, rng(ply))
                assert forced in out[:n]
                action = int(out[below(dice, n)])
                if n > 8 and below(dice, 4):  # mostly one that stands late in the list: of a wall game's, walls
                    action = int(out[n - 1 - below(dice, n - 6)])
                rules.apply(s, action)
                twins["apply"](t, action)
            assert compiled.tobytes() == interpreted.tobytes()


@each([game for game in GAMES if game.book.evaluation.known])
def test_the_judgement_interpreted_is_the_judgement_compiled(game):
    """How seats stand, and which actions are tried first, at every fifth ply of a random game."""
    rules, judge = game.book.rules, game.book.evaluation
    values, ranking = plain(judge.values), plain(judge.ranking)
    record, out, dice = game.start().record, game.book.actions_buffer(), rng(4)
    scores, same, ranks, again = game.book.scores_buffer(), game.book.scores_buffer(), np.zeros(out.size, np.int64), np.zeros(out.size, np.int64)
    for ply in range(100):
        s = record[0]
        if rules.mover(s) == OVER:
            record = game.start().record
        elif rules.mover(s) == CHANCE:
            rules.chance(s, rng(ply))
        else:
            n = rules.legal(s, out)
            if ply % 5 == 0:
                judge.values(s, scores)
                values(s, same)
                assert scores.tolist() == same.tolist()
                judge.ranking(s, out, n, ranks)
                ranking(s, out, n, again)
                assert ranks[:n].tolist() == again[:n].tolist()
            rules.apply(s, int(out[below(dice, n)]))
