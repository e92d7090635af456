"""What is kept and found again: chat of a room, its settings, the archive of games."""

import pytest
from accounts import about, ask
from test_pages import finished
from visitors import HEARD, soon

from hanpan.record import GameRecord
from hanpan.replay import check_file

pytestmark = pytest.mark.slow


def say(person, text):
    person.page.get_by_role("tab", name="Chat").click()
    person.page.get_by_label("Write a message").fill(text)
    person.page.get_by_label("Write a message").press("Enter")


def shown(person, text):
    return person.page.locator(".messages .msg", has_text=text)


def line(person):
    """The room as the lobby lists it."""
    return next(each for each in person._get("/api/rooms") if person.room.endswith(each["id"]))


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
    soon(host.page.locator(".messages .msg").all_inner_texts, ["hello there", "nice to meet you"])
    second = host.context.new_page()
    second.goto(host.server.url + room)
    second.get_by_role("tab", name="Chat").wait_for()
    assert second.get_by_role("tab", name="Chat").locator(".badge").count() == 0  # what was said before is no news
    second.get_by_role("tab", name="Chat").click()
    second.locator(".messages .msg", has_text="hello there").wait_for()
    second.locator(".messages li", has_text="nice to meet you").get_by_role("button").click()
    second.get_by_role("button", name="Report this message…").click()
    second.get_by_role("button", name="Send to the operators").click()
    second.wait_for_function(HEARD, arg=["Thank you. The operators will look at it.", False])


def test_the_master_removes_the_password_by_a_button_and_lets_no_bots_sit(visitor):
    host, guest = visitor(), visitor()
    room = host.new_room("kulami", password="sesame")
    host.go(room)
    guest.go(room)
    guest.page.get_by_label("Password").wait_for()
    host.page.get_by_role("tab", name="Settings").click()
    host.page.get_by_label("Bots welcome").uncheck()
    host.press("Use these settings")
    host.heard("The new settings are in use.")
    assert not line(host)["settings"]["bots"]
    assert line(host)["locked"]
    host.press("Remove the password")
    host.heard("Anyone may come in now.")
    host.page.get_by_role("button", name="Remove the password").wait_for(state="detached")
    assert not line(host)["locked"]
    soon(host.page.get_by_label("Bots welcome").is_checked, False)
    guest.go(room)
    guest.press("Sit down and play")


def test_the_master_frees_the_seat_of_someone_who_is_told_so_and_sits_down_only_when_invited(visitor):
    host, pest = visitor(), visitor()
    room = host.new_room("kulami")
    for each in (host, pest):
        each.go(room)
    pest.press("Sit down and play")
    taken = host.page.locator(".seat", has=host.page.locator(".dot"))
    taken.get_by_role("button", name="What to do with seat").click()
    host.press("Free this seat")
    taken.wait_for(state="detached")
    said = "The room's master has freed your seat. You can sit down here again once they invite you."
    pest.page.get_by_text(said).wait_for()
    pest.page.reload()
    pest.press("Sit down and play")
    pest.page.get_by_text(said).wait_for()
    assert host.page.locator(".seat .dot").count() == 0


def test_the_archive_is_looked_through_and_downloaded(visitor, tmp_path):
    people, id = finished(visitor)
    person, stranger = people[0], visitor()
    for each, there in ((person, 1), (stranger, 0)):
        each.go("/")
        each.page.get_by_role("link", name="Archive").click()
        each.page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
        each.page.locator(f'.past-game[href="/replay/{id}"]').wait_for()
        each.page.get_by_role("radio", name="Mine").check()
        each.page.locator(".past-game").first.wait_for() if there else each.page.get_by_text("No games yet.").wait_for()
        each.shows(there, f'.past-game[href="/replay/{id}"]')
    with person.page.expect_download() as saving:
        person.page.get_by_role("link", name="Download as records").click()
    kept = tmp_path / "mine.jsonl"
    saving.value.save_as(kept)
    assert saving.value.suggested_filename.endswith(".jsonl")
    assert check_file(kept) == (1, None)
    record = GameRecord.from_json(kept.read_text("utf-8"))
    assert (record.actions, record.outcome().reason) == (("a1", "b2"), "resigned")
    person.page.locator(f'.past-game[href="/replay/{id}"]').click()
    person.page.wait_for_selector(".replay .told")


def test_whoever_presses_twice_has_opened_one_room(visitor, own_server):
    me = visitor(at=own_server)
    me.enter_lobby()
    me.page.locator(".lobby-head > button.main").click()
    me.page.locator(".room-form .main").wait_for()
    me.page.evaluate("() => { const create = document.querySelector('.room-form .main'); create.click(); create.click(); }")
    me.page.wait_for_selector(".room-page .seats .seat")
    assert [line["id"] for line in me._get("/api/rooms")] == [me.room.removeprefix("/r/")]


def test_whoever_takes_another_name_or_is_gone_is_so_in_what_is_told_of_them(visitor):
    me, other = visitor(), visitor()
    me.sit_down_with(other, game="tictactoe")
    say(other, "Good luck!")
    me.page.get_by_role("tab", name="Chat").click()
    shown(me, "Good luck!").wait_for()
    other.press("Resign")
    other.page.locator(".ask-back .bad").click()
    me.page.get_by_text("resigned").first.wait_for()
    ask(other, "PATCH", "/api/me", name="Quite Another")
    me.page.locator(".result", has_text="Quite Another").wait_for()
    me.page.locator(".messages .who", has_text="Quite Another").wait_for()
    id = about(other)["person"]["id"]
    other.go("/")
    ask(other, "DELETE", "/api/me", name="Quite Another")
    me.go(f"/people/{id}")
    me.page.get_by_text("This account has been deleted.").wait_for()
    me.page.locator(".past-game").wait_for()
    for what in ("Block", "Report…"):
        me.shows(0, f"main button:has-text('{what}')")
    me.shows(0, ".ratings")
