"""Logging in, my account, restarts; and all pages of people and operators in four languages: in a real browser."""

import contextlib
import json
import re
import sqlite3
import time
from pathlib import Path

import pytest
from accounts import LOCALES, PASSWORD, SECRET, WORDS, about, alert, ask, coded, mailed, notice, played_alone, registered
from joserfc import jwt
from joserfc.jwk import OctKey
from test_accessible import violations
from test_games import friends
from test_survival import moved
from visitors import PHONE, Typist, mover_of, soon

pytestmark = pytest.mark.slow


# --- logging in ---


def test_a_guest_signs_up_by_mail_and_keeps_games_also_those_of_another_browser(person):
    me = person()
    games = [played_alone(me)]
    guest = about(me)["person"]["id"]
    me.page.get_by_role("button", name=re.compile("^You are")).click()
    me.page.get_by_role("link", name="Log in").click()
    me.page.get_by_role("link", name="Continue with Google").wait_for()
    me.page.get_by_role("link", name="Continue with club.example").wait_for()
    assert me.page.get_by_text("Facebook").count() == 0  # what is not set up is not offered
    me.press("I am new here")
    me.page.get_by_label("E-mail").fill("ann@example.org")
    me.press("Ask for a link")
    me.page.get_by_role("heading", name="This server sends no mail").wait_for()
    me.go(mailed(me.server, "ann@example.org"))
    me.page.get_by_label("Password (8 characters or more)").fill(PASSWORD)
    me.press("Save and log in")
    me.page.get_by_role("heading", name="Logins").wait_for()
    assert (about(me)["person"]["id"], about(me)["kind"]) == (guest, "account")
    me.go(mailed(me.server, "ann@example.org"))
    alert(me, "used already")

    other = person()
    games.append(played_alone(other))
    other.go("/login")
    other.page.get_by_label("E-mail").fill("ann@example.org")
    other.page.get_by_label("Password").fill("wrong horse")
    other.press("Log in")
    soon(other.page.get_by_role("alert").inner_text, "This address and password do not belong together.")
    other.page.get_by_label("Password").fill(PASSWORD)
    other.press("Log in")
    notice(other, "Welcome")
    assert about(other)["person"]["id"] == guest
    other.go(f"/people/{guest}")
    for game in games:
        other.page.locator(f'.past-game[href="/replay/{game}"]').wait_for()


def test_a_forgotten_password_is_replaced_and_everything_is_done_by_keyboard(person):
    me = person(kind=Typist)
    registered(me, "bob@example.org")
    me.press("Log out")
    notice(me, "You are logged out")
    assert about(me)["kind"] == "guest"
    me.go("/")
    me.tab_to("You are")
    me.page.keyboard.press("Enter")
    me.tab_to("Log in")
    me.page.keyboard.press("Enter")
    me.press("I forgot my password")
    me.page.get_by_role("heading", name="A new password").wait_for()
    me.page.keyboard.press("Shift+Tab")
    me._tab_until("document.activeElement.matches('input[type=email]')")
    me.page.keyboard.type("bob@example.org")
    me.page.keyboard.press("Enter")
    me.page.get_by_role("heading", name="This server sends no mail").wait_for()
    me.go(mailed(me.server, "bob@example.org", 2))
    me._tab_until("document.activeElement.matches('input[type=password]')")
    me.page.keyboard.type("another horse")
    me.page.keyboard.press("Enter")
    me.page.get_by_role("heading", name="Logins").wait_for()
    assert about(me)["kind"] == "account"


