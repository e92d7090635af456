"""Wall Go: pieces walk, walls stay, and the land is shared out."""

import gzip
import json

import pytest
from wallgo_table import MANY, random_game, wallgo

from hanpan.core.rule import bits, plain
from hanpan.core.unfit import Unfit
from hanpan.core.words import Phrase
from hanpan.games.wallgo import names, regions, rules
from hanpan.result import Result, judged

# --- recorded games ---


@pytest.mark.slow
def test_recorded_games_are_reproduced(traces):
    with gzip.open(traces / "wallgo.jsonl.gz", "rt") as lines:
        for line in map(json.loads, lines):
            state = wallgo(**line["options"]).parse(line["start"])
            for ply in line["plies"]:
                legal = state.legal()
                assert (state.seat, len(legal), legal) == (ply["seat"], ply["n"], ply.get("legal", legal))
                state = state.play(ply["action"])
                assert str(state) == ply["after"]
            assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])
            assert state.legal() == []


# --- the rules, told a second time with sets of cells, and compared ---


class Told:
    """A position read from its text alone."""

    def __init__(self, text):
        rows, walls, order, seat = text.split(" ")
        self.rows = rows.split("/")
        self.size = len(self.rows)
        self.walls = set() if walls == "-" else set(walls.split(","))
        self.order, self.seat = order, seat
        self.cells = [(x, y) for y in range(self.size) for x in range(self.size)]
        self.pieces = {(x, y): self.rows[y][x] for x, y in self.cells if self.rows[y][x] != "."}

    def edge(self, x, y, side):
        """The text of an edge, None on the rim."""
        dx, dy = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}[side]
        if not (0 <= x + dx < self.size and 0 <= y + dy < self.size):
            return None
        return f"{chr(97 + min(x, x + dx))}{1 + min(y, y + dy)}{'|' if dx else '-'}"

    def free_sides(self, x, y):
        return [side for side in "udlr" if self.edge(x, y, side) and self.edge(x, y, side) not in self.walls]

    def neighbours(self, x, y):
        return [(x + {"l": -1, "r": 1}.get(side, 0), y + {"u": -1, "d": 1}.get(side, 0)) for side in self.free_sides(x, y)]

    def regions(self):
        left = set(self.cells)
        while left:
            region, fresh = set(), {left.pop()}
            while fresh:
                region |= fresh
                fresh = {beside for cell in fresh for beside in self.neighbours(*cell)} - region
            left -= region
            yield region, {self.pieces[cell] for cell in region if cell in self.pieces}

    def turns(self, seat):
        for start in (cell for cell, owner in self.pieces.items() if owner == seat):
            ends = reached = {start}
            for _ in range(2):
                reached = {beside for cell in reached for beside in self.neighbours(*cell) if beside not in self.pieces}
                ends = ends | reached
            for end in ends:
                walked = "" if end == start else f"-{chr(97 + end[0])}{1 + end[1]}"
                yield from (f"{chr(97 + start[0])}{1 + start[1]}{walked}{side}" for side in self.free_sides(*end))

    def scores(self, players):
        return [sum(len(region) for region, owners in self.regions() if owners == {str(seat + 1)}) for seat in range(players)]

    def contested(self):
        return any(len(owners) > 1 for _, owners in self.regions())


@pytest.mark.slow
@pytest.mark.parametrize("options", MANY, ids=str)
def test_turns_regions_and_the_end_are_what_the_page_says(options):
    game = wallgo(**options)
    for seed in range(1 if game.options["size"] > 7 else 4):
        for state in random_game(game, seed):
            told = Told(str(state))
            assert state.scores == told.scores(game.seats)
            if len(told.pieces) < game.seats * game.options["pieces"]:
                assert state.legal() == sorted(names.name(told.size, y * told.size + x) for x, y in told.cells if (x, y) not in told.pieces)
                continue
            assert state.over == (not told.contested())
            if not state.over:
                assert state.legal() == sorted(told.turns(told.seat))


def test_a_seat_that_is_walled_in_is_skipped_and_only_that_one():
    skipped = 0
    for seed in range(60):
        before = None
        for state in random_game(wallgo(players=3, size=4, pieces=2), seed):
            told = Told(str(state))
            if before is not None and state.seat is not None and before.walls:
                after = told.order.index(before.seat)
                for place in (after + 1, after + 2):
                    seat = told.order[place % 3]
                    if seat == told.seat:
                        break
                    skipped += 1
                    assert not list(told.turns(seat))
            before = told
    assert skipped > 20


