"""At a club's own server: without https, and on the machine that it runs on."""

from types import SimpleNamespace

from accounts import name_of
from visitors import CLUB, title


def test_a_link_is_copied_where_the_browsers_own_way_is_closed(visitor, server):
    room = visitor().new_room("tictactoe")
    guest = visitor(at=SimpleNamespace(url=f"http://{CLUB}:{server.port}"))
    guest.go(room)
    guest.press("Sit down and play")
    assert not guest.page.evaluate("isSecureContext")
    guest.press("Copy the link")
    guest.page.get_by_role("button", name="Copied", exact=True).wait_for()
    guest.page.evaluate("document.body.append(Object.assign(document.createElement('input'), { id: 'pasted' }))")
    guest.page.locator("#pasted").press("Control+V")
    assert guest.page.locator("#pasted").input_value() == guest.page.url
    assert not guest.troubles


def test_whoever_is_alone_on_a_machine_is_told_so(visitor, server):
    host = visitor(at=SimpleNamespace(url=f"http://localhost:{server.port}"))
    host.go(host.new_room("tictactoe"))
    host.page.get_by_text("Only this computer can open this link.").wait_for()


def test_what_is_shared_on_the_servers_own_machine_leads_others_there(visitor):
    host = visitor()
    host.context.route("**/api/network", lambda route: route.fulfill(json={"address": "http://192.168.1.5:8000", "alone": False}))
    host.go(host.new_room("tictactoe"))
    host.page.wait_for_function("(link) => document.querySelector('.share input').value === link", arg=f"http://192.168.1.5:8000{host.room}")


def test_nothing_leads_anyone_away_from_a_game_with_others(visitor):
    """Neither an invitation, as long as they play, nor a match that they have looked for before."""
    me, friend, other = visitor(), visitor(), visitor()
    room = friend.new_room("tictactoe")
    me.go("/")
    me.page.get_by_role("radio", name=title("tictactoe"), exact=True).check()
    me.press("Find an opponent")
    me.page.wait_for_selector(".waiting")
    me.page.evaluate("(room) => { history.pushState(null, '', room); dispatchEvent(new PopStateEvent('popstate')); }", room)
    friend.go(room)
    for person in (me, friend):
        person.press("Sit down and play")
    for person in (me, friend):
        person.page.wait_for_selector(".board-frame[data-game]")
    other.go(other.new_room("tictactoe"))
    other.page.get_by_role("tab", name="People").click()
    other.press(f"Invite {name_of(me)}")
    me.page.get_by_text("once your game is over").wait_for()
    me.shows(0, ".invitation .main")
    other.go("/")
    other.page.get_by_role("radio", name=title("tictactoe"), exact=True).check()
    other.press("Find an opponent")
    other.page.wait_for_selector(".waiting")
    me.press("Resign")
    me.page.locator(".ask-back .bad").click()
    me.page.locator(".invitation .main").wait_for()
    assert me.room == room
    me.page.locator(".invitation .main").click()
    me.page.wait_for_function("(room) => location.pathname !== room", arg=room)