@pytest.mark.parametrize("language", LOCALES)
def test_without_a_mail_server_nobody_is_promised_a_mail_and_one_reads_whom_to_ask(person, visitor, language):
    words = WORDS[language]["login"]
    promises = [max(re.split(r"\{\w+\}", words[key]), key=len) for key in ("register_help", "reset_help", "mail", "sent", "sent_help")]
    for who, contact in ((person(locale=LOCALES[language]), "desk@club.example"), (visitor(locale=LOCALES[language]), words["operator"])):
        who.go("/login")
        for way in ("new", "forgotten"):
            who.press(words[way])
            who.page.get_by_text(words["no_mail_help"].replace("{who}", contact)).wait_for()
            assert not [promise for promise in promises if promise in who.page.inner_text("main")]
        who.page.get_by_label(words["email"]).fill("nobody@example.org")
        who.press(words["make_link"])
        who.page.get_by_role("heading", name=words["no_mail"]).wait_for()
        told = who.page.inner_text("main [role=status]")
        assert contact in told
        assert "nobody@example.org" in told
        assert not [promise for promise in promises if promise in who.page.inner_text("main")]
    who.page.route("**/api/logins", lambda route: route.fulfill(json=route.fetch().json() | {"mail": True}))
    who.go("/login")
    who.press(words["new"])
    who.page.get_by_text(words["register_help"]).wait_for()  # where mails are sent, it says so
    who.page.get_by_role("button", name=words["mail"]).wait_for()


def test_a_second_login_is_attached_and_the_first_removed(person):
    me = person()
    registered(me, "several@example.org")
    id = about(me)["person"]["id"]
    assert me.page.get_by_role("button", name=re.compile("^Remove")).count() == 0
    claims = {"sub": "user-1", "name": "Site Ann", "exp": int(time.time()) + 300, "aud": "hanpan"}
    me.go(f"/login/token?token={jwt.encode({'alg': 'HS256'}, claims, OctKey.import_key(SECRET))}")
    soon(lambda: me.page.inner_text("h1"), "Log in as Site Ann?")
    me.press("Log in")
    me.press("Remove E-mail")
    me.page.get_by_text("several@example.org").wait_for(state="detached")
    me.page.get_by_text("This is your only way in.").wait_for()
    mine = about(me)
    assert (mine["person"]["id"], [login["provider"] for login in mine["logins"]]) == (id, ["custom"])
    me.go("/login/token?token=nonsense")
    alert(me, "does not let you in")


def test_a_login_elsewhere_that_failed_says_why(person):
    me = person()
    me.go("/login?refused=login-refused&provider=Google")
    soon(me.page.get_by_role("alert").inner_text, "You did not let Google tell us who you are.")
    me.go("/login?refused=login-refused&provider=Your+bank")  # only words of the server's own are shown
    assert "bank" not in me.page.get_by_role("alert").inner_text()


def test_where_one_is_logged_in_is_seen_and_ended_at_once(person):
    me, other, third = person(), person(), person()
    registered(me, "everywhere@example.org")
    account = about(me)["person"]["id"]
    ask(me, "PATCH", "/api/me", name="Everywhere Ann")
    for each in (other, third):
        each.go("/login")
        each.page.get_by_label("E-mail").fill("everywhere@example.org")
        each.page.get_by_label("Password").fill(PASSWORD)
        each.press("Log in")
        notice(each, "Welcome")
    me.go("/me")
    sessions = me.page.get_by_role("region", name="Where you are logged in").get_by_role("listitem")
    sessions.nth(2).wait_for()
    soon(sessions.filter(has_text="this browser").count, 1)
    assert all("Chrome · Linux" in line and "127.0.0.*" in line for line in sessions.all_inner_texts())
    sessions.filter(has_not_text="this browser").first.get_by_role("button").click()
    notice(me, "is logged out")
    sessions.nth(2).wait_for(state="detached")
    me.press("Log out everywhere else")
    me.page.get_by_text("Only here.").wait_for()
    for each in (other, third):
        each.page.wait_for_function("() => (document.querySelector('.head .mine .who')?.innerText ?? 'Everywhere Ann') !== 'Everywhere Ann'")
        assert about(each)["person"]["id"] != account
    assert about(me)["person"]["id"] == account
    me.press("Log out")
    me.page.wait_for_function("() => (document.querySelector('.head .mine .who')?.innerText ?? 'Everywhere Ann') !== 'Everywhere Ann'")


