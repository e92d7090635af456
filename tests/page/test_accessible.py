"""axe-core finds nothing serious on any page or board, in both themes; pieces stand out from their ground without their colour's help."""

from pathlib import Path

import pytest
from visitors import PHONE

from hanpan.draw.palette import COLOURS

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
GAMES = ("goita", "kulami", "puoribor", "reversedrop", "wallgo")


def violations(person):
    """What axe-core calls serious or critical on the page as it is now, by day and by night."""
    if not person.page.evaluate("() => 'axe' in window"):
        person.page.evaluate(AXE.read_text("utf-8"))
    wrong = []
    for theme in ("light", "dark"):
        person.page.emulate_media(color_scheme=theme)
        found = person.page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        wrong += [
            (theme, each["id"], [(node["html"][:160], node["failureSummary"][:300]) for node in each["nodes"][:3]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
def test_a_room_before_its_game(visitor, context):
    person = visitor(**context)
    person.start("puoribor", "With a friend")
    assert violations(person) == []
    for tab in ("Moves", "Chat", "People", "Room"):
        person.page.get_by_role("tab", name=tab).click()
        assert violations(person) == [], tab


@pytest.mark.slow
@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_every_board_in_the_middle_of_a_game(visitor, game, context):
    """With what was done last, what can be done, an action that is begun, and the moves that were made."""
    person = visitor(**context)
    person.start(game, "Against the computer")
    for _ in range(3):
        view = my_view(person)
        person.play(view.legal()[len(view.legal()) // 2], view)
    view = my_view(person)
    assert person.page.locator(".board .halos > *, .board .marks > *").count() > 0
    assert violations(person) == []
    person.point(view.clicks(max(view.legal(), key=lambda action: len(view.clicks(action))))[0])
    assert violations(person) == []


def my_view(person):
    """What one may know when it is one's turn, and the places that can be pointed at are named."""
    person.page.wait_for_selector(".seat.mine.acting")
    person.page.wait_for_selector('.board .spot[aria-disabled="false"]', state="attached")
    return person.view()


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# What stands on what: a thing stands out by its fill or by its edge.
STANDING = {
    "vermilion": ("cell", "card"), "indigo": ("cell", "card"), "jade": ("cell", "card"), "ochre": ("card",),
    "black": ("cell", "tile-0", "tile-2"), "white": ("cell",), "red": ("tile-0", "tile-2"), "lacquer": ("cell", "board"), "koma": ("board", "card"),
}  # fmt: skip


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("thing", STANDING)
def test_pieces_and_walls_stand_out(thing, theme):
    for ground in STANDING[thing]:
        fills = [COLOURS[name][theme] for name in (thing, f"{thing}-edge", f"{thing}-2") if name in COLOURS]
        assert max(contrast(fill, COLOURS[ground][theme]) for fill in fills) >= 3, (thing, ground)


def test_the_page_has_the_colours_of_the_pictures():
    css = (Path(__file__).parent.parent.parent / "web" / "src" / "style" / "tokens.css").read_text()
    for name, (day, night) in COLOURS.items():
        told = day if day == night else f"light-dark({day}, {night})"
        assert f"--{name}: {told};" in css
