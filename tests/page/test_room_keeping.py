"""What a room keeps, and how its master changes it: chat, password, settings."""

import pytest

pytestmark = pytest.mark.slow


def say(person, text):
    person.page.get_by_role("tab", name="Chat").click()
    person.page.get_by_label("Write a message").fill(text)
    person.page.get_by_label("Write a message").press("Enter")


def shown(person, text):
    return person.page.locator(".messages .msg", has_text=text)


def test_chat_is_there_after_a_reload_and_in_a_second_window(visitor):
    host, guest = visitor(), visitor()
    room = host.new_room("kulami")
    host.go(room)
    guest.go(room)
    say(host, "hello there")
    guest.page.get_by_role("tab", name="Chat").locator(".badge").wait_for()
    say(guest, "nice to meet you")
    shown(host, "nice to meet you").wait_for()
    host.page.reload()
    host.page.get_by_role("tab", name="Chat").click()
    shown(host, "nice to meet you").wait_for()
    assert host.page.locator(".messages .msg").all_inner_texts() == ["hello there", "nice to meet you"]
    second = host.context.new_page()
    second.goto(host.server.url + room)
    second.get_by_role("tab", name="Chat").wait_for()
    assert second.get_by_role("tab", name="Chat").locator(".badge").count() == 0  # what was said before is no news
    second.get_by_role("tab", name="Chat").click()
    second.locator(".messages .msg", has_text="hello there").wait_for()
    second.locator(".messages li", has_text="nice to meet you").get_by_role("button").click()
    second.get_by_role("button", name="Report this message…").click()
    second.get_by_role("button", name="Send to the operators").click()
    second.get_by_text("Thank you. The operators will look at it.").wait_for()
