"""Goita's computer player: what it may know, what it concludes, and that it plays well."""

import numpy as np
import pytest

import hanpan
from hanpan.bots.hidden import HiddenSearch
from hanpan.bots.match import play_match
from hanpan.bots.pairs import Plan
from hanpan.core.rule import CHANCE, OVER, below, plain, rng
from hanpan.games.goita import evaluate, habits, rules, solve, standing

GOITA = hanpan.game("goita")


def walk(plies, seed, by_habit=False):
    """The records of games, wherever a seat has something to choose."""
    first = GOITA.start().record
    s, out, ranks, dice = first.copy(), np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int64), rng(seed)
    while plies:
        who = rules.mover(s[0])
        if who == OVER:
            s[:] = first
        elif who == CHANCE:
            rules.chance(s[0], dice)
        else:
            n = rules.legal(s[0], out)
            if n > 1:
                yield s.copy()
                plies -= 1
            habits.rank(s[0], out, n, ranks)
            rules.apply(s[0], out[ranks[:n].argmax()] if by_habit else out[below(dice, n)])


def ranked(record, rank=habits.rank):
    out, ranks = np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int64)
    n = rules.legal(record[0], out)
    rank(record[0], out, n, ranks)
    return dict(zip(out[:n].tolist(), ranks[:n].tolist(), strict=True))


def plausible(state, seat):
    s, past = state.record, state.record
    return evaluate.plausible(s[0], seat, past, np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int64))


def position(hands, dealer, turns="", scores="0-0", phase="play"):
    return GOITA.parse(f"{scores} {hands},s{dealer}{turns and ','}{turns} {phase}")


def bot(nodes=3000, level=8, seed=1):
    return hanpan.bot("goita", level=level, seed=seed, megabytes=16, nodes=nodes)


# --- only what the own seat may know ---


def test_habits_are_the_same_in_every_world_that_looks_alike():
    for number, record in enumerate(walk(300, 5)):
        seat = int(rules.mover(record[0]))
        view = record.copy()
        rules.hide(view[0], seat)
        world = view.copy()
        rules.imagine(world[0], seat, rng(number))
        assert ranked(record) == ranked(view) == ranked(world)


def test_habits_are_the_same_interpreted():
    for record in walk(60, 6):
        assert ranked(record) == ranked(record, plain(habits.rank))


@pytest.mark.parametrize("level", [1, 4, 8])
def test_twin_worlds_are_played_alike(level):
    for number, record in enumerate(walk(12, 7, by_habit=True)):
        view = hanpan.State(GOITA, record, -3).view(int(rules.mover(record[0])))
        worlds = [hanpan.State(GOITA, record, -3), view, view.imagine(number), view.imagine(number + 50)]
        assert len({bot(200, level).choose(world) for world in worlds}) == 1


# --- what the others' turns tell ---


BLOCKER_PASSED = "11124556,11234456,11123357,11234789"  # seat 2 holds two 銀
NO_BLOCKER = "11124556,11223567,11123357,11344489"  # it holds none; to seat 3 both look the same


def test_who_passed_probably_could_not_block():
    held, empty = (position(hands, 1, "114,2p") for hands in (BLOCKER_PASSED, NO_BLOCKER))
    assert held.view(2) == empty.view(2)
    assert plausible(held, 2) < plausible(empty, 2) - 20


def test_the_own_turns_tell_nothing_about_the_others():
    assert plausible(position(BLOCKER_PASSED, 1, "114"), 0) == 0


def test_a_world_is_as_plausible_interpreted():
    for record in walk(20, 8, by_habit=True):
        room = (np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int64))
        compiled, interpreted = (of(record[0], 0, record.copy(), *room) for of in (evaluate.plausible, plain(evaluate.plausible)))
        assert abs(compiled - interpreted) <= 1  # logarithms may differ in their last bit


# --- how the game stands ---


