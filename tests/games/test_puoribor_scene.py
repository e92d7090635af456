"""Puoribor: what one sees."""

from puoribor_table import play

import hanpan


def test_a_wall_is_one_click_and_a_turn_is_two():
    state = hanpan.game("puoribor").start()
    assert (state.clicks("e2"), state.clicks("e3h"), state.clicks("c3r")) == (("e2",), ("e3h",), ("turn", "c3r"))
    places = {place.id: place for place in state.scene().board.places}
    assert len(places) == 81 + 128 + 36 + 1
    assert {places[p].kind for p in ("e2", "e3h", "turn", "c3r")} == {"cell", "slot", "button", "handle"}
    plain_places = {place.id for place in hanpan.game("puoribor", rotation=False).start().scene().board.places}
    assert plain_places == set(places) - {f"{c}{r}r" for c in "abcdef" for r in range(1, 7)} - {"turn"}


def test_walls_halves_pawns_and_counters_are_seen():
    scene = play("e4 e5 5 4 a1-,b7h,c3v,c6|,e2-,f5h,g3v 1").scene()
    kinds = [piece.kind for piece in scene.look.pieces]
    assert (kinds.count("wall"), kinds.count("half"), kinds.count("pawn")) == (4, 3, 2)
    assert [counter.value for counter in scene.look.counters] == ["5", "4"]
    places = {place.id: place for place in scene.board.places}
    wall = next(piece for piece in scene.look.pieces if piece.id == "wall-b7h")
    assert (wall.x, wall.y, wall.w, wall.h) == (places["b7h"].x, places["b7h"].y, places["b7h"].w, places["b7h"].h)


def test_the_last_action_wears_a_halo():
    def halo(*actions):
        return {mark.place for mark in play("e1 e9 10 10 - 1", *actions).scene().look.marks}

    assert halo("e2") == {"e1", "e2"}
    assert halo("e3h") == {"e3h"}
    assert halo("c3r") == {f"{c}{r}" for c in "cdef" for r in range(3, 7)}


def test_at_the_end_the_way_across_is_tinted_and_the_other_ones_rest_is_said():
    last = play("d8 c9 9 10 d4h 1", "d9")
    (tint,) = last.scene().look.tints
    assert (tint.seat, tint.places[0][1], tint.places[-1]) == (0, "1", "d9")
    rows = [int(place[1:]) for place in tint.places]
    assert all(abs(ord(a[0]) - ord(b[0])) + abs(int(a[1:]) - int(b[1:])) == 1 for a, b in zip(tint.places, tint.places[1:], strict=False))
    assert len(rows) == 10  # one step around the wall
    assert last.game.book.say(last.scene().reason) == "Vermilion has reached the far side; Indigo was 8 away from it."
