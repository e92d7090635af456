"""Rooms that are locked, full or closed; chat that tries to be more than text; words for what can't be done."""

import pytest
from test_games import friends
from visitors import soon

pytestmark = pytest.mark.slow


def locked_room(host, password, **settings):
    """The host's room, made over the host's own line to the server."""
    return host.new_room("kulami", password=password, settings=settings)


def test_a_wrong_password_is_said_and_the_right_one_opens(visitor):
    host, guest = visitor(), visitor()
    room = locked_room(host, "sesame")
    guest.page.goto(guest.server.url + room)
    guest.page.get_by_label("Password").fill("simsalabim")
    guest.press("Enter")
    soon(guest.page.get_by_role("alert").inner_text, "The password is not right.")
    guest.page.get_by_label("Password").fill("sesame")
    guest.press("Enter")
    guest.page.wait_for_selector(".seats .seat")


def test_a_full_room_without_spectators_says_so(visitor):
    host, second, third = visitor(), visitor(), visitor()
    room = locked_room(host, None, spectators=False)
    for person in (host, second):
        person.go(room)
        person.press("Sit down and play")
    host.page.wait_for_selector(".board-frame[data-game]")
    third.page.goto(third.server.url + room)
    soon(lambda: third.page.get_by_role("alert").inner_text() in ("This room does not take spectators.", "This room is full."))
    third.page.get_by_role("link", name="To the lobby").wait_for()


def test_a_room_that_is_gone_says_so(visitor):
    person = visitor()
    person.page.goto(person.server.url + "/r/nosuch")
    soon(person.page.get_by_role("alert").inner_text, "This room does not exist, or is gone.")


def test_markup_in_chat_is_shown_as_text(visitor):
    one, other = friends(visitor, "kulami", [{}, {}])
    nasty = '<img src=x onerror="document.title=1"><b>bold</b> &amp; "quoted"'
    for person in (one, other):
        person.page.get_by_role("tab", name="Chat").click()
    one.page.get_by_label("Write a message").fill(nasty)
    one.press("Send")
    for person in (one, other):
        soon(lambda person=person: person.page.inner_text(".messages .msg"), nasty)
        assert person.page.locator(".messages img, .messages b").count() == 0
        soon(lambda person=person: "Hanpan" in person.page.title())


def test_an_illegal_try_explains_itself_in_words(visitor):
    one, other = friends(visitor, "kulami", [{}, {}])
    view = one.view()
    one.play(view.legal()[0], view)
    other.wait_for_ply(1)
    other.point(view.clicks(view.legal()[0])[0])
    other.heard(f"There is a marble in {view.legal()[0]} already.", whole=True)
    other.page.get_by_label("Type a move").fill("z99")
    other.page.get_by_label("Type a move").press("Enter")
    other.heard("z99")
    assert other.ply() == 1


def test_refusals_are_said_in_the_readers_language(visitor):
    words = {"ko-KR": "그런 방은", "ja-JP": "部屋", "zh-CN": "房间"}
    for locale, some in words.items():
        person = visitor(locale=locale)
        person.page.goto(person.server.url + "/r/nosuch")
        person.page.get_by_role("alert").get_by_text(some).wait_for()
        assert "does not exist" not in person.page.get_by_role("alert").inner_text()
        soon(lambda person=person: person.page.evaluate("document.documentElement.lang")[:2], locale[:2])


@pytest.mark.parametrize("sockets", ["class extends EventTarget { close() {} send() {} }", "undefined"], ids=["hanging", "missing"])
def test_where_no_websocket_opens_one_gets_in_without(visitor, sockets):
    """Some proxies let them neither open nor fail."""
    person = visitor()
    person.context.add_init_script(f"const found = {sockets}; if (found) globalThis.WebSocket = found; else delete globalThis.WebSocket;")
    person.enter_lobby()


def test_javascript_that_is_off_is_asked_for(visitor):
    person = visitor(java_script_enabled=False, locale="ja")
    person._page.goto(person.server.url)
    assert "JavaScript が必要です" in person._page.inner_text("body")
