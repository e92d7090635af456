"""Kulami: the rules said in sentences, and checked."""

import gzip
import json
import random
import re
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanpan
from hanpan.games.kulami import boards, rules, text
from hanpan.games.kulami.frame import SHAPES, area, beside, rectangle
from hanpan.games.kulami.tiletext import read_board
from hanpan.rule import CHANCE, OVER, below, plain, rng

BARE = "/".join([".........."] * 10)
A, B = boards.A, boards.B
STARTS = {
    "a": {},
    "b": {"board": "b", "level": 2},
    "random": {"board": "random", "level": 1},
    "square": {"board": "random-square", "level": 2},
    "build": {"board": "build"},
}
# The square board with one tile taken out of its last row and put into the frame's far corner.
APART = B.replace("mmqqo", "mm..o")[:-2] + "qq"


def play_out(state, seed, plies=10_000):
    """A random game from a state, as states."""
    dice = random.Random(seed)
    yield state
    while not state.over and plies:
        plies -= 1
        state = state.play(state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal()))
        yield state


def play(state, *actions):
    for action in actions:
        state = state.play(action)
    return state


def refused(state, action):
    with pytest.raises(hanpan.IllegalAction) as reason:
        state.play(action)
    return reason.value


def cell(name):
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def name(x, y):
    return f"{'abcdefghij'[x]}{y + 1}"


def grid(rows):
    return {(x, y): sign for y, row in enumerate(rows.split("/")) for x, sign in enumerate(row) if sign != "."}


def with_marbles(board, red=(), black=()):
    signs = [["."] * 10 for _ in range(10)]
    for sign, names in (("r", red), ("b", black)):
        for x, y in map(cell, names):
            signs[y][x] = sign
    return f"{board} {'/'.join(map(''.join, signs))}"


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


# --- interpreted is compiled, and equal positions are equal records ---


@pytest.mark.parametrize("options", [*STARTS.values(), {"board": APART, "level": 2}], ids=[*STARTS, "given"])
def test_interpreted_is_compiled(options):
    game = hanpan.game("kulami", **options)
    twin = {name: plain(getattr(rules, name)) for name in ("start", "mover", "legal", "apply", "chance", "outcome", "forced")}
    compiled = game.start().record
    codes = [option.code(game.options[option.name]) for option in rules.OPTIONS]
    fresh = np.zeros(2, rules.State)
    with np.errstate(all="raise"):
        rules.start(fresh[0], *codes)
        twin["start"](fresh[1], *codes)
        assert fresh[:1].tobytes() == fresh[1:].tobytes()
        interpreted, dice = compiled.copy(), rng(11)
        out, again, scores, same = (np.zeros(rules.MOST_LEGAL, np.int32) for _ in range(4))
        ended = 0
        for ply in range(250):
            s, t = compiled[0], interpreted[0]
            assert rules.outcome(s, scores) == twin["outcome"](t, same)
            assert scores[:2].tolist() == same[:2].tolist()
            who = rules.mover(s)
            assert who == twin["mover"](t)
            assert (rules.legal(s, out) == 0) == (who < 0)
            if who == OVER:
                ended += 1
                compiled, interpreted = game.start().record, game.start().record
            elif who == CHANCE:
                rules.chance(s, rng(ply))
                twin["chance"](t, rng(ply))
            else:
                n = rules.legal(s, out)
                assert n == twin["legal"](t, again)
                assert out[:n].tolist() == again[:n].tolist() == sorted(set(out[:n].tolist()))
                assert rules.forced(s, rng(ply)) == twin["forced"](t, rng(ply)) in out[:n]
                action = int(out[below(dice, n)])
                rules.apply(s, action)
                twin["apply"](t, action)
            assert compiled.tobytes() == interpreted.tobytes()
        assert ended >= 2


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
        assert re.match(r"(position|tiles|marbles|red's last|black's last|to move): .", str(reason))
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


# --- boards ---


