"""axe-core finds nothing serious on any page or board, in both themes; pieces stand out from their ground without their colour's help."""

import re
from pathlib import Path

import pytest
from visitors import PHONE, mover_of, soon

import hanpan
from hanpan.draw.palette import COLOURS, STUFFS

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
COLOURFUL = ["color-contrast", "link-in-text-block"]  # what can be otherwise by night; the same elements are on the page by day
GAMES = ("goita", "kulami", "puoribor", "reversedrop", "wallgo")


def violations(person):
    """What axe-core calls serious or critical on the page as it is now, by day and by night."""
    if not person.page.evaluate("() => 'axe' in window"):
        person.page.evaluate(AXE.read_text("utf-8"))
    wrong = []
    for theme, rules in (("light", {}), ("dark", {"runOnly": COLOURFUL})):
        person.page.emulate_media(color_scheme=theme)
        found = person.page.evaluate("async (rules) => (await axe.run(document, {resultTypes: ['violations'], ...rules})).violations", rules)
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
    for tab in ("Moves", "Chat", "People", "Settings"):
        person.page.get_by_role("tab", name=tab).click()
        person.page.wait_for_selector(".side:not(.closed)")
        assert violations(person) == [], tab


@pytest.mark.slow
@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_every_board_in_the_middle_of_a_game(visitor, game, context):
    """With what was done last, what can be done, an action that is begun, and the moves that were made."""
    person = visitor(**context)
    view = in_the_middle(person, game)
    person.page.wait_for_selector(".board .halos > *, .board .marks > *", state="attached")
    assert violations(person) == []
    person.point(view.clicks(max(view.legal(), key=lambda action: len(view.clicks(action))))[0])
    assert violations(person) == []


@pytest.mark.slow
def test_whoever_listens_hears_in_words_what_was_done_and_what_stands_there(visitor):
    people = one, other = visitor(), visitor()
    one.sit_down_with(other, game="puoribor")
    mover = mover_of(people)
    listener = other if mover is one else one
    assert listener.page.get_attribute('.board [data-place="e4h"]', "aria-label") == "wall e to f, between 4 and 5"
    mover.play("e4h", mover.view())
    listener.page.locator("[role=log]", has_text=": wall e to f, between 4 and 5. It is your turn.").wait_for(state="attached")
    soon(lambda: listener.page.get_attribute('.board [data-place="e4h"]', "aria-label"), "wall e to f, between 4 and 5, a wall stands here")
    assert listener.page.locator(".move-list .action").all_inner_texts() == ["e4h"]


@pytest.mark.slow
def test_where_the_system_chooses_the_colours_one_sees_what_is_chosen(visitor):
    person = visitor(forced_colors="active")
    frame = "(each) => { const s = getComputedStyle(each); return [s.borderColor, s.borderWidth, s.outline].join(' '); }"

    def apart(chosen, others):
        """What is chosen looks otherwise than all others of its kind."""
        looks = [each.evaluate(frame) for each in person.page.locator(others).all()]
        assert looks
        assert person.page.locator(chosen).first.evaluate(frame) not in looks, chosen

    apart(".game input:checked + .game-card", ".game input:not(:checked) + .game-card")
    apart(".choice input:checked + span", ".choice input:not(:checked) + span")
    person.go("/lobby")
    apart(".head nav a[aria-current]", ".head nav a:not([aria-current])")
    in_the_middle(person, "puoribor")
    apart(".side [role=tab][aria-selected=true]", ".side [role=tab]:not([aria-selected=true])")
    apart(".told button[aria-current]", ".told button:not([aria-current])")
    apart(".seat.acting", ".seat:not(.acting)")


def in_the_middle(person, game):
    """What one may know after two moves of one's own. Where chance sets up the pieces, a game can be lost by then: it is begun anew."""
    for _ in range(10):
        person.go("/")
        person.start(game, "Against the computer")
        for moves in range(3):
            view = my_view(person)
            if view is None:
                break
            if moves == 2:
                return view
            person.play(view.legal()[len(view.legal()) // 2], view)
    raise AssertionError("ten games were over after two moves")


def my_view(person):
    """What one may know when it is one's turn, and the places that can be pointed at are named; None when the game is over."""
    if mover_of([person]) is None:
        return None
    person.page.wait_for_selector('.board .spot[aria-disabled="false"]', state="attached")
    return person.view()


# --- what stands on a board can be seen ---

GROUNDS = ("cell", "card", "board", "board-2", "tile-0", "tile-1", "tile-2", "tile-3")
THINGS = ("vermilion", "indigo", "jade", "ochre", "black", "white", "red", "lacquer", "koma-back", "koma")


def channels(colour):
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def over(colour, strength, ground):
    """A colour that lets its ground shine through."""
    return [strength * one + (1 - strength) * other for one, other in zip(colour, ground, strict=True)]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def drawn(game):
    """What a played game's picture shows: the fills of things with their edges, and the grounds."""
    state = hanpan.game(game, **({"players": 3} if game == "wallgo" else {})).start(seed=5)
    for _ in range(40):
        if not state.over:
            state = state.play(state.draw(3) if state.chance else state.legal()[len(state.legal()) // 2])
    picture = state.view(None).svg().replace("url(#face)", "var(--koma)").replace("url(#wood)", "var(--board)")
    things, grounds = set(), set()
    for shape in re.findall(r"<(?:circle|path|rect) [^>]*>", picture.split("</defs>")[1]):
        fill, edge = re.search(r'fill="var\(--([\w-]+)\)"', shape), re.search(r'stroke="var\(--([\w-]+)\)"', shape)
        if fill and fill[1] in GROUNDS:
            grounds |= {fill[1]} | ({"board-2"} if fill[1] == "board" else set())
        elif fill and fill[1] in THINGS and " opacity" not in shape:
            things.add((fill[1], edge and edge[1]))
    return things, grounds, state.scene().colours


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("stuff", ["wood", *STUFFS])
@pytest.mark.parametrize("game", GAMES)
def test_pieces_and_walls_stand_out(game, stuff, theme):
    """By their fill or by their edge, from every ground of their board: bare, under the last action's halo, or washed with a seat's colour."""
    things, grounds, seats = drawn(game)
    assert things
    assert grounds
    colour = {name: channels(pair[theme]) for name, pair in (COLOURS | STUFFS.get(stuff, {})).items()}
    seen = [(name, colour[name]) for name in grounds]
    seen += [(f"{name} under a halo", over(colour["accent"], 0.35, colour[name])) for name in grounds]
    seen += [(f"cell of {seat}", over(colour[seat], 0.36, colour["card"])) for seat in seats if "cell" in grounds and seat not in ("black", "white", "red")]
    for fill, edge in things:
        for name, ground in seen:
            assert max(contrast(colour[each], ground) for each in (fill, edge) if each) >= 3, (fill, edge, name)


def test_the_page_has_the_colours_of_the_pictures():
    css = (Path(__file__).parent.parent.parent / "web" / "src" / "style" / "tokens.css").read_text()
    plain, *others = css.split(":root[data-board=")
    stuffs = {part[1 : part.index("]") - 1]: part for part in others}
    for told, colours in ((plain, COLOURS), *((stuffs[stuff], colours) for stuff, colours in STUFFS.items())):
        for name, (day, night) in colours.items():
            assert f"--{name}: {day if day == night else f'light-dark({day}, {night})'};" in told
