"""Two-factor login in a real browser, with Chromium's own virtual passkey device: set it up, log in with it, lose it, remove it."""

import base64
import json
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from accounts import PASSWORD, about, alert, notice, registered
from serving import PATIENT, ServerProcess
from visitors import PHONE, soon

from hanpan.server.people import totp

pytestmark = pytest.mark.slow
WORDS = {code: json.loads((Path(__file__).parents[2] / "web" / "src" / "words" / f"{code}.json").read_text("utf-8")) for code in ("en", "ko", "ja", "zh")}
LOCALES = {"en": "en-US", "ko": "ko-KR", "ja": "ja-JP", "zh": "zh-CN"}


@pytest.fixture(scope="module")
def login_server(tmp_path_factory):
    """A server at an address that has a name: passkeys belong to names."""
    running = ServerProcess(tmp_path_factory.mktemp("two_factor"), tries_per_hour=10_000, patience=PATIENT).start()
    running.url = running.url.replace("127.0.0.1", "localhost")
    yield running
    running.stop()


@pytest.fixture
def person(visitor, login_server):
    return lambda **context: visitor(at=login_server, **context)


def with_device(who):
    """Plug a virtual passkey device in, which knows its owner."""
    line = who.context.new_cdp_session(who.page)
    line.send("WebAuthn.enable")
    kind = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    return line, line.send("WebAuthn.addVirtualAuthenticator", {"options": kind | {"automaticPresenceSimulation": True}})["authenticatorId"]


