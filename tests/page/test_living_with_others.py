"""Living together: blocking, reporting, banning, and the operators' page, in a real browser."""

import re

import pytest
from accounts import LOCALES, WORDS, about, alert, made_operator, name_of, notice, say, shown
from serving import ServerProcess
from test_accessible import violations
from visitors import soon

pytestmark = pytest.mark.slow


@pytest.fixture
def quiet_server(tmp_path):
    """A server without chat."""
    running = ServerProcess(tmp_path, chat=False).start()
    yield running
    running.stop()


def test_where_chat_is_off_there_is_no_field_to_write_in(visitor, quiet_server):
    pupil = visitor(at=quiet_server)
    pupil.enter_lobby()
    pupil.page.locator(".chat").get_by_text("Chat is switched off").wait_for()
    pupil.shows(0, ".chat input")
    pupil.go(pupil.new_room("kulami"))
    pupil.page.get_by_role("tab", name="Chat").click()
    pupil.page.locator(".chat").get_by_text("Chat is switched off").wait_for()
    pupil.shows(0, ".chat input")


def test_a_blocked_persons_messages_do_not_appear_until_it_is_undone(person):
    me, pest = person(), person()
    for each in (me, pest):
        each.enter_lobby()
    name = name_of(pest)
    say(pest, "look at me")
    shown(me, "look at me").wait_for()
    me.page.locator(".messages li", has_text="look at me").get_by_role("button", name=name).click()
    me.page.get_by_role("dialog").get_by_role("button", name="Block").click()
    notice(me, "They are not told")
    shown(me, "look at me").wait_for(state="detached")
    me.page.locator(".people li", has_text=name).get_by_text("blocked by you").first.wait_for(state="attached")
    say(pest, "not heard")
    shown(pest, "not heard").wait_for()
    say(me, "the next message")
    shown(me, "the next message").wait_for()
    assert shown(me, "not heard").count() == 0
    me.go("/me")
    me.press(f"Unblock {name}")
    me.page.get_by_text("Nobody. You can block").wait_for()
    me.enter_lobby()
    say(pest, "heard again")
    shown(me, "heard again").wait_for()


def test_another_name_is_shown_in_the_lobby_also_where_the_old_one_stood(person):
    me, rude = person(), person()
    rude.go("/")
    room = rude.new_room("kulami")
    for each in (me, rude):
        each.enter_lobby()
    seated = rude.context.new_page()
    seated.goto(rude.server.url + room)
    seated.get_by_role("button", name="Sit down and play").click()
    before = name_of(rude)
    say(rude, "look at me")
    shown(me, "look at me").wait_for()
    me.page.locator("a.room", has_text=before).wait_for()
    renamed = rude.page.request.patch(f"{rude.server.url}/api/me", data={"name": "Quite Polite"}, headers={"Origin": rude.server.url})
    assert renamed.ok
    me.page.locator(".messages li", has_text="look at me").get_by_role("button", name="Quite Polite").wait_for()
    me.page.locator("a.room", has_text="Quite Polite").wait_for()
    me.page.get_by_text(before).first.wait_for(state="detached")


def test_a_report_reaches_the_operators_who_mute_and_ban_at_once(person, operator):
    me, pest, boss = person(), person(), person(storage_state=operator)
    for each in (me, pest):
        each.enter_lobby()
    name, id = name_of(pest), about(pest)["person"]["id"]
    say(pest, "something rude")
    me.page.locator(".messages li", has_text="something rude").get_by_role("button", name=name).click()
    me.press("Report this message…")
    me.page.get_by_label("What happened?").fill("out of the blue")
    me.press("Send to the operators")
    notice(me, "Thank you")
    boss.go("/operator")
    report = boss.page.locator(".report", has_text="out of the blue")
    report.get_by_text("something rude").first.wait_for()
    report.get_by_role("link", name="Look at this person").click()

    def act(verb, **fields):
        boss.press(verb)
        window = boss.page.get_by_role("dialog")
        for label, value in fields.items():
            window.get_by_label(label.replace("_", " ")).fill(value)
        window.get_by_label("Why?").fill("shouting")
        window.get_by_role("button", name=verb, exact=True).click()
        window.wait_for(state="detached")

    act("Mute")
    boss.page.locator(".state", has_text="muted until").wait_for()
    say(pest, "one more thing")
    notice(pest, "You can't speak for 60 more minutes.")
    act("Rename", New_name="Quiet Guest")
    pest.page.wait_for_function("() => document.querySelector('.head .mine .who')?.innerText === 'Quiet Guest'")
    act("Ban")
    pest.page.get_by_role("heading", name="You can't come in right now").wait_for()
    alert(pest, "You can't come in until")
    pest.page.reload()
    pest.page.get_by_role("heading", name="You can't come in right now").wait_for()
    boss.go("/operator/people")
    boss.page.get_by_label("Name, or a part of it").fill("quiet guest")
    boss.press("Find")
    boss.page.locator(f'a[href="/people/{id}"]').wait_for()
    soon(boss.page.locator("li", has_text="Quiet Guest").locator(".state").count, 2)
    boss.go("/operator")
    report.get_by_role("button", name="Close the report").click()
    boss.page.get_by_label("Why?").fill("banned")
    boss.page.get_by_role("dialog").get_by_role("button", name="Close the report").click()
    report.wait_for(state="detached")
    boss.go("/operator/log")
    done = boss.page.locator(".lines li b")
    soon(lambda: [line.split()[0] for line in done.all_inner_texts()][:4], ["Report", "Ban", "Rename", "Mute"])
    boss.page.locator(".lines li").nth(2).get_by_text(f"from “{name}” to “Quiet Guest”").wait_for()


