"""Kulami: the rules said in sentences, and checked."""

import gzip
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kulami_table import APART, BARE, STARTS, A, B, cell, grid, name, play, play_out, with_marbles

import hanpan

# --- what the original programs played ---


def lines(path):
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def test_games_of_the_original_program_are_reproduced(traces):
    for line in lines(traces / "kulami.jsonl.gz")[::2]:
        state = hanpan.game("kulami", **line["options"]).parse(line["start"])
        for ply in line["plies"]:
            assert state.seat == ply["seat"]
            assert state.legal() == ply["legal"]
            state = state.play(ply["action"])
            assert str(state) == ply["after"]
        assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])


def test_final_scores_are_reproduced_at_every_level(traces):
    for line in lines(traces / "kulami-levels.jsonl.gz"):
        state = play(hanpan.game("kulami", **line["options"]).parse(line["start"]), *line["actions"])
        assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])


# --- a second, slow reading of the rulebook ---


def slow_legal(position):
    tiles, marbles, red, black, turn = position.split()
    tiles, marbles = grid(tiles), grid(marbles)
    own, other = (red, black) if turn == "r" else (black, red)
    if turn == "-" or sum(sign == turn for sign in marbles.values()) == 28:
        return []
    holes = [hole for hole in tiles if hole not in marbles]
    if other != "-":
        ox, oy = cell(other)
        holes = [(x, y) for x, y in holes if (x == ox or y == oy) and tiles[x, y] != tiles[ox, oy]]
        if own != "-":
            holes = [hole for hole in holes if tiles[hole] != tiles[cell(own)]]
    return sorted(name(*hole) for hole in holes)


def slow_scores(position, level):
    tiles, marbles = (grid(field) for field in position.split()[:2])
    own = [{hole for hole, sign in marbles.items() if sign == colour} for colour in "rb"]
    scores = [0, 0]
    for tile in set(tiles.values()):
        holes = {hole for hole in tiles if tiles[hole] == tile}
        red, black = (len(holes & mine) for mine in own)
        if red != black:
            scores[red < black] += len(holes)
    for measure in (largest_group, long_runs)[:level]:
        red, black = map(measure, own)
        scores[red < black] += abs(red - black)
    return scores


def largest_group(marbles):
    sizes, left = [0], set(marbles)
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            x, y = edge.pop()
            group.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            edge += near
        sizes.append(len(group))
    return max(sizes)


def long_runs(marbles):
    total = 0
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x, y in marbles:
            if (x - dx, y - dy) not in marbles:
                run = next(n for n in range(1, 11) if (x + n * dx, y + n * dy) not in marbles)
                total += run if run >= 5 else 0
    return total


@pytest.mark.parametrize("options", STARTS.values(), ids=STARTS)
def test_play_agrees_with_a_slow_reading_of_the_rulebook(options):
    game = hanpan.game("kulami", **options)
    for seed in range(6):
        for state in play_out(game.start(seed=seed), seed):
            assert state.scores == slow_scores(str(state), game.options["level"])
            if str(state).split()[0].count(".") == 36:
                assert state.legal() == slow_legal(str(state))
                assert state.over == (not state.legal())
        red, black = state.scores
        assert state.winner == ([] if red == black else [int(red < black)])


# --- equal positions are equal records ---


@pytest.mark.parametrize("options", STARTS.values(), ids=STARTS)
def test_every_position_of_a_game_parses_back_to_the_same_record(options):
    game = hanpan.game("kulami", **options)
    for seed in range(4):
        for state in play_out(game.start(), seed):
            again = game.parse(str(state))
            assert again == state
            assert again.record.tobytes() == state.record.tobytes()
            assert again.legal() == state.legal()


@pytest.mark.parametrize("first", ["r", "b"])
def test_a_position_text_may_let_either_seat_begin(first):
    game = hanpan.game("kulami")
    for seed in range(5):
        states = list(play_out(game.parse(f"{A} {BARE} - - {first}"), seed))
        assert [state.seat for state in states[:4]] == ([0, 1, 0, 1] if first == "r" else [1, 0, 1, 0])
        assert all(game.parse(str(state)) == state for state in states)


