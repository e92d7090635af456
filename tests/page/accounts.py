"""What the tests of accounts share: mails read from the server's log, accounts without the pages for them, and talk in the lobby."""

import base64
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import hanpan_cli
from serving import PATIENT
from visitors import Visitor, soon

from hanpan.server.people import totp

PASSWORD = "correct horse"
SECRET = "a shared secret with more than 32 letters in it"
WORDS = {code: json.loads((Path(__file__).parents[2] / "web" / "src" / "words" / f"{code}.json").read_text("utf-8")) for code in ("en", "ko", "ja", "zh")}
LOCALES = {"en": "en-US", "ko": "ko-KR", "ja": "ja-JP", "zh": "zh-CN"}


def mailed(server, email, number=1, what=r"/login/password\S+(?=\n)"):
    """The link in the newest mail to someone, when so many have been sent."""
    for _ in range(PATIENT * 20):
        mails = (server.data / "log").read_text("utf-8").split("\nTo: ")[1:]
        found = [found.group() for mail in mails if mail.startswith(email) and (found := re.search(what, mail))]
        if len(found) >= number:
            return found[-1]
        time.sleep(0.05)
    raise AssertionError(f"no mail for {email}")


def coded(server, email):
    """The code in the newest mail to someone with one."""
    return mailed(server, email, what=r"(?<=\n)[a-z0-9]{6}(?=\n)")


def ask(who, method, path, **body):
    who.be_someone()
    answer = who.context.request.fetch(who.server.url + path, method=method, data=body or None)
    assert answer.ok, (path, answer.status, answer.text())
    return json.loads(answer.text())


def about(who):
    return ask(who, "GET", "/api/me")


def registered(who, email, heading="Logins"):
    """Give someone an account, without looking at the pages for it."""
    ask(who, "POST", "/api/login/email/register", email=email)
    ticket = re.search(r"ticket=([\w-]+)", mailed(who.server, email)).group(1)
    ask(who, "POST", "/api/login/email/password", ticket=ticket, password=PASSWORD)
    who.go("/me")
    who.page.get_by_role("heading", name=heading).wait_for()


def with_second_factor(who):
    """Set an authenticator app up, without looking at the page for it."""
    begun = ask(who, "POST", "/api/me/second/totp/begin")
    code = totp.code_at(base64.b32decode(begun["secret"]), int(time.time()) // totp.SECONDS)
    ask(who, "POST", "/api/me/second/totp", ticket=begun["ticket"], code=code)


def made_operator(browser, login_server, email):
    """The cookies of an operator's browser."""
    boss = Visitor(browser, login_server)
    registered(boss, email)
    with ThreadPoolExecutor(1) as apart:  # the browser's own loop runs in this thread
        assert apart.submit(hanpan_cli, "operator", about(boss)["person"]["id"], "--data", str(login_server.data)).result().returncode == 0
    with_second_factor(boss)  # operators need one
    state = boss.context.storage_state()
    boss.leave()
    return state


def name_of(who):
    soon(lambda: who.page.inner_text(".head .mine .who") == about(who)["person"]["name"])
    return who.page.inner_text(".head .mine .who")


def played_alone(who):
    """A short game at one screen."""
    who.go("/")
    who.start("tictactoe", "Two at one screen")
    who.page.wait_for_selector(".board-frame[data-game]")
    game = who.game_id()
    who.press("Resign")
    who.press("Yes, resign")
    who.page.wait_for_selector(".result h2")
    return game


def say(who, text):
    who.page.get_by_label("Write a message").first.fill(text)
    who.page.get_by_label("Write a message").first.press("Enter")


def shown(who, text):
    return who.page.locator(".messages .msg", has_text=text)


def notice(who, text):
    who.heard(text)


def alert(who, text, within=None):
    """What is wrong is said, now or soon."""
    (within or who.page).get_by_role("alert").get_by_text(text).first.wait_for()