def test_chances_grow_with_points_and_with_the_deal():
    for own in range(1, standing.MOST):
        for other in range(1, standing.MOST):
            assert standing.CHANCES[own][other] > standing.CHANCES[own + 1][other]
            assert standing.CHANCES[own][other] < standing.CHANCES[own][other + 1]
        assert standing.CHANCES[own][own] > 0.5


def test_partners_stand_alike_and_opponents_opposite():
    out = np.zeros(4, np.int32)
    for scores, dealer in [("0-0", "-"), ("140-30", "2"), ("10-100", "3")]:
        record = GOITA.parse(f"{scores} s{dealer} deal").record
        evaluate.values(record[0], out)
        assert out[0] == out[2] == -out[1] == -out[3]
        ours, theirs = map(int, scores.split("-"))
        assert (out[0] > 0) == (ours > theirs)
        assert (out[0] == 0) == (ours == theirs)


def test_far_from_a_high_target_points_still_count():
    out, low, high = np.zeros(4, np.int32), 0, 0
    for scores in ("0-0", "40-0"):
        record = hanpan.game("goita", target=1000).parse(f"{scores} s1 deal").record
        evaluate.values(record[0], out)
        low, high = high, int(out[0])
    assert high > low


# --- what it plays ---


def test_it_goes_out_with_as_many_points_as_it_can():
    """Seat 1 leads its last two komas, 銀 and 角."""
    turns = "113,2p,3p,4p,113,2p,3p,4p,114,2p,3p,4p"
    state = position("11133446,11122345,11223456,11557789", 1, turns)
    assert state.seat == 0
    assert state.legal() == ["46", "64"]
    assert bot(100).choose(state) == "46"


@pytest.mark.parametrize(
    ("text", "best"),
    [  # each seat's komas follow from what is seen: the world is certain, and the solver knows the answer
        (
            "130-80 13344589,11122356,11123456,11124577,s1,143,2p,3p,4p,143,236,363,4p,1p,2p,315,457,195,252,3p,4p,1p,212,324,442,1p,2p,3p,417 play",
            "81",
        ),
        (
            "50-40 11122358,12234449,11145667,11133557,s1,112,224,3p,4p,1p,234,346,4p,1p,294,3p,4p,183,2p,3p,437,1p,2p,376,4p,1p,2p,315,453,"
            "1p,2p,3p,415,152 play",
            "21",
        ),
    ],
)
def test_where_nothing_is_hidden_any_more_it_plays_what_the_solver_does(text, best):
    state = GOITA.parse(text)
    exact = {state.game.book.text.format_action(state.record[0], a): value for a, value in solve.values(state.record[0]).items()}
    assert exact[best] == max(exact.values()) > min(exact.values())
    assert bot(500).choose(state) == best


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("0-0 11122567,11111345,11233355,24446789,s1 goshi", "proceed"),  # seat 4 holds both kings and three 銀
        ("0-0 13445678,11223556,11223457,11111349,s1 goshi", "redeal"),
    ],
)
def test_it_decides_about_five_shi_by_the_own_hand(text, decision):
    assert bot(1000).choose(GOITA.parse(text)) == decision


def test_the_same_seed_and_work_give_the_same_thought():
    record = next(walk(1, 9))
    seat = int(rules.mover(record[0]))
    rules.hide(record[0], seat)
    results = [[*HiddenSearch("goita", 16).think(record, None, 700, 64, 0, seed)][-1].values for seed in (4, 4, 5)]
    assert results[0] == results[1] != results[2]


def test_two_threads_think_together():
    record = next(walk(1, 10))
    rules.hide(record[0], int(rules.mover(record[0])))
    *_, result = HiddenSearch("goita", 16, threads=2).think(record, None, 1000, 64, 0, 1)
    assert result.nodes >= 1000


@pytest.mark.slow
def test_a_pair_beats_greedy_players(monkeypatch):
    monkeypatch.syspath_prepend("benchmarks")
    plan = Plan("goita", {}, ("8@100", "python:opponents.goita_greedy:Greedy"), openings=0, megabytes=16)
    won, _, lost = play_match(plan, 12).counts()
    assert won + lost == 12
    assert won >= 10
