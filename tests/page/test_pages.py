"""The pages around the boards: front, lobby, watch, rules, replay, leaderboards, people."""

import json
import re

import pytest
from accounts import about, registered
from test_accessible import violations
from test_games import friends
from visitors import NO_CLOCK, PHONE, beside, mover_of, play_to_the_end, soon, title

import hanpan
from hanpan.client import Client

pytestmark = pytest.mark.slow
SMALL = """() => [...document.querySelectorAll("main button, main a, main select, main summary, main input:not([type=radio], [type=checkbox])")]
    .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 39.5 && !e.closest(".rules")).map((e) => e.outerHTML.slice(0, 120))"""
PATHS = ("/", "/lobby", "/watch", "/learn", "/learn/goita", "/replay", "/replay/nosuch", "/best", "/best/kulami", "/people/nosuch")


def finished(visitor):
    """Two people who have just ended a game of tic-tac-toe, and its id."""
    people = friends(visitor, "tictactoe", [{}, {}])
    for action in ("a1", "b2"):
        mover = mover_of(people)
        mover.play(action, mover.view())
    mover_of(people)
    id = people[0].game_id()
    people[0].press("Resign")
    people[0].press("Yes, resign")
    people[0].page.wait_for_selector(".result h2")
    return people, id


# --- front ---


def test_every_game_has_a_card_also_one_from_outside(visitor):
    person = visitor()
    for name in hanpan.games():
        card = person.page.locator(".game", has=person.page.get_by_role("radio", name=title(name), exact=True))
        card.locator(".board").wait_for()
        card.get_by_role("radio").check()
        person.page.locator(".begin-what", has_text=hanpan.game(name).book.say(hanpan.core.words.Phrase("tagline"))).wait_for()


def test_two_strangers_meet_by_quick_match(visitor):
    one, other, third = visitor(), visitor(), visitor()
    for person in (third, one, other):
        person.page.get_by_role("radio", name="Kulami", exact=True).check()
    third.press("Find an opponent")
    third.page.locator(".waiting").wait_for()
    third.press("Stop waiting")
    third.page.locator(".waiting").wait_for(state="detached")
    one.press("Find an opponent")
    one.page.locator(".waiting").wait_for()
    other.press("Find an opponent")
    for person in (one, other):
        person.page.wait_for_selector(".board-frame[data-game]")
    soon(lambda: one.room == other.room)
    assert third.room == "/"


