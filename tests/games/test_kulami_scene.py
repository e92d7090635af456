"""Kulami: what one sees."""

from kulami_table import BUILDING, MID, STARTS, A, grid, name, play, play_out

import hanpan
from hanpan.games.kulami import text
from hanpan.games.kulami.frame import area, beside


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


def tints(state):
    return {(tint.seat, tint.closed): set(tint.places) for tint in state.scene().look.tints}


def test_the_two_tiles_that_may_not_be_used_are_outlined():
    closed = tints(MID)
    assert closed == {(seat, True): on_the_tile_of(last) for seat, last in enumerate(("e4", "b4"))}
    assert not closed[0, True] & set(MID.legal())
    assert not closed[1, True] & set(MID.legal())


def on_the_tile_of(hole):
    return {name(*at) for at, letter in grid(A).items() if letter == grid_tile(hole)}


def grid_tile(hole):
    return next(letter for at, letter in grid(A).items() if name(*at) == hole)


def test_at_the_end_the_tiles_wear_the_colour_of_who_won_them():
    *_, last = play_out(hanpan.game("kulami").start(), 3)
    scene = last.scene()
    assert all(not tint.closed for tint in scene.look.tints)
    held = [sum(len(tint.places) for tint in scene.look.tints if tint.seat == seat) for seat in range(2)]
    assert held == last.scores
    assert scene.reason.values["why"].key in ("reasons.holes", "reasons.marbles")


def at(hole):
    return "abcdefghij".index(hole[0]), int(hole[1:])


def ended(level, seed):
    """The end of a random game: strokes of a kind as pairs of cells by seat, and the marbles by seat."""
    *_, last = play_out(hanpan.game("kulami", level=level).start(), seed)
    look = last.scene().look

    def strokes(kind, seat):
        return [(at(stroke.start), at(stroke.to)) for stroke in look.strokes if (stroke.kind, stroke.seat) == (kind, seat)]

    return last, strokes, [{at(piece.id.removeprefix("marble-")) for piece in look.pieces if piece.seat == seat} for seat in range(2)]


def told(state, part):
    return [int(n) for n in state.scene().reason.values[part].split(" : ")]


def hang_together(cells):
    """The sets into which cells fall that share an edge."""
    left, found = set(cells), []
    while left:
        group = [left.pop()]
        for x, y in group:  # grows while one walks through it
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            group += near
        found.append(set(group))
    return found


def test_where_groups_count_the_largest_of_each_seat_is_tied_together():
    for seed in range(4):
        last, strokes, marbles = ended(1, seed)
        for seat in range(2):
            ties = strokes("tie", seat)
            tied = {cell for tie in ties for cell in tie}
            assert tied in hang_together(marbles[seat])
            assert len(tied) == told(last, "group")[seat] == max(map(len, hang_together(marbles[seat])))
            assert sorted(ties) == sorted((one, other) for one in tied for other in tied if other in ((one[0] + 1, one[1]), (one[0], one[1] + 1)))
            assert strokes("row", seat) == []
        red, black = told(last, "tiles")
        more = told(last, "group")[0] - told(last, "group")[1]
        assert last.scores == [red + max(more, 0), black + max(-more, 0)]


def test_where_long_rows_count_a_line_goes_through_each():
    seen = 0
    for seed in range(12):
        last, strokes, marbles = ended(2, seed)
        for seat in range(2):
            lengths = []
            for (x, y), (p, q) in strokes("row", seat):
                length = max(abs(p - x), abs(q - y)) + 1
                dx, dy = (p > x) - (p < x), (q > y) - (q < y)
                assert {(x + n * dx, y + n * dy) for n in range(length)} <= marbles[seat]
                assert not {(x - dx, y - dy), (p + dx, q + dy)} & marbles[seat]
                lengths.append(length)
            assert sum(lengths) == told(last, "rows")[seat]
            assert all(length >= 5 for length in lengths)
            seen += len(lengths)
    assert seen > 3


def test_where_only_tiles_count_nothing_else_is_drawn_or_told():
    last, _, _ = ended(0, 3)
    assert last.scene().look.strokes == ()
    assert last.scene().reason.key in ("reasons.ahead", "reasons.equal")


def test_the_finer_reasons_are_said_and_drawn():
    last, _, _ = ended(2, 1)
    for language in ("en", "ko", "ja", "zh"):
        said = last.game.book.say(last.scene().reason, language)
        assert "{" not in said
        assert said.count(" : ") >= 3
    assert last.svg().count("stroke-linecap") >= 2 * len(last.scene().look.strokes)


def test_a_hole_names_its_tile():
    say = {place.id: place.say for place in MID.scene().board.places}
    assert {hole for hole in say if say[hole].values["tile"] == say["e4"].values["tile"]} == on_the_tile_of("e4")
    assert MID.game.book.say(say["e4"]).startswith("hole e4, tile ")