def test_five_pieces_far_apart_have_the_most_turns():
    state = wallgo(size=11, pieces=5).start().play("dice 6 1")
    for place in ("d4", "a1", "h4", "b1", "d8", "a11", "h8", "k1", "f6", "k11"):
        state = state.play(place)
    assert len(state.legal()) == rules.MOST_LEGAL == 260


def test_a_region_may_lie_across_the_border_of_the_two_words():
    assert [plain(bits)(word) for word in (0, 1, regions.FULL)] == [0, 1, regions.WORD]
    rows = [".1........." if y == 0 else "......2...." if y == 5 else "..........." for y in range(11)]
    state = wallgo(size=11, pieces=1).parse("/".join(rows) + " e6|,f5-,f6-,g5-,g6-,g6| 12 -")  # f6 and g6 are cells 60 and 61
    assert (state.scores, state.winner) == ([119, 2], [0])


# --- order and placing ---


@pytest.mark.parametrize(
    ("dice", "order"),
    [("6 1", "12"), ("1 6", "21"), ("4 4", "12"), ("3 5 2", "213"), ("2 2 2", "123"), ("2 5 5", "231"), ("5 2 5", "132"), ("1 2 3", "321"), ("2 6 2", "213")],
)
def test_the_highest_die_goes_first_and_of_equal_ones_the_lower_seat(dice, order):
    state = wallgo(players=len(order), size=4, pieces=2).start()
    assert state.chance
    assert str(state) == "..../..../..../.... - - -"
    state = state.play("dice " + dice)
    assert str(state).split(" ")[2:] == [order, order[0]]
    for cell, seat in zip(("a1", "b1", "c1", "d1"), (order * 2)[:4], strict=True):
        assert state.seat == int(seat) - 1
        state = state.play(cell)


def test_drawn_dice_give_the_order_that_the_seed_gives():
    for players in (2, 3):
        first = wallgo(players=players).start()
        seen = set()
        for seed in range(60):
            assert first.play(first.draw(seed)) == wallgo(players=players).start(seed=seed)
            seen.add(str(first.play(first.draw(seed))).split(" ")[2])
        assert len(seen) == (2 if players == 2 else 6)


def test_nothing_is_tested_while_placing():
    state = wallgo(size=3, pieces=1).start().play("dice 2 1")
    assert state.scores == [0, 0]
    state = state.play("b2")
    assert (state.over, state.scores) == (False, [9, 0])
    state = state.play("b3")
    assert (state.over, state.scores, state.seat) == (False, [0, 0], 0)


def test_the_board_may_be_full():
    state = wallgo(players=3, size=3, pieces=3).start(seed=1)
    for cell in (x + y for x in "abc" for y in "123"):
        state = state.play(cell)
    assert len(state.legal()) == sum(1 for cell in state.legal() if "-" not in cell) > 0


def test_television_puts_two_pieces_each_and_places_one_two_two_one():
    state = wallgo(preset="tv").start().play("dice 3 5")
    assert str(state) == "......./.2...1./......./......./......./.1...2./....... - 21 2"
    for cell, seat in (("a1", 1), ("b1", 0), ("c1", 0), ("d1", 1)):
        assert state.seat == seat
        state = state.play(cell)
    assert str(state) == "2112.../.2...1./......./......./......./.1...2./....... - 21 2"
    assert "b2-c3r" in state.legal()
    assert state.play("b2-c3r").seat == 0
    assert wallgo(preset="tv").options == {"players": 2, "size": 7, "pieces": 4, "tie_break": "largest", "preset": "tv"}


@pytest.mark.parametrize(("option", "value"), [("players", 3), ("size", 9), ("pieces", 3), ("tie_break", "none"), ("size", 3), ("pieces", 5)])
def test_television_does_not_go_with_other_options(option, value):
    with pytest.raises(ValueError, match=f"^{wallgo().book.say(Phrase(f'options.{option}.name'))}: .* does not go with “As on television”"):
        wallgo(preset="tv", **{option: value})


def test_what_television_does_not_allow_is_said_in_every_language_by_its_names():
    with pytest.raises(Unfit) as wrong:
        wallgo(preset="tv", tie_break="none")
    for language, called in {"ko": "동점일 때", "ja": "同点のとき", "zh": "同分时"}.items():
        said = wallgo().book.say(wrong.value.phrase, language)
        assert called in said
        assert not [key for key in ("tie_break", "largest", "none", "tv") if key in said]


def test_television_may_be_spelt_out():
    assert wallgo(preset="tv", size=7, players=2, pieces=4, tie_break="largest") == wallgo(preset="tv")


@pytest.mark.parametrize("options", [{"players": 3, "size": 3, "pieces": 4}, {"size": 3, "pieces": 5}, {"players": 3, "size": 3}])
def test_all_pieces_must_fit(options):
    with pytest.raises(ValueError, match=r"^Pieces each: "):
        wallgo(**options)