def test_two_play_at_one_screen_with_the_options_they_chose(visitor):
    person = visitor()
    person.page.get_by_role("radio", name="Wall Go", exact=True).check()
    person.page.get_by_text("Options of the game").click()
    person.page.get_by_label("Board size").select_option("5")
    person.start("wallgo", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    assert person.record()[0]["options"]["size"] == 5
    person.go("/")
    person.page.get_by_role("radio", name="Wall Go", exact=True).check()
    person.page.get_by_text("Options of the game").click()
    person.page.get_by_label("Players").select_option("3")
    person.page.get_by_role("heading", name="Two at one screen").wait_for(state="detached")


def test_languages_are_at_the_foot_of_the_front_page(visitor):
    person = visitor()
    seen = [person.page.inner_text("h1")]
    for tongue, code in (("한국어", "ko"), ("日本語", "ja"), ("中文", "zh-Hans")):
        person.press(tongue)
        person.page.wait_for_function("(seen) => !seen.includes(document.querySelector('h1')?.innerText ?? seen[0])", arg=seen)
        seen.append(person.page.inner_text("h1"))
        soon(lambda: person.page.evaluate("document.documentElement.lang"), code)
    person.press("English")
    person.page.wait_for_function("(first) => document.querySelector('h1')?.innerText === first", arg=seen[0])


# --- lobby ---


def test_a_room_is_made_in_the_lobby_and_found_there(visitor):
    host, guest = visitor(), visitor()
    host.go("/lobby")
    guest.go("/lobby")
    host.page.get_by_role("button", name="Create a room").first.click()
    form = host.page.get_by_role("dialog")
    form.get_by_label("Game").first.select_option("kulami")
    form.get_by_label("Password").fill("sesame")
    form.get_by_role("button", name="Create this room").click()
    host.page.wait_for_selector(".room-page .seats .seat")
    line = guest.page.locator(f'.room[href$="{host.room}"]')
    line.filter(has_text="Needs a password").filter(has_text="Free seats: 2").wait_for()
    line.click()
    guest.page.get_by_label("Password").fill("simsalabim")
    guest.press("Enter")
    soon(guest.page.get_by_role("alert").inner_text, "The password is not right.")


def test_a_full_room_is_marked(visitor):
    host, guest, third = visitor(), visitor(), visitor()
    third.go("/lobby")
    room = host.new_room("tictactoe")
    for person in (host, guest):
        person.go(room)
        person.page.get_by_role("button", name="Sit down and play").wait_for()
    host.press("Sit down and play")
    line = third.page.locator(f'.room[href$="{room}"]')
    line.get_by_text("Free seats: 1").wait_for()
    guest.press("Sit down and play")
    line.get_by_text("being played").wait_for()
    third.page.get_by_label("Only with a free seat").check()
    line.wait_for(state="detached")


def test_a_room_is_entered_by_its_id_or_link(visitor):
    host, guest = visitor(), visitor()
    room = host.new_room("kulami")
    host.go(room)
    for text in (room.removeprefix("/r/"), f"https://somewhere.example{room}?x=1"):
        guest.go("/lobby")
        guest.page.get_by_label("Room ID or link").fill(text)
        guest.press("Go in")
        guest.page.wait_for_selector(".room-page .seats .seat")
        soon(lambda: guest.room, room)


@pytest.mark.parametrize("context", [{}, {"viewport": {"width": 820, "height": 1180}}, PHONE], ids=["desk", "tablet", "phone"])
def test_people_talk_write_and_invite_in_the_lobby(visitor, context):
    one, other = visitor(**context), visitor(**context)
    for person in (one, other):
        person.enter_lobby()
        person.page.wait_for_function("() => document.querySelector('.head .mine .who')")
    tabs = one.page.get_by_role("tab").count() > 0

    def open_tab(person, name):
        if tabs:
            person.page.get_by_role("tab", name=name).click()

    nasty = "<b>hello</b> all"
    for person in (one, other):
        open_tab(person, "Chat")
    one.page.get_by_label("Write a message").first.fill(nasty)
    one.page.get_by_label("Write a message").first.press("Enter")
    other.page.locator(".messages .msg", has_text=nasty).wait_for()
    for person in (one, other):
        open_tab(person, "People")
    mine = one.page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.name)")
    theirs = other.page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.name)")
    one.press(f"What to do with {theirs}")
    one.page.get_by_role("group", name=f"What to do with {theirs}").get_by_role("button", name="Write a message").click()
    one.page.locator(".talk").get_by_label("Write a message").fill("just you")
    one.page.locator(".talk").get_by_label("Write a message").press("Enter")
    one.page.locator(".talk .msg", has_text="just you").wait_for()
    other.page.get_by_role("button", name=f"1 unread from {mine}").click()
    other.page.locator(".talk .msg", has_text="just you").wait_for()
    other.press("Back to everyone")
    soon(other.page.get_by_role("button", name=re.compile("unread")).count, 0)
    other.press(f"What to do with {mine}")
    other.page.get_by_label("Invite to a game").select_option("kulami")
    one.press("Go there")
    one.page.wait_for_selector(".room-page .seats .seat")
    other.page.wait_for_function("(path) => location.pathname === path", arg=one.room)


def test_an_invitation_has_gone_once_one_is_in_the_room_whichever_way_one_came(visitor):
    host, invited = visitor(), visitor()
    room = host.new_room("kulami")
    invited.enter_lobby()
    host.go(room)
    host.page.get_by_role("tab", name="People").click()
    name = invited.page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.name)")
    host.press(f"Invite {name}")
    invited.page.locator(".invitation").wait_for()
    invited.page.locator(f'a[href="{room}"]').first.click()
    invited.page.wait_for_selector(".room-page .seats .seat")
    invited.shows(0, ".invitation")


def test_whoever_declines_an_invitation_by_keyboard_goes_on_at_the_pages_heading(visitor):
    host, invited = visitor(), visitor()
    host.go(host.new_room("kulami"))
    invited.enter_lobby()
    host.page.get_by_role("tab", name="People").click()
    name = invited.page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.name)")
    host.press(f"Invite {name}")
    invited.page.locator(".invitation").wait_for()
    invited.page.keyboard.press("Tab")
    invited.page.get_by_role("button", name="Not now").focus()
    invited.page.keyboard.press("Enter")
    invited.shows(0, ".invitation")
    soon(lambda: invited.page.evaluate("() => document.activeElement.tagName"), "H1")


# --- watch ---


def test_a_game_in_progress_is_watched_live(visitor):
    people = friends(visitor, "kulami", [{}, {}])
    watcher = visitor()
    watcher.go("/watch")
    card = watcher.page.locator(f'.watched[href$="{people[0].room}"]')
    card.locator(".board").wait_for()
    assert card.locator(".piece.marble").count() == 0
    mover = mover_of(people)
    view = mover.view()
    mover.play(view.legal()[0], view)
    card.locator(".piece.marble").wait_for()
    card.click()
    watcher.page.wait_for_selector(".room-page .board-frame[data-game]")


