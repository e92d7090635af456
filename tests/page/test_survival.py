"""A lost connection, a restarted server and a reload are quiet: play goes on exactly where it was."""

import pytest
from test_games import friends
from visitors import mover_of

pytestmark = pytest.mark.slow


def moved(person, number):
    view = person.view()
    person.play(view.legal()[number], view)


def test_a_reload_returns_to_the_same_seat(visitor):
    one, other = friends(visitor, "kulami", [{}, {}])
    moved(one, 3)
    other.wait_for_ply(1)
    moved(other, 0)
    one.wait_for_ply(2)
    seat, game = one.page.get_attribute(".seat.mine", "data-seat"), one.game_id()
    one.page.reload()
    one.page.wait_for_selector(".seat.mine.acting")
    assert (one.page.get_attribute(".seat.mine", "data-seat"), one.game_id(), one.ply()) == (seat, game, 2)
    moved(one, 0)
    assert mover_of([one, other]) is other


def test_the_server_is_killed_and_restarted_in_the_middle_of_a_game(visitor, own_server):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    one, other = friends(visitor, "wallgo", [{"at": own_server}, {"at": own_server, **phone}])
    mover = mover_of([one, other])
    before = mover.ply()
    moved(mover, 5)
    for person in (one, other):
        person.wait_for_ply(before + 1)
    one.press("Offer a draw")
    other.page.locator(".offer", has_text="draw").wait_for()
    own_server.kill()
    one.page.wait_for_selector(".lost-line")
    other.page.wait_for_selector(".lost-line", state="hidden")  # on a phone it would lie on the seats: the line at the board says it
    other.page.locator(".prompt", has_text="No connection").wait_for()
    for person in (one, other):
        person.page.wait_for_selector(".board-host.stale")
        assert person.ply() == before + 1  # the last position is still there
    own_server.start()
    for person in (one, other):
        person.page.wait_for_selector(".lost-line", state="detached")
        person.page.wait_for_selector(".board-host:not(.stale)")
        person.shows(0, '.offer:has-text("draw")')  # the server has forgotten it, and so does the page
    for ply in range(before + 1, before + 5):
        mover = mover_of([one, other])
        assert mover.ply() == ply
        moved(mover, 0)


def test_an_action_made_while_the_server_is_away_is_played_when_it_is_back(visitor, own_server):
    one, other = friends(visitor, "kulami", [{"at": own_server}, {"at": own_server}])
    view = one.view()
    own_server.kill()
    one.page.wait_for_selector(".lost-line")
    one.point(view.clicks(view.legal()[0])[0])
    own_server.start()
    other.wait_for_ply(1)
    assert mover_of([one, other]) is other
    other.page.wait_for_selector(".seat.mine.acting")
