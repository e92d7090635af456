"""Kulami: its boards."""

import numpy as np
import pytest
from kulami_table import APART, BARE, A, B, name, play, play_out

import hanpan
from hanpan.games.kulami import rules
from hanpan.games.kulami.frame import SHAPES, area, beside, rectangle
from hanpan.games.kulami.tiletext import read_board

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
