"""Reverse Drop: what one sees."""

import json
from importlib.resources import files

from reversedrop_table import BY_HAND, CELLS, OPEN, PACKAGE, WAITING, position, signs

import hanpan
from hanpan.games.reversedrop import rules

# --- What one sees ---


def test_the_scene_shows_the_discs_and_what_is_left():
    state = position("e5 g7", "a1 c1 c3", "b", 12)
    scene = state.scene(targets=True)
    assert {(piece.id, piece.kind, piece.seat) for piece in scene.look.pieces} == {
        (name, "disc", "bw".index(sign)) for name, sign in signs(state).items() if sign != "."
    }
    assert [(counter.seat, counter.say.key, counter.value) for counter in scene.look.counters] == [
        (0, "counters.pieces", "2"),
        (1, "counters.pieces", "3"),
        (None, "counters.plies_left", "288"),
    ]
    assert (scene.colours, scene.turn, scene.targets) == (("black", "white"), 0, ("e5", "g7"))
    assert state.clicks("e5-e4+d4") == ("e5", "e4", "d4")
    assert len(scene.board.places) == 100


def test_the_scene_of_a_set_up_by_hand_counts_what_is_still_to_place():
    counters = BY_HAND.scene().look.counters
    assert [(counter.seat, counter.say.key, counter.value) for counter in counters] == [
        (0, "counters.pieces", "1"),
        (1, "counters.pieces", "0"),
        (0, "counters.to_place", "2"),
        (1, "counters.to_place", "5"),
    ]
    assert BY_HAND.clicks("d4") == ("d4",)
    assert len(WAITING.scene().look.counters) == 2


def test_every_changed_cell_wears_the_halo():
    before = position("e5 g7", "e3 a1 c1")
    after = before.play("e5-e4+d4")
    changed = {name for name in CELLS if signs(before)[name] != signs(after)[name]}
    assert {mark.place for mark in after.scene().look.marks} == changed == {"e5", "e4", "d4", "e3"}


def test_everyone_sees_everything():
    for viewer in (0, 1, None):
        seen = OPEN.view(viewer)
        assert str(seen) == str(OPEN)
        assert seen.legal() == (OPEN.legal() if viewer == 0 else [])
        assert hanpan.game("reversedrop").parse(str(seen), viewer=viewer) == seen


# --- Words ---


def keys(words, before=""):
    if not isinstance(words, dict):
        return {before: sorted({part.partition("}")[0].partition(":")[0] for part in str(words).split("{")[1:]})}
    return {key: value for name, inner in words.items() for key, value in keys(inner, f"{before}.{name}").items()}


def test_all_languages_say_the_same_things():
    spoken = {language: json.loads(files(PACKAGE).joinpath("words", f"{language}.json").read_text("utf-8")) for language in ("en", "ko", "ja", "zh")}
    for words in spoken.values():
        assert keys(words) == keys(spoken["en"])
        assert len(words["seats"]) == 2
        assert set(words["options"]) == {option.name for option in rules.OPTIONS}
    for language in spoken:
        page = files(PACKAGE).joinpath("words", f"{language}.md").read_text("utf-8")
        assert page.startswith(f"# {spoken[language]['name']}\n")
        assert "c3-c4+d4" in page
