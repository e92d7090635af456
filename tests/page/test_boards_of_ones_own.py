"""A board of one's own in the page: pasted or drawn, it is the one that is played on; a board that chance will draw is not shown beforehand."""

import pytest
from board_codes import B, code
from visitors import PHONE, soon

import hanpan

pytestmark = pytest.mark.slow


def options(person):
    person.page.get_by_role("radio", name="Kulami", exact=True).check()
    person.page.get_by_text("Options of the game").click()


def tiles(person):
    return person.record()[1]["position"].split()[0]


def test_a_pasted_code_is_the_board_that_is_played_on(visitor):
    person = visitor()
    options(person)
    person.page.get_by_label("Board", exact=False).first.select_option(label="One of your own…")
    person.page.get_by_label("Type or paste it").fill(code(B).replace("b", "a"))
    person.page.get_by_text("In this board code, b is not a tile of 6 holes.").wait_for()
    person.page.get_by_label("Type or paste it").fill(code(B))
    person.page.get_by_text("This can be played.").wait_for()
    person.shows(1, ".own-picture .board")
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    assert tiles(person) == B


def test_a_board_is_drawn_with_a_finger_and_played_on(visitor):
    person = visitor(**PHONE)
    options(person)
    person.page.get_by_label("Board", exact=False).first.select_option(label="One of your own…")
    person.page.get_by_role("button", name="Draw it").tap()
    state = hanpan.game("kulami", board="build").start()
    sizes = ["2x3"] * 4 + ["2x2"] * 5 + ["3x1"] * 4 + ["2x1"] * 4

    def steps(number):
        person.page.wait_for_selector(f'.drawing .board-frame[data-steps="{number}"]')

    def lay(action):
        for place in state.clicks(action):
            person.point(place, ".drawing")

    steps(0)
    for number, size in enumerate(sizes, 1):
        action = min((each for each in state.legal() if each.startswith(f"{size}@")), key=lambda each: (int(each[5:]), each[4]))
        lay(action)
        steps(number)
        if number == 3:  # the last one is taken off, and laid again
            person.page.get_by_role("button", name="Remove the last").tap()
            steps(2)
            lay(action)
            steps(3)
            person.point(state.clicks(action)[1], ".drawing")  # and once more, by pointing at it
            steps(2)
            lay(action)
            steps(3)
        state = state.play(action)
    person.page.get_by_text("It is complete.").wait_for()
    person.page.get_by_role("button", name="Use it").tap()
    person.page.get_by_text("This can be played.").wait_for()
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    assert tiles(person) == str(state).split()[0]


def test_a_board_that_chance_will_draw_is_not_shown_beforehand(visitor):
    person = visitor()
    person.go(person.new_room("kulami", options={"board": "random"}))
    person.page.get_by_text("The board is drawn when the game begins").wait_for()
    person.shows(1, ".board-frame .picture")
    assert person.page.locator(".board-frame [class*=hole]").count() == 0


def test_a_bare_code_is_shown_where_records_are_looked_at(visitor):
    person = visitor()
    person.go("/replay")
    person.page.get_by_label("Or paste the record").fill(code(B)[:-2])
    person.press("Show it")
    person.page.get_by_role("alert").get_by_text("198").wait_for()
    person.page.get_by_label("Or paste the record").fill(code(B))
    person.press("Show it")
    person.page.get_by_role("img", name="Kulami after move 0").wait_for()
    person.shows(17, '.board .grounds rect[fill^="var(--tile-"]')
    soon(lambda: "Kulami" in person.page.title())