def test_an_old_session_is_asked_who_it_is_and_then_goes_on(person):
    me = person()
    registered(me, "again@example.org")

    def grow_old():
        with contextlib.closing(sqlite3.connect(me.server.data / "hanpan.db", timeout=60)) as database, database:
            database.execute("UPDATE session SET proved_at = 1")

    def make(name):
        me.page.get_by_label("Name of the bot").fill(name)
        me.press("Create a bot")

    grow_old()
    make("Deep Fox")
    dialog = me.page.get_by_role("dialog", name="Is it you?")
    dialog.get_by_label("Password").fill("a guess")
    dialog.get_by_role("button", name="Go on").click()
    soon(dialog.get_by_role("alert").inner_text, "That is not right. Please try again.")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Go on").click()
    me.page.get_by_label("Token of Deep Fox").wait_for()
    soon(dialog.count, 0)
    me.press("I have saved it")
    grow_old()
    me.press("Delete Deep Fox")
    me.press("Yes, delete Deep Fox")
    dialog.get_by_role("button", name="Mail me a code instead").click()
    dialog.get_by_label("Code from the mail").fill(coded(me.server, "again@example.org"))
    dialog.get_by_role("button", name="Go on").click()  # the only one by then
    me.page.get_by_text("You have no bots yet.").wait_for()
    grow_old()
    make("Never")
    dialog.wait_for()
    me.page.keyboard.press("Escape")
    notice(me, "show once more that it is you")
    assert about(me)["bots"] == []


def test_windows_beside_the_one_that_logs_in_go_on_as_the_account(person):
    me = person()
    beside = me.context.new_page()
    beside.goto(me.server.url + "/lobby")
    beside.wait_for_selector(".people li")
    registered(me, "window@example.org")
    id = about(me)["person"]["id"]
    beside.get_by_role("button", name=re.compile("^You are")).click()
    beside.get_by_role("button", name="Log out").wait_for()
    beside.keyboard.press("Escape")
    beside.get_by_label("Write a message").first.fill("still me")
    beside.get_by_label("Write a message").first.press("Enter")
    beside.locator(".messages .own .msg", has_text="still me").wait_for()
    assert about(me)["person"]["id"] == id


# --- my account ---


def test_bots_are_made_marked_and_deleted_and_data_taken_along(person):
    me = person()
    registered(me, "maker@example.org")
    me.page.get_by_label("Name of the bot").fill("Deep Fox")
    me.page.get_by_role("group", name="What its token may do").get_by_role("checkbox", name="Create rooms").check()
    me.press("Create a bot")
    token = me.page.get_by_label("Token of Deep Fox").input_value()
    assert token.startswith("bot_")
    me.page.locator(".lines li", has_text="Deep Fox").get_by_text("Play · Create rooms").wait_for()
    me.press("New token for Deep Fox")
    may = me.page.get_by_role("group", name="What Deep Fox's new token may do")
    may.get_by_role("checkbox", name="Create rooms").uncheck()
    may.get_by_role("checkbox", name="Speak").check()
    assert violations(me) == []
    me.press("Make the new token")
    me.page.locator(".lines li", has_text="Deep Fox").get_by_text("Play · Speak").wait_for()
    me.page.wait_for_function("(old) => (document.querySelector('.given input')?.value ?? old) !== old", arg=token)
    me.press("I have saved it")
    bot = about(me)["bots"][0]["id"]
    me.go(f"/people/{bot}")
    me.page.locator("h1", has_text="Deep Fox").get_by_text("bot", exact=True).wait_for()
    me.go("/me")
    with me.page.expect_download() as saving:
        me.page.get_by_role("link", name="Download my data").click()
    assert json.loads(saving.value.path().read_text("utf-8"))["logins"][0]["email"] == "maker@example.org"
    me.press("Delete Deep Fox")
    me.press("Yes, delete Deep Fox")
    me.page.get_by_text("You have no bots yet.").wait_for()


def test_an_account_is_deleted_only_by_its_name(person):
    me = person(**PHONE)
    registered(me, "gone@example.org")
    me.page.get_by_label("Your name").fill("Leaving Ann")
    me.press("Use this name")
    notice(me, "You are Leaving Ann now.")
    before = about(me)["person"]
    me.press("Delete my account")
    yes = me.page.get_by_role("button", name="Delete everything")
    me.page.get_by_role("region", name="My data").get_by_label("Your name", exact=True).fill("someone else")
    soon(yes.is_disabled)
    me.page.get_by_role("region", name="My data").get_by_label("Your name", exact=True).fill(before["name"])
    yes.click()
    notice(me, "Your account is deleted")
    assert about(me)["person"]["id"] != before["id"]