def test_the_way_to_an_end_does_not_matter():
    """Red stuck or black stuck on the same marbles is one and the same finished position."""
    game = hanpan.game("kulami")
    starts = [game.parse(f"{A} {BARE} - - {first}") for first in "rb"]
    ends = {str(state): state for start in starts for seed in range(30) for state in list(play_out(start, seed))[-1:]}
    leads = {position.split()[1].count("r") - position.split()[1].count("b") for position in ends}
    assert leads == {-1, 0, 1}
    for position, state in ends.items():
        assert position.endswith(" -")
        assert game.parse(position) == state


@pytest.mark.slow
@given(st.sampled_from(sorted(STARTS)), st.integers(0, 2**32), st.integers(0, 90), st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_position_is_an_error_or_a_right_position(kind, seed, plies, data):
    game = hanpan.game("kulami", **STARTS[kind])
    *_, state = play_out(game.start(), seed, plies)
    signs = list(str(state))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(signs) - 1))
        signs[at] = data.draw(st.sampled_from([*"abqr.-/ 15", ""]))
    position = "".join(signs)
    try:
        again = game.parse(position)
    except ValueError as reason:
        assert re.match(r"(position|tiles|marbles|Red's last|Black's last|to move): .", str(reason))
    else:
        assert str(again) == position
        if again.seat is not None:
            assert again.legal()
            assert again.play(again.forced(seed))


# --- a turn and the end ---


def test_the_first_marble_may_go_anywhere():
    assert hanpan.game("kulami").start().legal() == sorted(name(*hole) for hole in grid(A))
    assert hanpan.game("kulami").parse(f"{A} {BARE} - - b").legal() == hanpan.game("kulami").start().legal()


def test_the_line_runs_on_across_gaps_and_past_marbles():
    state = play(hanpan.game("kulami").start(), "d9", "d1")
    assert state.legal() == ["d4", "d5", "d6", "d7", "d8"]
    state = hanpan.game("kulami", board=APART).start().play("b8")
    assert [hole for hole in state.legal() if hole.endswith("8")] == ["a8", "d8", "e8", "h8"]


def test_with_28_marbles_each_the_game_ends_after_56_plies():
    lengths = {len(list(play_out(hanpan.game("kulami", board="b").start(), seed))) - 1 for seed in range(60)}
    assert max(lengths) == 56


def test_a_game_can_end_after_one_marble():
    state = hanpan.game("kulami", board=APART).start().play("i10")
    assert (state.over, state.winner, state.scores, state.legal()) == (True, [0], [2, 0], [])
    assert str(state) == with_marbles(APART, ["i10"]) + " i10 - -"
    assert hanpan.game("kulami", board=APART).parse(str(state)) == state


def test_being_stuck_does_not_lose():
    stuck_and_won = 0
    for seed in range(40):
        before, last = list(play_out(hanpan.game("kulami").start(), seed))[-2:]
        assert last.seat is None
        if last.record[0].left.all() and last.winner == [1 - before.seat]:
            stuck_and_won += 1
    assert stuck_and_won


def test_an_equal_tile_gives_nothing():
    game = hanpan.game("kulami", board="b")
    state = game.start().play("a1")
    assert state.scores == [4, 0]
    state = play(state, "h1", "h5", "b5", "b1")
    assert state.scores == [8, 9]
    shared = game.parse(with_marbles(B, ["a1"], ["b2"]) + " - - r")
    assert shared.scores == [0, 0]


@pytest.mark.parametrize(
    ("red", "black", "expected"),
    [
        (["a1", "b1", "c1", "d1", "e1"], ["a3", "c3", "e3", "g3", "h5"], [4, 9]),
        (["a1", "b2", "c3", "d4", "e5"], ["a5", "c5", "e1", "g1", "h6"], [0, 5]),
        (["e1", "d2", "c3", "b4", "a5"], ["a1", "c1", "e4", "g1", "h6"], [0, 5]),
        (["a1", "a2", "a3", "a4", "b4"], ["c1", "c3", "e1", "g1", "h6"], [4, 4]),
    ],
)
def test_levels_add_the_difference_of_groups_and_of_long_rows(red, black, expected):  # fmt: skip
    position = with_marbles(B, red, black) + " - - r"
    tiles, group, run = (hanpan.game("kulami", board="b", level=level).parse(position).scores for level in range(3))
    assert [group[0] - tiles[0], run[0] - tiles[0]] == expected
    assert tiles[1] == group[1] == run[1]
    swapped = with_marbles(B, black, red) + " - - r"
    assert hanpan.game("kulami", board="b", level=2).parse(swapped).scores == run[::-1]
