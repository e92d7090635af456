"""The rules are shown, not only told; and every page's window says what it shows."""

import pytest
from visitors import soon, title

TITLES = {
    "/": "Board games, ready to play", "/lobby": "Lobby", "/watch": "Games to watch", "/learn": "Rules", "/learn/kulami": "Rules of Kulami",
    "/best/wallgo": "Leaderboards · Wall Go", "/replay": "Look at a record", "/login": "Log in", "/me": "My account", "/nowhere": "Nothing is here",
}  # fmt: skip


def test_every_window_is_called_by_what_it_shows(visitor):
    person = visitor()
    for path, shown in TITLES.items():
        person.go(path)
        if path == "/nowhere":
            person.page.wait_for_selector("main:not([aria-busy])")
            shown = person.page.inner_text("h1")
        person.page.wait_for_function("(title) => document.title === title", arg=f"{shown} · Hanpan")
    person.go("/login")
    for button, shown in (("I am new here", "Sign up by e-mail"), ("I forgot my password", "A new password"), ("I have an account", "Log in")):
        person.page.get_by_role("button", name=button).click()
        person.page.wait_for_function("(title) => document.title === title", arg=f"{shown} · Hanpan")
    for path in ("/login/password?ticket=x", "/login/token?token=x"):
        person.go(path)
        person.page.wait_for_function("() => document.title === `${document.querySelector('h1')?.innerText} · Hanpan`")
    person.go("/")
    person.start("tictactoe", "Against the computer")
    person.page.wait_for_function("() => document.title === '● Your turn · Tic-tac-toe · Sprout · Hanpan'")
    name = person.page.inner_text(".head .mine .who")
    person.page.evaluate("history.back()")
    person.page.wait_for_function("() => document.title === 'Board games, ready to play · Hanpan'")
    me = person.page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.id)")
    person.go(f"/people/{me}")
    person.page.wait_for_function("(title) => document.title === title", arg=f"{name} · Hanpan")


@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
def test_pictures_stand_inside_the_rules_and_the_demo_is_told(visitor, locale):
    person = visitor(locale=locale)
    person.go("/learn/puoribor")
    person.page.wait_for_selector(".rules figure .board .piece >> nth=0", state="attached")
    figures = person.page.locator(".rules figure")
    soon(figures.count, 3)
    for figure in figures.all():
        soon(lambda figure=figure: figure.locator(".piece").count() >= 2)
        soon(lambda figure=figure: figure.locator("[role=img]").get_attribute("aria-label") == figure.locator("figcaption").inner_text())
    told, at = {person.page.inner_text(".told-here")}, person.page.get_by_role("slider")
    for step in range(1, 8):
        person.page.locator(".steps button").nth(3).click()
        soon(at.input_value, str(step))
        told.add(person.page.inner_text(".told-here"))
    assert len(told) == 3  # at the beginning, the first step, the first wall
    assert all(told)
    if locale == "en-US":
        assert "Vermilion builds the first wall. It bars the straight way up." in told
        soon(lambda: title("puoribor") in person.page.title())
