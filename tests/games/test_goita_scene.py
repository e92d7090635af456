"""Goita: what one sees."""

from goita_table import GOITA, KINGS, position


def test_the_viewer_sits_below_and_the_next_seat_to_the_right():
    for viewer in (0, 1, 2, 3):
        places = {place.id: place for place in position(KINGS, 4).view(viewer).scene().board.places}
        own, after, partner = (places[f"field{(viewer + i) % 4 + 1}-4"] for i in (0, 1, 2))
        assert own.y > partner.y
        assert after.x > own.x
        assert {"pass", "proceed", "redeal", *(f"hand{viewer + 1}-{n + 1}" for n in range(8))} <= set(places)
    assert not {place.id for place in position(KINGS, 4).view(None).scene().board.places if place.kind == "hand"}
    assert "hand1-1" not in {place.id for place in position(KINGS, 4).view(None).scene().board.places}


def test_clicks_are_the_block_and_then_the_attack_in_the_sorted_hand():
    state = position(KINGS, 4).view(3)  # 11455789
    assert state.clicks("14") == ("hand4-1", "hand4-3")
    assert state.clicks("11") == ("hand4-1", "hand4-2")
    assert state.clicks("98") == ("hand4-8", "hand4-7")
    komas = {(piece.x, piece.y): piece.text for piece in state.scene().look.pieces}
    spots = [place for place in state.scene().board.places if place.kind == "hand"]
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
        face_up = sum(not piece.face_down for piece in scene.look.pieces if piece.id != "attack")
        assert face_up == {None: 1, 3: 7}.get(viewer, 9)


def test_a_koma_keeps_its_name_from_the_hand_to_the_field():
    for viewer in (0, 3):
        before, after = position(KINGS, 4).view(viewer), position(KINGS, 4, "441").view(viewer)
        assert {piece.id for piece in before.scene().look.pieces} == {piece.id for piece in after.scene().look.pieces} - {"attack"}
    names = {piece.id: piece.text for piece in position(KINGS, 4).view(3).scene().look.pieces if piece.text}
    for piece in position(KINGS, 4, "441,1p,2p,3p,457,1p,2p,3p").view(3).scene().look.pieces:
        assert piece.text in ("", names.get(piece.id))


def test_a_koma_stays_where_it_stands_in_the_hand_and_equal_ones_mean_the_same():
    first, later = position(KINGS, 4).view(3), position(KINGS, 4, "415,1p,2p,3p").view(3)  # 11455789
    assert first.scene().look.alike == (("hand4-1", "hand4-2"), ("hand4-4", "hand4-5"))
    at = {piece.id: (piece.x, piece.y) for piece in first.scene().look.pieces}
    for piece in later.scene().look.pieces:
        if piece.seat == 3 and piece.w > 1:
            assert (piece.x, piece.y) == at[piece.id]
    assert later.clicks("15") == ("hand4-2", "hand4-5")
    assert later.scene().look.alike == ()


def test_the_middle_says_what_must_be_answered_by_whom_and_how_both_pairs_stand():
    def said(state, viewer):
        scene = state.view(viewer).scene()
        return [GOITA.book.say(phrase) for label in scene.look.labels for phrase in label.say], [
            piece.text for piece in scene.look.pieces if piece.id == "attack"
        ]

    state = position(KINGS, 4, "481", scores="30-60")
    words, attack = said(state, 2)
    assert attack == ["し"]
    assert {"East answers", "30", "60", "your partner", "dealer"} <= set(words)
    assert words.index("30") < words.index("60"), "one's own pair comes first"
    words, attack = said(position(KINGS, 4, "481,1p,2p,3p"), None)
    assert attack == []
    assert "North leads" in words
    assert "your partner" not in words


def test_one_hand_each_is_drawn_where_everything_is_open():
    komas = [piece.id for piece in position(KINGS, 4).scene().look.pieces]
    assert len(komas) == len(set(komas)) == 32


def test_the_line_at_the_board_names_the_attack_as_it_is_read():
    """Not everyone reads the sign that is brushed on a koma."""
    state = position(KINGS, 4, "414")

    def told(viewer, language):
        return GOITA.book.say(state.view(viewer).scene().prompt, language)

    assert told(0, "en") == "Block 銀 (silver) and attack anew, or pass."
    assert told(1, "en") == "East must block 銀 (silver), or pass."
    assert told(1, "ko") == "동 차례: 銀(은)을 받거나 넘깁니다."
    assert told(1, "ja") == "東が銀を受けるか、「なし」と言います。"