async def at_a_table(game, *people, bot=False, **settings):
    """A room where these people have begun a game (the last seat is a computer player's)."""
    first = await people[0].new_room(game, settings={"time": NO_CLOCK} | settings)
    rooms = [first, *[await person.enter(first.id) for person in people[1:]]]
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
    if bot:
        await first.call("seat bot", seat=len(rooms), level=1)
    for room in rooms:
        await room.call("set ready")
    for room in rooms:
        await room.until(lambda room=room: bool(room.board) and not room.board["over"])
    return rooms


def test_what_is_worth_watching_comes_first(visitor, own_server):
    """People before computers, then where many look on, then the strong, then the newest; and the order follows the evening."""
    watcher = visitor(at=own_server)
    people = [Client(own_server.url) for _ in range(4)]

    async def an_evening():
        for person in people:
            await person.open()
        ann, bob, cho, dai = people
        decided = await at_a_table("tictactoe", ann, bob, rated=True)
        for ply, action in enumerate(("a1", "a2", "b1", "b2", "c1")):
            await decided[ply % 2].until(lambda room=decided[ply % 2], ply=ply: room.ply == ply)
            await decided[ply % 2].play(action)
        await decided[0].until(lambda: decided[0].board["over"])  # now Ann is rated higher than those who have not played, and Bob lower
        strong, watched = await at_a_table("tictactoe", ann, cho), await at_a_table("tictactoe", bob, dai)
        old, new = await at_a_table("tictactoe", cho, dai), await at_a_table("tictactoe", cho, dai)
        alone = await at_a_table("tictactoe", ann, bot=True)
        await cho.enter(watched[0].id)
        return {"strong": strong, "watched": watched, "old": old, "new": new, "alone": alone}

    with beside() as do:
        rooms = do(an_evening())
        called = {f"/r/{room[0].id}": name for name, room in rooms.items()}
        watcher.go("/watch")

        def order(*names):
            shown = "() => [...document.querySelectorAll('.watched')].map((card) => new URL(card.href).pathname).join()"
            wanted = ",".join(path for name in names for path, other in called.items() if other == name)
            watcher.page.wait_for_function(f"(wanted) => ({shown})() === wanted", arg=wanted)

        order("watched", "strong", "new", "old", "alone")
        for person in people[:2]:
            do(person.enter(rooms["old"][0].id))
        order("old", "watched", "strong", "new", "alone")
        for person in people:
            do(person.__aexit__(None, None, None))


# --- rules ---


@pytest.mark.parametrize(("locale", "tongue"), [("en-US", "en"), ("ko-KR", "ko"), ("ja-JP", "ja"), ("zh-CN", "zh")])
def test_every_rules_page_is_shown_in_every_language(visitor, locale, tongue):
    person = visitor(locale=locale)
    for game in hanpan.games():
        person.go(f"/learn/{game}")
        person.page.locator("article.rules p").first.wait_for()
        book = hanpan.game(game).book
        soon(person.page.locator("h1").all_inner_texts, [book.say(hanpan.core.words.Phrase("name"), tongue)])
        person.page.locator(".player .board").wait_for()


def test_the_rules_lead_to_a_try(visitor):
    person = visitor()
    person.go("/learn/tictactoe")
    person.press("Try it against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")


# --- replay ---


def test_a_finished_game_is_gone_through_by_keyboard_slider_and_moves(visitor):
    people, id = finished(visitor)
    person = people[1]
    person.go(f"/replay/{id}")
    person.page.wait_for_selector(".replay .told")
    person.shows(0, ".replay .piece")
    person.page.keyboard.press("ArrowRight")
    person.page.wait_for_function("() => document.querySelectorAll('.replay .piece').length === 1")
    person.page.keyboard.press("End")
    person.page.wait_for_function("() => document.querySelectorAll('.replay .piece').length === 2")
    person.page.get_by_role("slider", name="Move").fill("0")
    person.page.wait_for_function("() => document.querySelectorAll('.replay .piece').length === 0")
    person.page.get_by_role("list", name="Moves so far").get_by_role("button").first.click()
    person.page.wait_for_function("() => document.querySelectorAll('.replay .piece').length === 1")
    person.press("Play through")
    person.page.wait_for_function("() => document.querySelectorAll('.replay .piece').length === 2")
    person.page.locator(".replay-about", has_text="won").wait_for()


