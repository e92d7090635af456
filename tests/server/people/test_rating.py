"""Ratings: what a result moves, and the ranks."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpan.server.people.rating import RANKS, START, changes, rank, shown

TWO, PARTNERS, THREE = [0, 1], [0, 1, 0, 1], [0, 1, 2]


# --- two sides ---


def test_everyone_starts_at_1300_and_equals_play_for_ten_points():
    assert START == 1300
    assert changes([START, START], TWO, [1], [0, 0]) == [-10, 10]


@pytest.mark.parametrize(
    ("winner", "loser", "gain"),
    [(1300, 1400, 12), (1400, 1300, 8), (1300, 1800, 20), (1300, 2500, 20), (1750, 1300, 1), (1800, 1300, 1), (2500, 1300, 1), (1300, 1300.25, 10.005)],
)
def test_a_win_over_a_stronger_one_brings_more_between_1_and_20(winner, loser, gain):
    assert changes([winner, loser], TWO, [0], [0, 0]) == pytest.approx([gain, -gain])
    assert changes([loser, winner], TWO, [1], [0, 0]) == pytest.approx([-gain, gain])


def test_partners_move_by_the_means_of_their_pairs_and_alike():
    assert changes([1500, 1200, 1300, 1400], PARTNERS, [1, 3], [0, 150, 0, 150]) == pytest.approx([-12, 12, -12, 12])


def test_a_draw_is_the_mean_of_both_outcomes():
    assert changes([1300, 1300], TWO, [], [4, 4]) == [0, 0]
    assert changes([1300, 1400], TWO, [], [4, 4]) == pytest.approx([2, -2])
    assert changes([1000, 2000], TWO, [], [4, 4]) == pytest.approx([9.5, -9.5])
    assert changes([1300, 1400, 1300, 1400], PARTNERS, [], [0] * 4) == pytest.approx([2, -2, 2, -2])


def test_between_two_sides_the_scores_do_not_matter():
    assert changes([1300, 1300], TWO, [], [30, 2]) == [0, 0], "a draw that was agreed"
    assert changes([1300, 1300], TWO, [1], [30, 2]) == [-10, 10], "the leader gave up"


# --- three seats ---


def test_three_seats_are_three_games_for_half_the_points_by_final_place():
    assert changes([1300] * 3, THREE, [1], [5, 20, 9]) == [-10, 10, 0]
    assert changes([1300, 1400, 1500], THREE, [0], [20, 10, 5]) == pytest.approx([6 + 7, -6 + 6, -7 - 6])


def test_each_pairing_of_three_is_worth_a_half_to_ten():
    assert changes([1300, 2500, 2500], THREE, [0], [9, 4, 4]) == pytest.approx([20, -10, -10])
    assert changes([2500, 1300, 1300], THREE, [0], [9, 4, 4]) == pytest.approx([1, -0.5, -0.5])


def test_three_seats_may_tie_for_any_place():
    assert changes([1300] * 3, THREE, [], [7, 7, 7]) == [0, 0, 0]
    assert changes([1300] * 3, THREE, [], [9, 9, 7]) == [5, 5, -10]
    assert changes([1300] * 3, THREE, [0], [9, 7, 7]) == [10, -5, -5]
    assert changes([1300, 1400, 1300], THREE, [], [7, 7, 2]) == pytest.approx([1 + 5, -1 + 4, -5 - 4])


def test_a_tie_that_the_rules_broke_is_none():
    assert changes([1300] * 3, THREE, [1], [9, 9, 7]) == [0, 10, -10]


def test_who_left_finishes_last_whatever_the_scores_say():
    assert changes([1300] * 3, THREE, [1], [30, 9, 7], last=[0]) == [-10, 10, 0]
    assert changes([1300] * 3, THREE, [0], [30, 9, 7], last=[0]) == [-10, 10, 0], "even if the position says that they won"
    assert changes([1300] * 3, THREE, [2], [30, 9, 7], last=[1, 0]) == [-5, -5, 10], "two who left share the last place"
    assert changes([1300] * 2, TWO, [], [30, 9], last=[1]) == [10, -10]


# --- what can't be ---


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (([1300], [0, 1], [0], [0, 0]), "sides"),
        (([1300, 1300], [0, 1], [0], [0]), "sides"),
        (([1300, 1300], [0, 0], [0], [0, 0]), "sides"),
        (([1300, 1300], [0, 1], [2], [0, 0]), "winners"),
        (([1300, 1300], [0, 1], [0], [0, 0], [-1]), "last"),
    ],
)
def test_a_result_that_does_not_fit_the_seats_is_refused(given, field):
    with pytest.raises(ValueError, match=f"^{field}: "):
        changes(*given)


# --- properties ---

unhurried = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure

rating = st.floats(0, 4000)
tables = st.sampled_from([TWO, PARTNERS, THREE]).flatmap(
    lambda sides: st.tuples(
        st.lists(rating, min_size=len(sides), max_size=len(sides)),
        st.just(sides),
        st.sets(st.sampled_from(sides), max_size=1).map(lambda won: [seat for seat in range(len(sides)) if sides[seat] in won]),
        st.lists(st.integers(0, 4), min_size=len(sides), max_size=len(sides)),
        st.sets(st.integers(0, len(sides) - 1), max_size=1).map(list),
    )
)


@pytest.mark.slow
@unhurried
@given(tables)
def test_what_some_gain_others_lose(table):
    assert sum(changes(*table)) == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@unhurried
@given(tables)
def test_no_change_exceeds_twenty_points_and_partners_share_it(table):
    moved, sides = changes(*table), table[1]
    assert all(abs(change) <= 20 for change in moved)
    assert all(moved[one] == moved[other] for one in range(len(sides)) for other in range(len(sides)) if sides[one] == sides[other])


@pytest.mark.slow
@unhurried
@given(tables)
def test_with_two_sides_the_winner_gains_at_least_one_point(table):
    ratings, sides, winners, scores, _ = table
    if len(set(sides)) == 2 and winners:
        moved = changes(ratings, sides, winners, scores)
        assert all(moved[seat] >= 1 if seat in winners else moved[seat] <= -1 for seat in range(len(sides)))


@pytest.mark.slow
@unhurried
@given(tables, st.randoms(use_true_random=False))
def test_the_numbers_of_the_seats_do_not_matter(table, dice):
    ratings, sides, winners, scores, last = table
    order = list(range(len(sides)))
    dice.shuffle(order)  # new seat i is old seat order[i]

    def renamed(seats):
        return [order.index(seat) for seat in seats]

    moved = changes([ratings[seat] for seat in order], [sides[seat] for seat in order], renamed(winners), [scores[seat] for seat in order], renamed(last))
    before = changes(*table)
    assert moved == pytest.approx([before[seat] for seat in order], abs=1e-9)


@pytest.mark.slow
@unhurried
@given(tables, st.floats(-500, 500))
def test_only_differences_of_ratings_matter(table, more):
    ratings, *result = table
    assert changes([value + more for value in ratings], *result) == pytest.approx(changes(*table), abs=1e-6)


@unhurried
@given(rating, rating)
def test_a_draw_lies_halfway_between_winning_and_losing(one, other):
    won, lost, drawn = (changes([one, other], TWO, winners, [0, 0])[0] for winners in ([0], [1], []))
    assert drawn == pytest.approx((won + lost) / 2)
    assert lost < drawn < won


@unhurried
@given(st.lists(rating, min_size=3, max_size=3), st.lists(st.integers(0, 4), min_size=3, max_size=3))
def test_a_better_place_never_costs_points(ratings, scores):
    before = changes(ratings, THREE, [], scores)[0]
    assert changes(ratings, THREE, [], [scores[0] + 1, *scores[1:]])[0] >= before - 1e-9
    assert changes(ratings, THREE, [0], scores)[0] >= before - 1e-9
    assert changes(ratings, THREE, [], scores, last=[0])[0] <= before + 1e-9


# --- ranks ---


@pytest.mark.parametrize(
    ("rating", "key", "colour"),
    [
        (2600, "master", "red"),
        (2000, "master", "red"),
        (1999, "expert", "orange"),
        (1800, "expert", "orange"),
        (1799, "advanced", "purple"),
        (1600, "advanced", "purple"),
        (1400, "intermediate", "yellow"),
        (1300, "elementary", "green"),
        (1200, "elementary", "green"),
        (1000, "beginner", "cyan"),
        (999, "contrarian", "white"),
        (-20, "contrarian", "white"),
    ],
)
def test_ranks_and_their_colours(rating, key, colour):
    assert (rank(rating).key, rank(rating).colour) == (key, colour)
    assert rank(rating) in RANKS


def test_a_rank_goes_by_the_rating_that_is_shown():
    assert (shown(1999.5), rank(1999.5).key) == (2000, "master")
    assert (shown(1999.49), rank(1999.49).key) == (1999, "expert")


def test_halves_are_shown_upwards():
    assert [shown(value) for value in (1300.5, 1301.5, 1300.4999, -0.5)] == [1301, 1302, 1300, 0]


@unhurried
@given(st.floats(-100, 4000), st.floats(-100, 4000))
def test_a_higher_rating_never_has_a_lower_rank(one, other):
    low, high = sorted((one, other))
    assert RANKS.index(rank(high)) <= RANKS.index(rank(low))
