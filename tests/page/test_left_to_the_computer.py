"""Auto move in the page: the computer plays for either side, on and off at any moment."""

import pytest
from test_games import friends
from visitors import PHONE, soon, title

import hanpan

pytestmark = pytest.mark.slow


def toggle(person, name):
    return person.page.get_by_role("button", name=name, exact=True)


def act(person):
    """Play something for the seat to act."""
    record = person.record()[1]
    view = hanpan.game(record["game"], **record["options"]).parse(record["position"])
    person.play(view.legal()[0], view)


def test_computer_against_computer_is_two_clicks_from_the_front_page(visitor):
    person = visitor()
    person.page.get_by_role("slider").fill("8")  # they think for a while, so that the game is not over before we have looked
    person.page.get_by_role("radio", name="Kulami", exact=True).check()
    person.press("Computer against computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.wait_for_ply(3)
    person.page.wait_for_function("() => document.querySelectorAll('.seat .auto-mark').length === 2")
    toggle(person, "Auto move: Red").click()  # one may take over at any moment
    toggle(person, "Auto move: Black").click()
    person.page.wait_for_function("() => !document.querySelector('.auto-mark')")
    soon(lambda: person.ply() == len(person.record()[1]["actions"]))  # the last that they played has arrived
    stood = person.ply()
    act(person)
    assert person.ply() == stood + 1
    person.go("/")
    person.page.get_by_role("radio", name=title("goita"), exact=True).check()
    person.press("Computer against computer")  # four seats can't be held by one: one looks on
    person.page.wait_for_selector(".board-frame[data-game]")
    person.wait_for_ply(4)


def test_at_one_screen_either_side_may_be_left_to_the_computer(visitor):
    person = visitor(**PHONE)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    act(person)
    toggle(person, "Auto move: Black").click()
    for ply in (2, 4):
        person.wait_for_ply(ply)
        act(person)
    person.wait_for_ply(6)
    person.page.get_by_label("Auto move: Black: level").select_option("4")
    person.page.wait_for_function("() => document.querySelector('.auto-mark')?.value === '4'")
    toggle(person, "Auto move: Red").click()
    person.wait_for_ply(8)


def test_the_others_see_who_lets_the_computer_play(visitor):
    host, guest = visitor(), visitor()
    host.sit_down_with(guest, game="kulami", settings={"rated": False})
    guest.press("Auto move")
    host.page.wait_for_selector('.seat[data-seat="1"] .auto-mark')
    act(host)
    host.wait_for_ply(2)
    guest.wait_for_ply(2)
    guest.press("Auto move")
    host.page.wait_for_selector(".auto-mark", state="detached")
    act(host)
    guest.wait_for_ply(3)
    act(guest)


def test_a_rated_game_offers_no_auto_move(visitor):
    one, _ = friends(visitor, "tictactoe", [{}, {}])
    one.page.get_by_role("button", name="Resign", exact=True).wait_for()
    assert toggle(one, "Auto move").count() == 0


def test_at_a_table_of_four_on_a_phone_the_name_stays_beside_the_sign_that_the_computer_moves(visitor):
    host, other = visitor(**PHONE), visitor()
    room = host.new_room("goita", settings={"rated": False})
    for person in (host, other):
        person.go(room)
        person.press("Sit down and play")
    host.press("Fill the seats with computer players")
    other.page.locator(".seat.mine .auto").click()
    mark = host.page.locator('.seat[data-seat="1"] .auto-mark')
    mark.wait_for()
    assert mark.text_content().startswith("auto")
    width = "(part) => part.getBoundingClientRect().width"
    assert host.page.locator('.seat[data-seat="1"] .seat-name .who').evaluate(width) > 20
    assert mark.locator(".icon").evaluate(width) > 10