def test_a_record_is_saved_and_shown_again(visitor, tmp_path):
    people, id = finished(visitor)
    person = people[0]
    person.go(f"/replay/{id}")
    for name, kind in (("Record (JSON)", "json"), ("Record (text)", "txt")):
        person.go(f"/replay/{id}")
        with person.page.expect_download() as saving:
            person.page.get_by_role("link", name=name).click()
        path = tmp_path / f"record.{kind}"
        saving.value.save_as(path)
        assert saving.value.suggested_filename.endswith(kind)
        person.go("/replay")
        person.page.get_by_label("Choose a file").set_input_files(path)
        person.page.wait_for_selector(".replay .told")
        person.page.locator(".replay-about", has_text="resigned.").wait_for()  # a record keeps how it ended
        soon(lambda: [text.split()[-1] for text in person.page.locator(".told li").all_inner_texts()], ["a1", "b2"])
    person.press("Another record")
    person.page.get_by_label("Or paste the record").fill(json.dumps({"hanpan": 1, "game": "tictactoe", "options": {}, "actions": ["a1", "a1"]}))
    person.press("Show it")
    person.page.get_by_role("alert").get_by_text("ply 2").wait_for()


def test_what_is_wrong_with_a_record_is_said_in_the_readers_language(visitor):
    for locale, shown in (("ko-KR", "2번째 수 'a1': "), ("ja-JP", "2手目 'a1'："), ("zh-CN", "第 2 手 'a1'：")):
        person = visitor(locale=locale)
        person.go("/replay")
        person.page.locator("textarea").fill(json.dumps({"hanpan": 1, "game": "tictactoe", "options": {}, "actions": ["a1", "a1"]}))
        person.page.locator("form button[type=submit]").first.click()
        person.page.get_by_role("alert").get_by_text(shown).wait_for()


def test_someones_games_and_the_best_of_a_game(visitor):
    people = friends(visitor, "tictactoe", [{}, {}])
    first = mover_of(people)
    people.sort(key=lambda person: person is not first)
    winner, id = people[0], people[0].game_id()
    moves = iter(("a1", "a2", "b1", "b2", "c1"))
    play_to_the_end(people, lambda view: next(moves))
    who = about(winner)["person"]
    winner.go("/best/tictactoe")
    winner.page.get_by_role("link", name="Guests have a rating, too. Log in to take your place here.").wait_for()
    assert winner.page.locator(f'table.best a[href="/people/{who["id"]}"]').count() == 0
    registered(winner, "winner@example.org")
    winner.go("/best/tictactoe")
    winner.page.locator("table.best a", has_text=who["name"]).first.wait_for()
    winner.page.locator(f'table.best a[href="/people/{who["id"]}"]').click()
    winner.page.locator("svg.graph").wait_for()
    winner.page.locator(f'.past-game[href="/replay/{id}"]', has_text="Won").click()
    winner.page.wait_for_selector(".replay .told")


def test_a_game_that_was_too_short_says_that_it_did_not_count(visitor):
    people, id = finished(visitor)
    for person in people:
        person.page.get_by_text("Too short to count: your rating stays as it is.").wait_for()
    people[1].go(f"/people/{about(people[1])['person']['id']}")
    people[1].page.locator(f'.past-game[href="/replay/{id}"]', has_text="did not count").wait_for()


# --- everywhere ---


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
def test_no_serious_violation_anywhere(visitor, context):
    person = visitor(**context)
    friends(visitor, "kulami", [{}, {}])
    people, id = finished(visitor)
    who = people[0].page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.id)")
    for path in (*PATHS, f"/replay/{id}", f"/people/{who}", "/r/nosuch", "/no/such/page"):
        person.go(path)
        person.page.wait_for_selector("main:not([aria-busy])")
        assert violations(person) == [], path
    person.go("/lobby")
    person.page.get_by_role("button", name="Create a room").first.click()
    person.page.wait_for_selector("dialog[open]")
    assert violations(person) == []


def test_on_a_phone_nothing_is_magnified_by_writing_or_by_pressing_a_button_quickly(visitor):
    """Browsers do that around fields that are written smaller than this, and where one taps twice."""
    person = visitor(**PHONE)
    for path in PATHS:
        person.go(path)
        person.page.wait_for_selector("main:not([aria-busy])")
        assert (
            min(person.page.eval_on_selector_all("input, select, textarea", "(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize))") or [16]) >= 16
        )
        assert set(person.page.eval_on_selector_all("button", "(all) => all.map((e) => getComputedStyle(e).touchAction)")) == {"manipulation"}


@pytest.mark.parametrize("windows", [[(360, 900), (820, 900)], [(1440, 900), (2560, 1440), (3840, 2160)]], ids=["touched", "pointed at"])
def test_nothing_is_wider_than_the_window_and_everything_can_be_touched(visitor, windows):
    person = visitor(has_touch=windows[0][0] < 900)
    for path in PATHS:
        person.go(path)
        person.page.wait_for_selector("main:not([aria-busy])")
        for wide, high in windows:  # it is loaded once and follows its window
            person.page.set_viewport_size({"width": wide, "height": high})
            soon(lambda: person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
            soon(lambda: person.page.evaluate(SMALL), [])