def code(secret, steps=0):
    return totp.code_at(base64.b32decode(secret.replace(" ", "")), int(time.time()) // totp.SECONDS + steps)


def field(who, label, text):
    who.page.get_by_label(label, exact=True).fill(text)


def log_out(who):
    who.go("/me")
    who.press("Log out")
    who.page.get_by_text("You play as a guest").wait_for()


def by_password(who, email):
    who.go("/login")
    field(who, "E-mail", email)
    field(who, "Password", PASSWORD)
    who.press("Log in")
    who.page.get_by_role("heading", name="Two-factor login").wait_for()


def inside(who):
    """Until one is in, wherever that leads."""
    who.page.wait_for_function("() => !location.pathname.startsWith('/login')")
    assert about(who)["kind"] == "account"


def with_app(who, words=WORDS["en"]["second"]):
    """Set an authenticator app up: its secret and the recovery codes."""
    who.press(words["add_app"])
    secret = who.page.get_by_label(words["secret"], exact=True).input_value()
    soon(lambda: who.page.locator("canvas.qr").evaluate("(canvas) => canvas.width") > 20)
    field(who, words["first_code"], code(secret))
    who.press(words["confirm"])
    who.page.locator(".codes code").nth(9).wait_for()
    return secret, who.page.locator(".codes code").all_inner_texts()


def test_an_operator_is_led_to_two_factor_login_and_logs_in_with_every_part_of_it(person, login_server):
    me = person()
    registered(me, "boss@example.org")
    id = about(me)["person"]["id"]
    subprocess.run([Path(sys.executable).with_name("hanpan"), "operator", id, "--data", login_server.data], check=True, capture_output=True)
    me.go("/operator")
    alert(me, "Operators need two-factor login")
    me.page.get_by_role("link", name="Set it up in my account").click()
    me.page.get_by_role("heading", name="Two-factor login").wait_for()

    # an app: a wrong first code changes nothing
    me.press("Add an authenticator app")
    field(me, "Code from the app", "000000")
    me.press("Turn it on")
    alert(me, "This code is not right", me.page.get_by_role("dialog"))
    me.page.keyboard.press("Escape")
    me.page.get_by_role("dialog").wait_for(state="detached")
    secret, codes = with_app(me)
    assert len(set(codes)) == 10
    me.press("I have kept them")
    soon(me.page.get_by_text(codes[0]).count, 0)  # never shown again

    # a passkey, with a name of one's own
    with_device(me)
    me.press("Add a passkey")
    field(me, "What you call it", "My laptop")
    me.press("Go on")
    me.page.locator(".lines li", has_text="My laptop").wait_for()
    me.go("/operator")
    me.page.get_by_text("No reports here").wait_for()

    # in again: by the app, by the passkey after the password, by a recovery code, by the passkey alone
    log_out(me)
    by_password(me, "boss@example.org")
    assert about(me)["kind"] == "guest"
    field(me, "Code from the authenticator app", "000000")
    me.press("Log in")
    alert(me, "This code is not right")
    me.page.reload()  # the half-open login is still there
    field(me, "Code from the authenticator app", code(secret, 1))
    me.press("Log in")
    inside(me)
    assert about(me)["person"]["id"] == id
    log_out(me)
    by_password(me, "boss@example.org")
    me.press("Use a passkey")
    inside(me)
    log_out(me)
    by_password(me, "boss@example.org")
    me.press("I use a recovery code")
    field(me, "Recovery code", codes[3].upper())
    me.press("Log in")
    inside(me)
    log_out(me)
    me.go("/login")
    me.press("Log in with a passkey")
    inside(me)
    me.go("/me")
    me.page.locator(".lines li", has_text="Recovery codes").filter(has_text="9 left").wait_for()

    # later one has to show again that it is oneself, and an operator keeps one of them
    with sqlite3.connect(login_server.data / "hanpan.db", timeout=PATIENT) as database:
        database.execute("UPDATE session SET proved_at = 0")
    me.press("Remove My laptop")
    me.press("Yes, remove My laptop")
    me.page.get_by_role("dialog").get_by_role("heading", name="Is it you?").wait_for()
    assert me.page.get_by_role("dialog").get_by_label("Password").count() == 0  # a password does not prove it
    me.page.get_by_role("dialog").get_by_role("button", name="Use a passkey").click()
    me.page.locator(".lines li", has_text="My laptop").wait_for(state="detached")
    me.press("Remove Authenticator app")
    me.press("Yes, remove Authenticator app")
    notice(me, "An operator needs a second factor")


def test_a_passkey_that_is_not_shown_is_no_dead_end(person):
    me = person(**PHONE)
    registered(me, "shy@example.org")
    line, device = with_device(me)
    me.press("Add a passkey")
    field(me, "What you call it", "Phone")
    me.press("Go on")
    me.page.locator(".codes code").first.wait_for()
    me.press("I have kept them")
    line.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    log_out(me)
    me.go("/login")
    me.press("Log in with a passkey")
    alert(me, "No passkey was used")
    me.go("/login/second")
    alert(me, "took too long")
    assert about(me)["kind"] == "guest"


@pytest.mark.parametrize("language", ["ko", "ja", "zh"])
def test_it_speaks_every_language_and_nothing_is_too_wide(person, language):
    words = WORDS[language]
    me = person(locale=LOCALES[language], viewport={"width": 360, "height": 640})
    email = f"{language}@example.org"
    registered(me, email, words["account"]["logins"])
    for shown in (lambda: with_app(me, words["second"]), lambda: me.press(words["second"]["kept"])):
        shown()
        text = me.page.locator("main").inner_text() + " ".join(me.page.get_by_role("dialog").all_inner_texts())
        assert not [word for word in WORDS["en"]["second"].values() if len(word) > 8 and word in text]
        soon(lambda: me.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    me.press(words["account"]["log_out"])
    me.page.get_by_role("link", name=words["login"]["title"]).first.wait_for()
    me.go("/login")
    field(me, words["login"]["email"], email)
    field(me, words["login"]["password"], PASSWORD)
    me.press(words["login"]["go"])
    me.page.get_by_role("heading", name=words["second"]["title"]).wait_for()
    soon(lambda: me.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    assert not re.search(r"second\.\w|\{\w", me.page.locator("main").inner_text())