# --- restarts, addresses, languages, everyone ---


def test_a_restart_is_told_quietly_and_play_goes_on(visitor, login_server):
    people = friends(visitor, "kulami", [{"at": login_server}, {"at": login_server}])
    assert mover_of(people) is people[0]
    moved(people[0], 0)
    assert mover_of(people) is people[1]
    login_server.stop()
    for each in people:
        each.page.locator(".lost-line", has_text="The server is restarting.").wait_for()
    login_server.start()
    for each in people:
        each.page.wait_for_selector(".lost-line", state="detached")
        each.page.wait_for_selector(".board-host:not(.stale)")
    assert mover_of(people) is people[1]
    moved(people[1], 0)
    people[0].wait_for_ply(2)


@pytest.mark.parametrize("code", WORDS)
def test_every_key_screen_in_every_language(person, operator, code):
    words = WORDS[code]
    me, boss = person(locale=LOCALES[code]), person(locale=LOCALES[code], storage_state=operator)
    for path, title in (("/login", words["login"]["title"]), ("/me", words["account"]["title"]), ("/nonsense", words["lost"]["title"])):
        me.go(path)
        me.page.locator("h1", has_text=title).wait_for()
    me.go("/login")
    me.page.get_by_label(words["login"]["email"]).fill(f"nobody-{code}@example.org")
    me.page.get_by_label(words["login"]["password"]).fill("whatever it is")
    me.page.locator("form button[type=submit]").click()
    refused = json.loads((Path(__file__).parents[2] / "src" / "hanpan" / "words" / f"{code}.json").read_text("utf-8"))["server"]["wrong-login"]
    soon(me.page.get_by_role("alert").inner_text, refused)
    me.go("/login/password?ticket=invented")
    soon(lambda: me.page.inner_text("h1"), words["login"]["failed"])
    me.go(f"/people/{about(boss)['person']['id']}")
    me.page.get_by_text(words["person"]["no_games_theirs"]).wait_for()
    me.press(words["safety"]["report"])
    me.page.get_by_role("dialog").get_by_text(words["safety"]["what"]).wait_for()
    boss.go(f"/people/{about(me)['person']['id']}")
    boss.press(words["operator"]["mute"])
    boss.page.get_by_role("dialog").get_by_text(words["operator"]["mute_help"]).wait_for()
    boss.page.keyboard.press("Escape")
    boss.go("/operator")
    for part in ("people", "rooms", "bans", "proposals", "log"):
        boss.page.get_by_role("navigation", name=words["operator"]["title"]).get_by_role("link", name=words["operator"][part], exact=True).click()
        boss.page.locator(f'a[aria-current][href="/operator/{part}"]').wait_for()
    if code != "en":
        english = {word for section in ("login", "account", "operator") for word in WORDS["en"][section].values() if len(word) > 8}
        assert not [word for word in english if word in me.page.inner_text("main") + boss.page.inner_text("main")]


def test_nothing_serious_is_wrong_for_anyone_and_nothing_is_too_wide(person, operator):
    """By day and by night."""
    me, boss = person(**PHONE), person(storage_state=operator)
    screens = [(me, "/login"), (me, "/me"), (me, "/login/password?ticket=x")]
    screens += [(boss, path) for path in ("/me", "/operator", "/operator/log", f"/people/{about(me)['person']['id']}")]
    for who, path in screens:
        who.go(path)
        who.page.wait_for_selector("main:not([aria-busy=true])")
        assert violations(who) == [], path
        soon(lambda who=who: who.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    for verb in ("Ban", "Report…"):
        boss.press(verb)
        boss.page.wait_for_selector("dialog[open]")
        assert violations(boss) == [], verb
        boss.page.keyboard.press("Escape")
        boss.page.wait_for_selector("dialog", state="detached")