def test_four_by_four_holds_fifteen_pieces():
    assert wallgo(players=3, size=4, pieces=5).seats == 3


# --- the end ---


UNEQUAL = "112/.2./... a1|,a2|,a3|,b1-,b1|,b2|,b3|,c2- 12 -"  # 3 + 1 against 2 + 2, and one cell is nobody's


EQUAL = "112/.2./... a1|,a2|,a3|,b1-,b1|,b2-,b2|,b3| 12 -"  # 3 + 1 against 3 + 1


@pytest.mark.parametrize(("position", "tie_break", "winner"), [(UNEQUAL, "none", []), (UNEQUAL, "largest", [0]), (EQUAL, "none", []), (EQUAL, "largest", [])])
def test_a_tie_is_a_draw_unless_the_largest_region_decides(position, tie_break, winner):
    state = wallgo(size=3, pieces=2, tie_break=tie_break).parse(position)
    assert (state.over, state.scores, state.winner, state.seat) == (True, [4, 4], winner, None)


def test_the_largest_region_does_not_beat_more_land():
    state = wallgo(size=3, pieces=2, tie_break="largest").parse("1.2/12./... a1|,a2|,a3|,b1-,b1|,b2|,b3|,c2- 12 -")
    assert (state.scores, state.winner) == ([3, 4], [1])


def test_three_seats_may_tie_for_the_top():
    position = "123/.../... a1|,a2|,a3|,b1|,b2|,b3| 123 -"
    for tie_break in ("none", "largest"):
        state = wallgo(players=3, size=3, pieces=1, tie_break=tie_break).parse(position)
        assert (state.scores, state.winner) == ([3, 3, 3], [])


TIED = "..21/.21./..3./3... a1-,a1|,a3-,a3|,a4|,b1-,b2-,b2|,c1-,c1|,c2-,c2|,c3|,c4| 231 -"  # 5 cells each, of which 4, 3 and 4 are one region


@pytest.mark.parametrize(("left", "winner"), [(0, [2]), (1, []), (2, [0])])
def test_the_largest_region_decides_between_those_who_stayed(left, winner):
    state = wallgo(players=3, size=4, pieces=2, tie_break="largest").parse(TIED)
    assert (state.scores, state.winner) == ([5, 5, 5], [])
    assert judged(state, (left,)) == Result(winner, "rules", (left,))
    plain = wallgo(players=3, size=4, pieces=2).parse(TIED)
    assert judged(plain, (left,)) == Result([], "rules", (left,))


def test_more_land_beats_the_largest_region_of_whoever_stayed():
    state = wallgo(players=3, size=3, pieces=1, tie_break="largest").parse("123/.../... a1|,a2|,a3|,b1-,b1|,b2|,b3| 123 -")
    assert [judged(state, (left,)).winner for left in range(3)] == [[2], [], [0]]


# --- time ---


def test_the_penalty_wall_is_drawn_from_all_pairs_of_piece_and_free_edge():
    state = wallgo(size=3, pieces=2).start().play("dice 6 1").play("a1").play("c3").play("b1").play("c2")
    pairs = sorted(action for action in state.legal() if "-" not in action)
    assert pairs == ["a1d", "a1r", "b1d", "b1l", "b1r"]  # the edge between the two counts for both
    drawn = [state.forced(seed) for seed in range(2000)]
    assert sorted(set(drawn)) == pairs
    assert all(abs(drawn.count(action) - 400) < 80 for action in pairs)


def test_while_placing_time_out_takes_a_random_empty_cell():
    state = wallgo(size=3, pieces=2).start().play("dice 6 1").play("b2")
    drawn = [state.forced(seed) for seed in range(1600)]
    assert sorted(set(drawn)) == state.legal()
    assert all(abs(drawn.count(cell) - 200) < 60 for cell in state.legal())


def test_steps_already_made_stay_when_time_runs_out():
    state = wallgo(size=3, pieces=1).start().play("dice 6 1").play("a1").play("c3")
    assert {state.forced(seed, draft=("a1", "b2")) for seed in range(60)} == {"a1-b2u", "a1-b2d", "a1-b2l", "a1-b2r"}
    assert {state.forced(seed, draft=("a1",)) for seed in range(60)} == {"a1d", "a1r"}


def test_a_draft_that_begins_no_turn_is_forgotten():
    # A cell that a piece has just entered always has a free edge: the one it came over. So only a draft that was never possible ends here.
    state = wallgo(size=3, pieces=1).parse("1../.../..2 b1-,b1| 12 1")
    assert {state.forced(seed, draft=("a1", "c1")) for seed in range(60)} == {"a1d", "a1r"}
