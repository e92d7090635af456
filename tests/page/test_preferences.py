"""What one can choose about the page: being told of one's turn, how loud it is, what boards are made of."""

import pytest
from test_accessible import violations
from visitors import mover_of, soon

PRETENDED = """
window.told = [];
window.asked = 0;
window.Notification = class { constructor(title, more) { told.push([title, more.body]); } close() {} };
Notification.permission = 'default';
Notification.requestPermission = async () => { asked++; return (Notification.permission = 'granted'); };
window.away = false;
Object.defineProperty(document, 'hidden', { get: () => away });
"""


def moved(person):
    """Play the first thing that is possible, when it is one's turn."""
    assert mover_of([person]) is person
    view = person.view()
    person.play(view.legal()[0], view)


@pytest.mark.slow
def test_one_is_told_of_ones_turn_only_when_one_wants_to_be_and_does_not_look(visitor):
    one, other = visitor(), visitor()
    one.context.add_init_script(PRETENDED)
    one.go("/")
    ask = one.page.get_by_role("button", name="Yes, tell me")
    one.start("tictactoe", "Against the computer")
    moved(one)
    one.page.wait_for_selector(".seat.mine.acting")
    soon(ask.count, 0)  # a computer player answers at once
    room = one.new_room("tictactoe")
    for seat, person in enumerate((one, other)):
        person.go(room)
        person.page.get_by_role("button", name="Sit down and play", exact=True).click()
        person.page.wait_for_selector(f'.seat.mine[data-seat="{seat}"]')
    one.page.wait_for_selector(".seat.mine.acting")
    assert ask.count() == 0  # not before one has moved
    moved(one)
    ask.click()
    one.page.wait_for_function("() => asked === 1")
    soon(ask.count, 0)
    name = other.page.inner_text(".head .mine .who")
    moved(other)
    one.page.wait_for_selector(".seat.mine.acting")
    assert one.page.evaluate("told") == []  # one looks
    moved(one)
    one.page.evaluate("away = true")
    moved(other)
    one.page.wait_for_function("() => told.length === 1")
    assert one.page.evaluate("told[0]") == ["Your turn", f"Tic-tac-toe · {name}"]


def test_boards_are_of_three_stuffs_and_the_volume_is_kept(visitor):
    person = visitor(color_scheme="dark")
    colour = "() => getComputedStyle(document.documentElement).getPropertyValue('--board')"
    open_menu = lambda: person.page.get_by_role("button", name="Language, appearance").click()  # noqa: E731
    seen = set()
    for stuff in ("Paper", "Cloth", "Wood"):
        open_menu()
        person.page.get_by_role("radio", name=stuff, exact=True).check(force=True)
        person.page.wait_for_selector(f'html[data-board="{stuff.lower()}"]' if stuff != "Wood" else "html:not([data-board=cloth], [data-board=paper])")
        seen.add(person.page.evaluate(colour))
        assert violations(person) == [], stuff
        person.page.keyboard.press("Escape")
    assert len(seen) == 3
    open_menu()
    person.page.get_by_role("radio", name="Cloth", exact=True).check(force=True)
    person.page.get_by_label("Volume").fill("20")
    person.go("/")
    soon(lambda: person.page.get_attribute("html", "data-board"), "cloth")
    open_menu()
    soon(person.page.get_by_label("Volume").input_value, "20")
    person.page.get_by_label("Volume").fill("0")
    soon(lambda: person.page.get_by_label("Volume").get_attribute("aria-valuetext"), "silent")
