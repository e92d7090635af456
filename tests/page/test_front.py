"""The front page: a board that lives while someone looks, one button to a game, and only what is going on now."""

import re

import pytest
from visitors import called, soon, title

LIVING = ".hero-board .living"


def test_one_button_leads_to_a_game_and_the_front_page_back_to_it(visitor):
    person = visitor()
    person.page.get_by_role("radio", name=title("tictactoe"), exact=True).check()
    person.press("Play now")
    person.page.wait_for_selector(".seat.mine.acting")
    room = person.room
    person.shows(2, ".seat .who")
    person.go("/")
    back = person.page.get_by_role("link", name="Continue your game")
    back.get_by_text(title("tictactoe")).wait_for()
    assert back.evaluate("(link) => link.compareDocumentPosition(document.querySelector('h1')) === Node.DOCUMENT_POSITION_FOLLOWING")
    person.shows(0, f'.watching [href$="{room}"]')  # one's own game is on top, not among the others'
    back.click()
    person.page.wait_for_selector(".seat.mine")
    soon(lambda: person.room, room)


def test_the_one_button_takes_the_chosen_options_along_until_another_game_is_chosen(visitor):
    person = visitor()
    person.page.get_by_role("radio", name=title("wallgo"), exact=True).check()
    person.page.get_by_text("Options of the game").click()
    person.page.get_by_label(called("wallgo", "players")).select_option("3")
    person.press("Play now")
    person.page.wait_for_selector(".seat.acting")  # it has begun: whoever leaves sooner has no game to come back to
    person.shows(3, ".seat .who")
    person.go("/")
    person.page.get_by_text("Come back soon: whoever stays away resigns.").wait_for()
    person.page.get_by_role("radio", name=title("goita"), exact=True).check()
    person.page.get_by_text("You can ask for hints.", exact=False).wait_for()
    assert "take moves back" not in person.page.locator("main").inner_text()  # what was seen can't be unseen


def test_a_game_says_for_how_many_it_is(visitor):
    person = visitor()
    for game, many in {"kulami": "2 players", "wallgo": "2–3 players", "goita": "4 players"}.items():
        person.page.locator(".game", has=person.page.get_by_role("radio", name=title(game), exact=True)).get_by_text(many, exact=True).wait_for()


def test_the_ways_to_play_promise_only_what_the_game_has(visitor):
    person = visitor()
    ways = person.page.locator(".ways")
    person.page.get_by_role("radio", name=title("kulami"), exact=True).check()
    person.page.get_by_text("Options of the game").click()
    ways.get_by_text("A quick match finds only people who chose the same.", exact=False).wait_for()
    ways.get_by_label("Rated").uncheck()
    ways.get_by_text("Just for fun, with hints and takebacks.").wait_for()
    person.page.get_by_role("radio", name=title("goita"), exact=True).check()
    ways.get_by_text("They apply to every way to play.", exact=True).wait_for(state="attached")  # they are folded up again
    if ways.get_by_label("Rated").is_checked():
        ways.get_by_label("Rated").uncheck()
    ways.get_by_text("Just for fun, with hints.", exact=True).wait_for()


def test_what_a_preset_decides_is_shown_and_can_not_be_chosen(visitor):
    person = visitor()
    person.page.get_by_role("radio", name=title("wallgo"), exact=True).check()
    person.page.get_by_text("Options of the game").click()
    field = {option: person.page.get_by_label(re.compile(f"^{called('wallgo', option)}")) for option in ("players", "size", "pieces", "tie_break", "preset")}
    field["players"].select_option("3")
    person.page.get_by_text("They apply to every way to play.", exact=True).wait_for()
    field["preset"].select_option("tv")
    decided = [("2", True), ("7", True), ("4", True), ("largest", True), ("tv", False)]
    soon(lambda: [(each.input_value(), each.is_disabled()) for each in field.values()], decided)
    person.press("Play now")
    person.page.wait_for_selector(".seat.mine")
    person.shows(2, ".seat .who")


def test_the_board_is_seen_at_once_and_lives_only_while_someone_looks(visitor):
    person = visitor(reduced_motion="no-preference")
    person.page.clock.install()
    asked = []
    person.page.route("**/api/games/*/demo", lambda route: asked.append(route))
    person.go("/")
    person.page.wait_for_selector(f"{LIVING} .piece")  # a still picture needs no demo
    person.page.wait_for_selector(".chooser .piece >> nth=0")
    soon(lambda: person.page.evaluate("1") * len(asked), 1)  # the chosen game's only
    asked[0].continue_()

    def moves(wanted):
        person.page.wait_for_selector(f'{LIVING}[data-moves="{wanted}"]')
        return person.page.get_attribute(LIVING, "data-at")

    before = moves("true")
    person.page.clock.run_for(3000)
    person.page.wait_for_function("([at, living]) => (document.querySelector(living)?.dataset.at ?? at) !== at", arg=[before, LIVING])
    person.page.clock.run_for(61_000)
    asleep = moves("false")
    person.page.clock.run_for(30_000)
    assert moves("false") == asleep
    person.page.mouse.move(200, 300)
    moves("true")
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    person.page.set_viewport_size({"width": 800, "height": 300})
    person.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    moves("false")  # out of sight


@pytest.mark.slow
def test_only_what_lives_is_listed(visitor, own_server):
    watcher, player = visitor(at=own_server), visitor(at=own_server)
    watcher.page.wait_for_selector(".foot")
    soon(watcher.page.locator("main h2").all_inner_texts, ["Ways to play Kulami"])
    player.start("tictactoe", "Against the computer")
    watcher.page.get_by_role("heading", name="Being played now").wait_for()
    watcher.shows(1, ".watching .watched")
    player.context.close()
    watcher.page.get_by_role("heading", name="Being played now").wait_for(state="detached")