def test_an_operator_closes_a_room_and_others_have_no_operators_page(person, operator):
    host, boss = person(), person(storage_state=operator)
    room = host.new_room("kulami")
    host.go(room)
    host.page.wait_for_selector(".seats .seat")
    boss.go(room)
    boss.page.get_by_role("tab", name="Settings").click()
    boss.page.get_by_role("button", name=re.compile("^Close this room")).click()
    boss.page.get_by_label("Why?").fill("rude room")
    boss.page.get_by_role("dialog").get_by_role("button", name="Close this room").click()
    for each in (host, boss):
        each.page.get_by_text("An operator has closed this room.").wait_for()
    host.go("/operator")
    alert(host, "This page is for operators")


def test_an_operator_is_not_offered_to_shut_themselves_out(person, operator):
    boss = person(storage_state=operator)
    boss.go(f"/people/{about(boss)['person']['id']}")
    words = WORDS["en"]["operator"]
    tools = boss.page.get_by_role("region", name=words["tools"])
    tools.get_by_role("button", name=words["rename"]).wait_for()
    assert tools.get_by_role("button").all_inner_texts() == [words["rename"], words["role_end"]]


def because(who, button, reason, window_button=None):
    """Press a button, say why in the window that opens, and do it."""
    who.press(button)
    window = who.page.get_by_role("dialog")
    window.get_by_label("Why?").fill(reason)
    assert violations(who) == []
    window.get_by_role("button", name=window_button or button, exact=True).click()
    window.wait_for(state="detached")


def test_what_concerns_an_operator_waits_for_a_second_one(browser, person, login_server, operator):
    boss, second = person(storage_state=operator), person(storage_state=made_operator(browser, login_server, "second@example.org"))
    third = person(storage_state=made_operator(browser, login_server, "third@example.org"))
    third_id, name = about(third)["person"]["id"], name_of(third)
    boss.go(f"/people/{third_id}")
    because(boss, "No operator any more", "left the club")
    notice(boss, "A second operator must agree.")
    assert about(third)["role"] == "operator"
    third.go("/operator/proposals")
    third.page.locator("li.card", has_text="left the club").wait_for()
    assert third.page.get_by_role("button", name="Agree", exact=True).count() == 0
    second.go("/operator/proposals")
    because(second, "Agree", "so I heard")
    second.page.get_by_text("Nothing waits for a second operator.").wait_for()
    assert about(third)["role"] is None
    second.go("/operator/log")
    line = second.page.locator("ol.lines li", has_text="left the club").first
    line.filter(has_text=f"Role {name} from “operator” to “no operator”").wait_for()
    line.filter(has_text=f"with {name_of(second)}").wait_for()


def test_whoever_is_banned_comes_back_neither_as_another_guest_nor_from_the_same_address_and_is_told_kindly(person, operator):
    there = {"extra_http_headers": {"X-Forwarded-For": "203.0.113.77"}}
    pest, boss = person(**there), person(storage_state=operator)
    pest.go("/lobby")
    boss.go(f"/people/{about(pest)['person']['id']}")
    boss.page.get_by_text("Came from").click()
    boss.page.get_by_text("203.0.113.77").first.wait_for()
    boss.press("Ban")
    boss.page.get_by_role("dialog").get_by_label("Also the addresses they came from").check()
    boss.page.get_by_role("dialog").get_by_label("For how long?").select_option("10080")
    boss.page.get_by_label("Why?").fill("spam")
    boss.page.get_by_role("dialog").get_by_role("button", name="Ban", exact=True).click()
    pest.page.get_by_role("heading", name="You can't come in right now").wait_for()
    for code in ("en", "ko", "ja", "zh"):
        again = person(locale=LOCALES[code], **there)  # another browser, without cookies
        again.page.get_by_role("heading", name=WORDS[code]["shut"]["title"]).wait_for()
        alert(again, "UTC")
        assert violations(again) == []
    boss.go("/operator/bans")
    line = boss.page.locator("ul.lines li", has_text="203.0.113.77")
    line.get_by_text("spam").wait_for()
    line.get_by_role("button", name="Lift the ban of 203.0.113.77/32").click()
    boss.page.get_by_label("Why?").fill("a mistake")
    boss.page.get_by_role("dialog").get_by_role("button", name="Lift", exact=True).click()
    line.get_by_role("button").wait_for(state="detached")
    line.filter(has_text="203.0.113.77/32 over").wait_for()
    boss.go("/operator/log")
    for lines, said in ((0, "Ban lifted Address 203.0.113.77/32"), (1, "Address 203.0.113.77/32 · 7 days")):
        boss.page.locator(".lines li").nth(lines).get_by_text(said).wait_for()
    again.page.reload()
    again.page.wait_for_selector(".head .mine .who")
