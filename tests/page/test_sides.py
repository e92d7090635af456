"""My side of the board is near me, and what I am to reach lies far away."""

import pytest
from test_games import friends
from visitors import PHONE, soon

pytestmark = pytest.mark.slow


def height(person, place):
    """How far down in the window a place lies."""
    return person.page.evaluate("(place) => document.querySelector(`.board [data-place='${place}']`).getBoundingClientRect().y", place)


def bars(person):
    """The seats from top to bottom."""
    boxes = person.page.locator(".seat").evaluate_all("(all) => all.map((each) => [each.getBoundingClientRect().y, Number(each.dataset.seat)])")
    return [seat for _, seat in sorted(boxes)]


def test_everyone_sits_at_their_own_side_and_may_look_from_the_other(visitor):
    one, other = friends(visitor, "puoribor", [{}, PHONE])
    soon(lambda: (bars(one), bars(other)), ([1, 0], [0, 1]))
    soon(lambda: height(one, "e1") > height(one, "e9"))  # the first pawn starts on e1 and runs to row 9
    soon(lambda: height(other, "e9") > height(other, "e1"))
    for person, goal, start in ((one, "e9", "e1"), (other, "e1", "e9")):
        person.shows(9, ".board .goal path")
        person.page.wait_for_function(
            "(at) => document.querySelector(`.board [data-place='${at}']`)?.getAttribute('aria-label')?.includes('your goal')", arg=goal
        )
        assert "your goal" not in person.page.get_attribute(f'.board [data-place="{start}"]', "aria-label")

    one.page.wait_for_selector('.board [data-place="e2"][aria-disabled="false"]', state="attached")
    one.page.locator('.board [data-place="e1"]').focus()
    one.page.keyboard.press("ArrowUp")  # as it is seen
    soon(lambda: one.page.evaluate("document.activeElement.dataset.place"), "e2")
    one.page.keyboard.press("Enter")
    for person in (one, other):
        person.wait_for_ply(1)

    for person in (one, other):
        person.press("Flip the board")
    soon(lambda: (bars(one), bars(other)), ([0, 1], [1, 0]))
    soon(lambda: height(one, "e9") > height(one, "e1"))
    soon(lambda: height(other, "e1") > height(other, "e9"))
    one.page.wait_for_selector('.board [data-place="e9"][aria-label*="your goal"]', state="attached")  # it is still one's own
    other.play("d6h", other.view())  # what is pointed at is what is seen
    one.wait_for_ply(2)
    one.play("d4r", one.view())
    other.wait_for_ply(3)
    for person in (one, other):
        person.press("Flip the board")
    soon(lambda: height(one, "e1") > height(one, "e9"))


def test_a_board_without_sides_turns_with_its_coordinates(visitor):
    me = visitor()
    me.start("reversedrop", "Two at one screen")
    me.page.wait_for_selector(".board-frame[data-game]")
    rows = "() => Number([...document.querySelectorAll('.board .captions text')].find((each) => each.textContent === '1').getAttribute('y'))"
    before, top = me.page.evaluate(rows), height(me, "c1")
    me.press("Flip the board")
    me.page.wait_for_function(f"(before) => ({rows})() > before", arg=before)
    soon(lambda: height(me, "c1") > top)