def test_the_printed_boards_are_those_of_the_rulebook():
    rectangles = "0,0,2,2 2,0,1,2 3,0,2,3 5,0,3,1 0,2,1,3 1,2,2,2 5,1,1,2 6,1,2,2 3,3,3,2 6,3,2,2 1,4,2,3 0,5,1,3 1,7,2,1 3,5,2,3 5,5,2,2 5,7,2,1 7,5,1,3"
    areas = {rectangle(*map(int, tile.split(","))) for tile in rectangles.split()}
    assert {area(k) for k in read_board(B)} == areas
    assert str(hanpan.game("kulami").start()) == f"{A} {BARE} - - r"
    assert str(hanpan.game("kulami", board="b").start()) == f"{B} {BARE} - - r"


def test_before_chance_draws_the_board_the_frame_is_empty():
    for board in ("random", "random-square"):
        state = hanpan.game("kulami", board=board).start()
        assert str(state) == f"{BARE} {BARE} - - r"
        assert state.chance
        assert state.seat is None
        assert state.legal() == []
        assert state.scores == [0, 0]
        drawn = state.play(state.draw(5))
        assert drawn == hanpan.game("kulami", board=board).parse(str(drawn))
        assert drawn.seat == 0
        assert len(drawn.legal()) == 64
        assert state.draw(5) == state.draw(5) != state.draw(6)


def test_random_boards_hang_together():
    state = hanpan.game("kulami", board="random").start()
    seen = set()
    for seed in range(150):
        tiles = state.draw(seed).removeprefix("board ")
        placements = read_board(tiles)
        seen.add(tiles)
        reached, everything = area(placements[0]), sum(map(area, placements))
        while beside(reached) & everything & ~reached:
            reached |= beside(reached) & everything
        assert reached == everything
        assert everything.bit_count() == 64
    assert len(seen) == 150
    assert len({len(tiles.rstrip("./")) for tiles in seen}) > 10


