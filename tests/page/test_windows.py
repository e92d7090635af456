"""Small windows and tall ones: what the board leaves free is used, and nothing that comes up lies over one's own seat."""

import pytest
from accounts import ask, played_alone
from test_accessible import violations
from test_result import SMALL, friends, play, strip
from visitors import PHONE, soon

pytestmark = pytest.mark.slow
DOCKED = ".side.closed .panel"


def bottom(person, selector):
    return edge(person, selector, "bottom")


def top(person, selector):
    return edge(person, selector, "top")


def edge(person, selector, which):
    """Found and measured in one step."""
    person.page.wait_for_selector(selector)
    return person.page.evaluate("([selector, which]) => document.querySelector(selector)?.getBoundingClientRect()[which] ?? NaN", [selector, which])


def test_on_a_tall_phone_the_moves_and_the_last_words_lie_under_the_board(visitor):
    first, second = people = friends(visitor, "kulami", (PHONE, PHONE))
    for person in people:
        soon(person.page.locator(DOCKED).is_visible, False)  # nothing to read yet
    play(people, "e5", "e2", "h2")
    for text in ("Good luck!", "A long time ago, in a room with a board", "Have fun"):
        second.page.get_by_role("tab", name="Chat").tap()
        second.page.get_by_label("Write a message").fill(text)
        second.page.get_by_label("Write a message").press("Enter")
        second.page.locator(".messages .msg", has_text=text).wait_for()
        second.page.get_by_role("tab", name="Chat").tap()
    first.page.locator(".last-said", has_text="Have fun").wait_for()
    assert "Good luck!" not in first.page.inner_text(".last-said")
    for person in people:
        person.press("No, thanks")  # asked whether to be told of one's turn
        person.page.wait_for_selector(DOCKED)
        soon(lambda person=person: bottom(person, ".table") <= top(person, DOCKED) < bottom(person, ".table") + 20)
        soon(lambda person=person: bottom(person, DOCKED) <= top(person, "[role=tablist]") < bottom(person, DOCKED) + 20)  # nothing is left empty
        soon(lambda person=person: bottom(person, "[role=tablist]"), 844)
        soon(lambda person=person: bottom(person, DOCKED) - top(person, DOCKED) > 120)
        soon(lambda person=person: person.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0)  # and nothing pushed out
        soon(person.page.locator("[data-ply] .action").all_inner_texts, ["e5", "e2", "h2"])  # one list, not a second one
        assert violations(person) == []
    before = first.page.locator(".board").bounding_box()
    first.page.locator('.told [data-ply="1"]').tap()
    first.page.wait_for_function("() => document.querySelectorAll('.board .piece.marble').length === 1")
    first.page.get_by_role("button", name="Back to now").tap()
    first.page.get_by_role("tab", name="Moves").tap()  # the whole list, with what belongs to it
    first.page.get_by_role("button", name="Clock ledger").wait_for()
    soon(first.page.locator("[data-ply] .action").all_inner_texts, ["e5", "e2", "h2"])
    first.page.get_by_role("tab", name="Moves").tap()
    soon(first.page.get_by_role("button", name="Clock ledger").is_visible, False)
    first.page.locator(".last-said").tap()
    first.page.locator(".messages .msg", has_text="Good luck!").wait_for()
    soon(first.page.locator(".board").bounding_box, before)


def test_where_the_board_leaves_no_room_only_the_tabs_are_below_it(visitor):
    first, second = people = friends(visitor, "kulami", (SMALL, PHONE | {"viewport": {"width": 932, "height": 430}}))
    play(people, "e5", "e2")
    for person in people:
        soon(person.page.locator(".side .panel").is_visible, False)
        soon(lambda person=person: bottom(person, "[role=tablist]") >= person.page.viewport_size["height"] - 1)
    first.page.get_by_role("tab", name="Moves").tap()
    first.page.locator('.told [data-ply="1"]').tap()  # to be seen on the board: the sheet goes
    first.page.wait_for_function("() => document.querySelectorAll('.board .piece.marble').length === 1")
    soon(first.page.locator(".side .panel").is_visible, False)
    second.page.get_by_role("tab", name="Moves").tap()
    second.page.wait_for_selector('.told [data-ply="2"]')
    second.page.get_by_role("tab", name="Moves").tap()
    soon(second.page.locator(".side .panel").is_visible, False)


