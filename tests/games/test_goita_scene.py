"""Goita: what one sees."""

from goita_table import KINGS, position


def test_the_viewer_sits_below_and_the_next_seat_to_the_right():
    for viewer in (0, 1, 2, 3):
        places = {place.id: place for place in position(KINGS, 4).view(viewer).scene().board.places}
        own, after, partner = (places[f"field{(viewer + i) % 4 + 1}-4"] for i in (0, 1, 2))
        assert own.y > partner.y
        assert after.x > own.x
        assert {"pass", "proceed", "redeal", *(f"hand{n}" for n in range(8))} <= set(places)
    assert "hand0" not in {place.id for place in position(KINGS, 4).view(None).scene().board.places}


def test_clicks_are_the_block_and_then_the_attack_in_the_sorted_hand():
    state = position(KINGS, 4).view(3)  # 11455789
    assert state.clicks("14") == ("hand0", "hand2")
    assert state.clicks("11") == ("hand0", "hand1")
    assert state.clicks("98") == ("hand7", "hand6")
    komas = {(piece.x, piece.y): piece.text for piece in state.scene().look.pieces}
    spots = [place for place in state.scene().board.places if place.id.startswith("hand")]
    assert "".join(komas[spot.x, spot.y] for spot in spots) == "しし銀金金飛王玉"
    assert position(KINGS, 4, "481").view(0).clicks("p") == ("pass",)


def test_only_the_owner_sees_a_face_down_block():
    state = position(KINGS, 4).play("81").view
    for viewer in (0, 1, 2, 3, None):
        scene = state(viewer).scene()
        place = next(place for place in scene.board.places if place.id == "field4-1")
        piece = next(piece for piece in scene.look.pieces if (piece.x, piece.y) == (place.x, place.y))
        assert piece.face_down
        assert piece.text == ("王" if viewer == 3 else "")
        marks = {(mark.kind, mark.place) for mark in scene.look.marks}
        assert ("attack", "field4-2") in marks
        assert ("last", "field4-1") in marks
        assert {place for kind, place in marks if kind == "partner"} == ({f"field{(viewer + 2) % 4 + 1}-1"} if viewer is not None else set())
        face_up = sum(not piece.face_down for piece in scene.look.pieces)
        assert face_up == {None: 1, 3: 7}.get(viewer, 9)


def test_a_koma_keeps_its_name_from_the_hand_to_the_field():
    for viewer in (0, 3):
        before, after = position(KINGS, 4).view(viewer), position(KINGS, 4, "441").view(viewer)
        assert {piece.id for piece in before.scene().look.pieces} == {piece.id for piece in after.scene().look.pieces}
    names = {piece.id: piece.text for piece in position(KINGS, 4).view(3).scene().look.pieces if piece.text}
    for piece in position(KINGS, 4, "441,1p,2p,3p,457").view(3).scene().look.pieces:
        assert piece.text in ("", names.get(piece.id))
