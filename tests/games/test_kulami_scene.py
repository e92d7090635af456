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


def test_a_hole_names_its_tile():
    say = {place.id: place.say for place in MID.scene().board.places}
    assert {hole for hole in say if say[hole].values["tile"] == say["e4"].values["tile"]} == on_the_tile_of("e4")
    assert MID.game.book.say(say["e4"]).startswith("hole e4, tile ")