def test_random_square_boards_are_a_fair_mix_of_covers():
    state = hanpan.game("kulami", board="random-square").start()
    seen, upright, corners = set(), 0, np.zeros(4)
    for seed in range(300):
        tiles = state.draw(seed).removeprefix("board ")
        placements = read_board(tiles)
        assert sum(map(area, placements)) == rectangle(0, 0, 8, 8)
        seen.add(tiles)
        upright += sum(SHAPES[k // 100][0] < SHAPES[k // 100][1] for k in placements)
        corners += [next(area(k).bit_count() for k in placements if area(k) >> at & 1) for at in (0, 7, 70, 77)]
    assert len(seen) == 300
    assert 5.5 < upright / 300 < 6.5  # of the twelve tiles that are longer one way
    assert np.ptp(corners / 300) < 0.5


def test_a_given_board_is_laid_as_it_is_written():
    state = hanpan.game("kulami", board=APART, level=1).start()
    assert str(state) == f"{APART} {BARE} - - r"
    with pytest.raises(ValueError, match=r"^board: Only 0 of the 17 tiles lie\.$"):
        hanpan.game("kulami", board=BARE)
    with pytest.raises(ValueError, match=r"^board: “c” is not ten rows"):
        hanpan.game("kulami", board="c")
    with pytest.raises(ValueError, match=r"^board: Tile b comes where a is due"):
        hanpan.game("kulami", board=A.replace("a", "x").replace("b", "a").replace("x", "b"))


def test_the_tiles_of_a_position_stand_above_the_option():
    for board in ("a", "b", "random", "random-square", "build", APART):
        state = hanpan.game("kulami", board=board).parse(f"{B} {BARE} - - b")
        assert state.seat == 1
        assert len(state.legal()) == 64
        assert state == hanpan.game("kulami", board=board).parse(str(state))


# --- laying the board by turns ---

# Fifteen tiles after which no 2×3 and no 2×2 finds room.
DEAD_END = [
    *("1x2@a5", "1x3@b3", "2x3@c2", "3x1@e3", "2x1@a7"),
    *("2x1@a8", "2x1@c7", "3x1@g4", "3x1@b9", "2x2@e6"),
    *("2x2@f8", "2x2@h8", "2x2@i5", "2x2@g6", "3x2@g1"),
]


def test_who_moves_second_lays_the_first_tile():
    state = hanpan.game("kulami", board="build").start()
    assert str(state) == f"{BARE} {BARE} - - b"
    assert (state.seat, state.chance) == (1, False)
    assert len(state.legal()) == rules.MOST_LEGAL
    states = [s for s in play_out(state, 3) if str(s).split()[0].count(".") > 36]
    assert [s.seat for s in states] == [(n + 1) % 2 for n in range(17)]
    red = hanpan.game("kulami", board="build").parse(f"{BARE} {BARE} - - r")
    for seed in range(3):
        first = next(s for s in play_out(red, seed) if len(str(s).split()[0].replace("/", "").replace(".", "")) == 64)
        assert first.seat == 1
        assert "@" not in first.legal()[0]


def test_a_tile_shares_an_edge_with_a_laid_one():
    state = hanpan.game("kulami", board="build").start().play("2x2@e5")
    ones = [action.partition("@")[2] for action in state.legal() if action.startswith("2x1")]
    assert ones == sorted(["c5", "c6", "d4", "d7", "e4", "e7", "f4", "f7", "g5", "g6"])
    assert str(state).split()[0] == "/".join([".........."] * 4 + ["....aa...."] * 2 + [".........."] * 4)
    assert str(state.play("1x3@d3")).split()[0].split("/")[2:6] == ["...a......", "...a......", "...abb....", "....bb...."]


def test_tiles_are_used_up():
    state = hanpan.game("kulami", board="build").start()
    for number in range(5):
        state = state.play(f"2x2@{name(2 * number, 0)}")
    assert not any(action.startswith("2x2") for action in state.legal())
    assert any(action.startswith("3x2") for action in state.legal())


def test_when_no_remaining_tile_fits_the_frame_is_cleared_and_the_same_seat_begins_again():
    game = hanpan.game("kulami", board="build")
    state = play(game.start(), *DEAD_END[:-1])
    assert state.seat == 1  # black lays the odd tiles, the fifteenth too
    cleared = state.play(DEAD_END[-1])
    assert cleared == game.start()
    assert cleared.seat == 1
    red_laid_first = play(game.parse(f"{BARE} {BARE} - - r"), *DEAD_END)
    assert str(red_laid_first) == f"{BARE} {BARE} - - r"
    full = str(state).split()
    after = full[0].split("/")
    for x, y in ((6, 0), (7, 0), (8, 0), (6, 1), (7, 1), (8, 1)):
        after[y] = after[y][:x] + "z" + after[y][x + 1 :]
    letters = {}
    relabelled = "".join(sign if sign in "./" else letters.setdefault(sign, "abcdefghijklmnopq"[len(letters)]) for sign in "/".join(after))
    with pytest.raises(ValueError, match="tiles: no remaining tile fits"):
        game.parse(f"{relabelled} {BARE} - - r")


def test_a_laid_board_is_played_like_any_other():
    game = hanpan.game("kulami", board="build")
    for seed in range(5):
        state = next(s for s in play_out(game.start(), seed) if str(s).split()[0].count(".") == 36)
        assert state.seat == 0
        assert len(state.legal()) == 64
        tiles = str(state).split()[0]
        given = hanpan.game("kulami", board=tiles).start()
        assert str(given) == str(state)


# --- refusals ---

BUILDING = ("2x2@a1", "2x2@c1", "2x2@e1", "2x2@g1", "2x2@i1")
REFUSED = [
    ("a", (), "z5", "off-board", "z5 is outside the frame: columns go from a to j, rows from 1 to 10."),
    ("a", (), "c11", "off-board", "c11 is outside the frame: columns go from a to j, rows from 1 to 10."),
    ("a", (), "a1", "no-hole", "No tile lies at a1, so there is no hole."),
    ("a", ("d9",), "d9", "taken", "There is a marble in d9 already."),
    ("a", ("d9",), "e8", "not-in-line", "e8 is neither in the row nor in the column of your opponent's last marble, d9."),
    ("a", ("d9",), "e9", "opponents-tile", "e9 is on the same tile as your opponent's last marble, d9."),
    ("a", ("e6", "e9"), "e5", "own-tile", "e5 is on the same tile as your own last marble, e6."),
    ("a", (), "2x3@d4", "already-built", "The board is complete; now marbles are played."),
    ("a", (), "3x3@d4", "no-such-tile", "There is no 3x3 tile; there are 2x3, 2x2, 1x3 and 1x2, either way round."),
    ("build", BUILDING[:2], "c5", "still-building", "Marbles come when the board is complete; tiles still to be laid: 15."),
    ("build", BUILDING, "2x2@a3", "tile-used-up", "All 2x2 tiles are laid already."),
    ("build", (), "2x3@j9", "off-frame", "2x3@j9 would stick out of the frame."),
    ("build", (), "2x3@k9", "off-board", "k9 is outside the frame: columns go from a to j, rows from 1 to 10."),
    ("build", ("2x2@e5",), "3x2@c4", "overlaps", "3x2@c4 would lie on the tile at e5."),
    ("build", ("2x2@e5",), "2x1@g7", "not-touching", "2x1@g7 would not share an edge with any tile; touching at a corner is not enough."),
    ("a", (), "C5", "unreadable", "“C5” can't be read as an action of this game."),
    ("a", (), "c05", "unreadable", "“c05” can't be read as an action of this game."),
    ("a", (), "٢x3@d4", "unreadable", "“٢x3@d4” can't be read as an action of this game."),
    ("random", (), "c5", "unreadable", "“c5” can't be read as an action of this game."),
    ("random", (), "board abc", "tiles-rows", "“abc” is not ten rows of ten letters or dots joined by /."),
    ("random", (), f"board {A.replace('q', 'r')}", "tiles-rows", f"“{A[:60]}” is not ten rows of ten letters or dots joined by /."),
    ("random", (), f"board {A.replace('a', '.')}", "tiles-letters", "Tile b comes where a is due: tiles are lettered in the order they are met, row by row."),
    ("random", (), f"board {A.replace('aab', 'a.b')[:-1]}b", "tiles-shape", "Tile b is not a whole 2x3, 2x2, 1x3 or 1x2 rectangle."),
    ("random", (), "board aabbccddee/aabbccddee/ff......../ff......../" + BARE[44:], "tiles-many", "There are 6 tiles of size 2x2, but the game has only 5."),
    ("random", (), f"board {A.replace('q', '.')}", "tiles-few", "Only 16 of the 17 tiles lie."),
    ("random", (), f"board {APART}", "tiles-apart", "Tile q does not hang together with tile a: every tile must share an edge with the rest."),
    ("random-square", (), f"board {A}", "tiles-not-square", "The tiles do not fill the 8×8 square in the top left of the frame."),
]  # fmt: skip


@pytest.mark.parametrize(("board", "before", "action", "code", "sentence"), REFUSED, ids=[f"{code}-{number}" for number, (*_, code, _) in enumerate(REFUSED)])
def test_a_refusal_says_why(board, before, action, code, sentence):
    state = play(hanpan.game("kulami", board=board).start(), *before)
    reason = refused(state, action)
    assert (reason.code, reason.message) == (code, sentence)


def test_every_refusal_is_reached_and_said_in_four_languages():
    words = {
        language: json.loads(files("hanpan.games.kulami").joinpath("words", f"{language}.json").read_text("utf-8")) for language in ("en", "ko", "ja", "zh")
    }
    assert {code for *_, code, _ in REFUSED} - {"unreadable"} == set(words["en"]["refusals"])

    def shape(value):
        if isinstance(value, dict):
            return {key: shape(inner) for key, inner in value.items()}
        return len(value) if isinstance(value, list) else sorted(re.findall(r"{(\w+)}", value))

    assert all(shape(words[language]) == shape(words["en"]) for language in words)
    for language in words:
        page = files("hanpan.games.kulami").joinpath("words", f"{language}.md").read_text("utf-8")
        assert page.startswith("# ")
        assert "`2x3@d4`" in page


def test_chance_may_only_do_what_the_option_can_draw():
    square, random_ = (hanpan.game("kulami", board=board).start() for board in ("random-square", "random"))
    assert random_.play(f"board {A}").seat == 0
    assert str(random_.play(f"board {B}")) == str(square.play(f"board {B}")) == f"{B} {BARE} - - r"
    shifted = "/".join(["..........", *(f".{row[:8]}." for row in B.split("/")[:8]), ".........."])
    assert random_.play(f"board {shifted}").seat == 0
    assert refused(square, f"board {shifted}").code == "tiles-not-square"
    for action in ("board", "", "deal", f"board {A} ", f"board  {A}", f"Board {A}"):
        assert refused(random_, action).code in ("unreadable", "tiles-rows")


# --- hostile positions ---

MID = play(hanpan.game("kulami").start(), "i4", "g4", "e4", "b4")  # red's last e4, black's last b4, red to move
MARBLES = str(MID).split()[1]
OVER_TEXT = str(list(play_out(hanpan.game("kulami").start(), 1))[-1])
BUILT = str(play(hanpan.game("kulami", board="build").start(), "2x2@e5", "1x3@d3"))
WRONG = [
    ("a", "", "position: 1 fields"),
    ("a", f"{A} {BARE} - -", "position: 4 fields"),
    ("a", f"{A} {BARE} - - r ", "position: 6 fields"),
    ("a", f"{A}  {BARE} - - r", "position: 6 fields"),
    ("a", f"{A[:-1]} {BARE} - - r", "tiles: “...a"),
    ("a", f"{BARE} {BARE} - - r", "tiles: Only 0 of the 17 tiles lie"),
    ("a", f"{A.replace('q', '.')} {BARE} - - r", "tiles: Only 16"),
    ("a", f"{A.replace('qqq', 'q.q')} {BARE} - - r", "tiles: Tile q is not a whole"),
    ("a", f"{A.replace('eefff', 'eeeff')} {BARE} - - r", "tiles: Tile e is not a whole"),
    ("random", f"{A.replace('q', '.')} {BARE} - - r", "tiles: Only 16"),
    ("random", f"{BARE} {BARE} - - b", "to move: 'b', but before the board is drawn it is r"),
    ("random", f"{BARE} {BARE} - - -", "to move: '-', but"),
    ("random", f"{BARE} r{BARE[1:]} - - r", "marbles: a1 has no hole"),
    ("random", f"{BARE} {BARE} a1 - r", "red's last: there is no red marble at a1"),
    ("build", f"{BARE} {BARE} - - -", "to move: '-' is neither r nor b"),
    ("build", f"{'aa........' + BARE[10:22] + 'bb........' + BARE[32:]} {BARE} - - r", "tiles: Tile b does not hang together"),
    ("build", BUILT.replace(BARE, "/".join([".........."] * 4 + ["....r....."] + [".........."] * 5)), "marbles: the board is still being laid"),
    ("build", BUILT[:-5] + "- e5 b", "black's last: there is no black marble at e5"),
    ("a", f"{A} {BARE[:-1]} - - r", "marbles: "),
    ("a", f"{A} x{BARE[1:]} - - r", "marbles: "),
    ("a", f"{A} r{BARE[1:]} - - b", "marbles: a1 has no hole"),
    ("a", with_marbles(A, ["d1", "d2"]) + " d1 - b", "marbles: 2 red and 0 black ones can't be"),
    ("a", f"{A} {A.translate(str.maketrans('abcdefghijklmnopq', 'r' * 17))} - - b", "marbles: 64 red ones, but there are 28"),
    ("a", f"{A} {MARBLES} e44 b4 r", "red's last: 'e44' is neither a cell nor -"),
    ("a", f"{A} {MARBLES} e04 b4 r", "red's last: 'e04' is neither a cell nor -"),
    ("a", f"{A} {MARBLES} b4 b4 r", "red's last: there is no red marble at b4"),
    ("a", f"{A} {MARBLES} e4 e5 r", "black's last: there is no black marble at e5"),
    ("a", with_marbles(A, ["d1"], ["e9"]) + " d1 e9 r", "black's last: e9 is not in line with red's last marble"),
    ("a", with_marbles(A, ["d1"], ["d2"]) + " d1 d2 r", "black's last: d2 and red's last marble are on the same tile"),
    ("a", f"{A} {MARBLES} e4 - r", "black's last: -, but black has just moved"),
    ("a", f"{A} {MARBLES} e4 b4 x", "to move: 'x' is none of r, b, -"),
    ("a", f"{A} {MARBLES} e4 b4 -", "to move: -, but the game is not over"),
    ("a", with_marbles(A, ["d1"]) + " d1 - r", "to move: r, but red has one marble more on the board"),
    ("a", OVER_TEXT[:-1] + ("b" if OVER_TEXT.count("r") > OVER_TEXT.count("b") else "r"), "to move: "),
]  # fmt: skip


@pytest.mark.parametrize(("board", "position", "reason"), WRONG, ids=range(len(WRONG)))
def test_an_impossible_position_is_refused_by_the_field_that_is_wrong(board, position, reason):
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        hanpan.game("kulami", board=board).parse(position)


# --- the board code of other programs ---


def board_code(position):
    tiles, marbles, *_ = position.split()
    letters, sizes = {}, {6: iter("bcde"), 4: iter("fghij"), 3: iter("klmn"), 2: iter("opqr")}
    for letter in dict.fromkeys(tiles.replace(".", "").replace("/", "")):
        letters[letter] = next(sizes[tiles.count(letter)])
    pairs = zip(tiles.replace("/", ""), marbles.replace("/", ""), strict=True)
    return "".join(letters.get(tile, "a") + {".": "0", "b": "1", "r": "2"}[marble] for tile, marble in pairs)


def test_a_board_code_is_understood_on_import():
    game = hanpan.game("kulami")
    assert text.import_board_code(board_code(str(game.start()))) == str(game.start())
    for state in play_out(game.start(), 4):
        fields = str(state).split()
        assert text.import_board_code(board_code(str(state)), *fields[2:]) == str(state)
    mixed = board_code(f"{B} {BARE}").translate(str.maketrans("bcdefghij", "edcbjihgf"))
    assert text.import_board_code(mixed, to_move="b") == f"{B} {BARE} - - b"


def test_with_unknown_last_marbles_the_next_marble_may_go_anywhere():
    game = hanpan.game("kulami")
    state = game.parse(text.import_board_code(board_code(str(MID))))
    assert str(state) == f"{A} {MARBLES} - - r"
    assert len(state.legal()) == 60
    state = state.play("d1")
    assert str(state).endswith(" d1 - b")
    assert state.legal() == ["d4", "d5", "d6", "d7", "d8", "d9"]
    for later in play_out(state, 5):
        assert game.parse(str(later)) == later


CODE = board_code(str(MID))


@pytest.mark.parametrize(
    ("code", "beside", "reason"),
    [
        (CODE[:-2], {}, "code: 198 is not 200 signs"),
        (None, {}, "code: None is not 200 signs"),
        ("s" + CODE[1:], {}, "code: 's' at a1 is not a letter from a to r"),
        ("a3" + CODE[2:], {}, "code: '3' at a1 is not 0, 1 or 2"),
        ("a2" + CODE[2:], {}, "marbles: a1 has no hole"),
        ("b0" + CODE[2:], {}, "code: b is not a tile of 6 holes"),
        (CODE.replace("b", "a"), {}, "code: b is not a tile of 6 holes"),
        (CODE, {"to_move": "-"}, "to move: -, but the game is not over"),
        (CODE, {"red_last": "b4"}, "red's last: there is no red marble at b4"),
    ],
)
def test_a_wrong_board_code_is_refused(code, beside, reason):  # fmt: skip
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        text.import_board_code(code, **beside)


# --- what one sees ---


def counters(scene):
    return [(counter.seat, counter.say.key, counter.value) for counter in scene.look.counters]


def test_one_sees_tiles_holes_marbles_and_both_last_ones():
    scene = MID.scene(targets=True)
    assert sum(ground.kind == "tile" for ground in scene.board.grounds) == 17
    assert {place.id for place in scene.board.places} == {name(*hole) for hole in grid(A)}
    assert {place.kind for place in scene.board.places} == {"hole"}
    assert sorted((piece.seat, piece.id) for piece in scene.look.pieces) == [(0, "marble-e4"), (0, "marble-i4"), (1, "marble-b4"), (1, "marble-g4")]
    assert [(mark.place, mark.kind, mark.seat) for mark in scene.look.marks] == [("e4", "ring", 0), ("b4", "ring", 1), ("b4", "last", None)]
    assert scene.targets == tuple(MID.legal())
    expected = MID.scores
    assert counters(scene) == [
        (0, "counters.points", str(expected[0])),
        (0, "counters.marbles", "26"),
        (1, "counters.points", str(expected[1])),
        (1, "counters.marbles", "26"),
    ]


def test_neighbouring_tiles_have_different_tones():
    state = hanpan.game("kulami", board="random-square").start(seed=3)
    tones = [ground.tone for ground in state.scene().board.grounds if ground.kind == "tile"]
    placements = [int(k) for k in state.record[0].laid]
    for one in range(17):
        for other in range(one):
            assert tones[one] != tones[other] or not beside(area(placements[one])) & area(placements[other])


def test_while_the_board_is_laid_one_chooses_a_tile_and_then_its_corner():
    state = hanpan.game("kulami", board="build").start()
    assert state.clicks("2x3@d4") == ("2x3", "d4")
    scene = state.scene(targets=True)
    assert sum(place.kind == "cell" for place in scene.board.places) == 100
    assert sorted(place.id for place in scene.board.places if place.kind == "button") == list(scene.targets) == sorted(text.SHAPE_NAMES)
    assert all(place.x + place.w / 2 <= scene.board.width and place.y + place.h / 2 <= scene.board.height for place in scene.board.places)
    state = play(state, *BUILDING)
    scene = state.scene()
    assert "2x2" not in {place.id for place in scene.board.places}
    assert sum(place.kind == "hole" for place in scene.board.places) == 20
    assert sum(place.kind == "cell" for place in scene.board.places) == 80
    assert (None, "counters.2x2", "0") in counters(scene)
    assert (None, "counters.2x3", "4") in counters(scene)
    assert [mark.place for mark in scene.look.marks] == ["i1", "j1", "i2", "j2"]
    waiting = hanpan.game("kulami", board="random").start().scene(targets=True)
    assert waiting.board.places == waiting.targets == ()


def test_every_word_of_a_scene_is_said_in_four_languages():
    for options in STARTS.values():
        for state in list(play_out(hanpan.game("kulami", **options).start(), 2, 25))[::8]:
            scene = state.scene()
            said = [place.say for place in scene.board.places] + [piece.say for piece in scene.look.pieces] + [counter.say for counter in scene.look.counters]
            for language in ("en", "ko", "ja", "zh"):
                assert all(state.game.book.say(phrase, language) for phrase in said)


def test_nothing_is_secret():
    for seat in (0, 1, None):
        assert str(MID.view(seat)) == str(MID)
        assert MID.view(seat).legal() == (MID.legal() if seat == 0 else [])