def called(visitor, *names):
    """Visitors with these names, one after the other."""
    left = iter(names)

    def come(**context):
        person = visitor(**context)
        person.go("/")
        ask(person, "PATCH", "/api/me", name=next(left))
        return person

    return come


@pytest.mark.parametrize(
    "names", [("Dee Ox", "Kay Emu"), ("Wandering Dragonflyer", "Wandering Dragonflyers"), ("Mmmmmmmmmm Mmmmmmmmmmmmm", "Wwwwwwwwww Wwwwwwwwwwwww")]
)
def test_an_offer_lies_on_nobodys_seat(visitor, names):
    first, second = people = friends(called(visitor, *names), "puoribor", (SMALL, SMALL))
    play(people, "e2", "e8", "e3")
    first.press("Offer a draw")
    second.page.get_by_role("button", name="Agree to a draw").wait_for()
    first.page.get_by_text("You have offered a draw.").wait_for()

    def covered(person):
        """What the offer lies on."""
        person.page.evaluate("scrollTo(0, 0)")
        seats = (".seats.own .seat", ".seats.others .seat", ".prompt", ".board")
        over = [each for each in seats if bottom(person, each) > top(person, ".offer") and bottom(person, ".offer") > top(person, each)]
        return over + [each for each in ("[role=tablist]",) if bottom(person, ".offer") > top(person, each)]

    for person in people:
        soon(lambda person=person: covered(person), [])
    second.press("Agree to a draw")
    for person in people:
        strip(person, "A draw", "Both agreed to a draw.")
        person.page.wait_for_selector(".offer", state="detached")


@pytest.mark.parametrize("window", [(360, 640), (844, 390)])
def test_what_the_head_opens_lies_inside_the_window(visitor, window):
    wide, high = window
    person = visitor(**PHONE | {"viewport": {"width": wide, "height": high}})
    for button in (".head .menu:not(.mine) > button", ".head .mine > button"):
        person.page.locator(button).tap()
        person.page.wait_for_selector(".head .sheet:not([hidden])")
        sheet = person.page.locator(".head .sheet:not([hidden])").bounding_box()
        assert sheet["x"] >= 0
        assert sheet["x"] + sheet["width"] <= wide
        assert sheet["y"] + sheet["height"] <= high
        assert person.page.evaluate("document.documentElement.scrollWidth") <= wide
        person.page.keyboard.press("Escape")
        person.page.wait_for_selector(".head .sheet:not([hidden])", state="detached")


def test_the_open_page_of_a_row_of_links_is_in_sight(visitor):
    person = visitor(**SMALL)
    for path in ("/learn/wallgo", "/best/wallgo", "/archive/wallgo"):
        person.go(path)
        person.page.wait_for_function(
            """() => { const open = document.querySelector(".game-tabs [aria-current]")?.getBoundingClientRect();
            return open && open.left >= 0 && open.right <= innerWidth; }"""
        )


def test_what_a_button_of_a_record_opens_has_its_title_in_one_line(visitor):
    person = visitor()
    game = played_alone(person)
    person.go(f"/replay/{game}")
    person.press("Clock ledger")
    person.page.wait_for_selector("dialog[open] h2")
    title, close = (person.page.locator(f"dialog {part}").bounding_box() for part in ("h2", ".close"))
    assert title["height"] < 40
    assert close["width"] < 60


def test_beside_the_camera_of_a_phone_that_lies_nothing_is_lost(visitor):
    person = visitor(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    insets = {"left": 59, "right": 59, "top": 0, "bottom": 21}
    person.context.new_cdp_session(person.page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    for selector in (".home", ".board", ".side [role=tab]"):
        soon(lambda selector=selector: edge(person, selector, "left") >= 59)
    for selector in (".seat.mine", ".side [role=tab]:last-child"):
        soon(lambda selector=selector: edge(person, selector, "right") <= 844 - 59)
    assert edge(person, ".board", "right") <= edge(person, ".side", "left")
    soon(lambda: person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
