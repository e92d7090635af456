"""Wall Go: what one sees."""

from wallgo_table import wallgo

from hanpan.games.wallgo import names
from hanpan.games.wallgo.steps import SIDES, STEP_X, STEP_Y
from hanpan.words import Phrase


def test_land_is_tinted_by_owner_and_contested_land_by_nobody():
    game = wallgo(size=3, pieces=2)
    look = game.parse("122/.1./... a1|,a2|,a3|,b1-,b1|,b3|,c2- 12 2").scene().look
    assert {tint.places: tint.seat for tint in look.tints} == {("a1", "a2", "a3"): 0, ("b1",): 1, ("c1", "b2", "c2", "b3"): None}  # c3 is nobody's
    assert [piece.id for piece in look.pieces if piece.kind == "stone"] == ["s1-0", "s1-1", "s2-0", "s2-1"]
    assert game.start().play("dice 1 2").play("a1").scene().look.tints == ()


def test_a_turn_is_pointed_at_by_piece_cell_and_edge():
    state = wallgo().start().play("dice 6 1")
    assert state.clicks("c3") == ("c3",)
    for cell in ("b2", "b6", "f6", "f2", "d4", "a7", "g1", "g7"):
        state = state.play(cell)
    assert state.clicks("b2-c3r") == ("b2", "c3", "c3|")
    assert state.clicks("b2-c3l") == ("b2", "c3", "b3|")
    assert state.clicks("b2-c3u") == ("b2", "c3", "c2-")
    assert state.clicks("b2r") == ("b2", "b2", "b2|")
    scene = state.scene(targets=True)
    assert scene.targets == ("b2", "d4", "f6", "g1")
    kinds = [place.kind for place in scene.board.places]
    assert (kinds.count("cell"), kinds.count("slot")) == (49, 84)
    after = state.play("b2-c3r").scene()
    assert [piece.id for piece in after.look.pieces if piece.kind == "wall"] == ["wall-c3|"]
    assert {mark.place for mark in after.look.marks} == {"b2", "c3", "c3|"}


def test_counters_show_pieces_to_place_and_then_the_area():
    state = wallgo(size=3, pieces=1).start().play("dice 6 1").play("a1")
    assert [(counter.seat, counter.say, counter.value) for counter in state.scene().look.counters] == [
        (0, Phrase("counters.left"), "0"),
        (1, Phrase("counters.left"), "1"),
    ]
    state = state.play("c3").play("a1d").play("c3u").play("a1r")
    assert state.over
    assert [(counter.say, counter.value) for counter in state.scene().look.counters] == [(Phrase("counters.area"), "1"), (Phrase("counters.area"), "8")]


def test_action_numbers_are_as_documented():
    size = 7
    for start in range(size * size):
        for step in range(13):
            x, y = start % size + int(STEP_X[step]), start // size + int(STEP_Y[step])
            if 0 <= x < size and 0 <= y < size:
                for side in range(4):
                    assert names.turn(size, (start * 13 + step) * 4 + side) == (start, y * size + x, side)
    assert names.action(size, size * size * 52 + 8) == "b2"
    assert SIDES == "udlr"
