"""A finished game taken apart: from its result to the analysis board, back and forth, into branches and out of them."""

import json
import re
from urllib.parse import urlencode

import pytest
from visitors import PHONE, Hermit, soon

import hanpan
from hanpan.core.rule import rng
from hanpan.record import GameRecord

pytestmark = pytest.mark.slow


def test_a_browser_that_cannot_compute_is_told_so(visitor):
    person = visitor()
    person.go("/analysis/kulami?position=x")
    person.page.get_by_role("alert").get_by_text("Values are computed in your browser.").wait_for()


def given_up(name):
    """A game of everyone before one screen that somebody gave up, as a browser keeps it."""
    state, dice, actions = hanpan.game(name).start(), rng(1), []
    while len(actions) < 4 or state.chance:
        played = len(actions)
        seat, legal = state.seat, state.legal()
        action, state = state.draw_and_play(dice) if state.chance else (legal[7 * played % len(legal)], state.play(legal[7 * played % len(legal)]))
        actions.append({"action": action, "seat": seat, "at": 1000 * played})
    made = {"id": f"given{name}", "game": name, "options": {}, "chairs": [{}] * state.game.seats, "started": 1, "changed": 1}
    return made | {"actions": actions, "resigned": [], "result": {"winner": [0], "reason": "resigned"}}


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
def test_what_can_be_played_next_has_a_value_in_every_kind_of_game(visitor, context):
    person = visitor(Hermit, **context)
    for name in hanpan.games():
        game = given_up(name)
        person.until_playable(name)
        person.page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", game)
        person.go(f"/analysis/{game['id']}")
        person.page.wait_for_selector(f'.analysis .board-frame[data-ply="{len(game["actions"])}"][data-judged]')
        person.page.wait_for_function("() => document.querySelector('.best-line').textContent.includes(' ')")


def test_a_game_can_be_analysed_from_its_beginning(visitor):
    person = visitor(Hermit)
    person.until_playable("wallgo")
    person.go("/learn/wallgo")
    person.page.get_by_role("link", name="Analysis board").click()
    person.page.wait_for_selector('.analysis .board-frame[data-ply="0"]')
    person.go('/analysis/wallgo?options={"players":3}')
    person.page.wait_for_selector('.analysis .board-frame[data-ply="0"]')
    assert person.page.get_by_label("Position").input_value() == str(hanpan.game("wallgo", players=3).start())
    person.page.locator(".eval[aria-label='Chance decides']").wait_for()
    person.page.get_by_role("button", name="Let chance decide").click()
    person.page.wait_for_selector('.analysis .board-frame[data-ply="1"][data-judged]')
    person.shows(0, ".analysis .row .main")  # there is no game to come back to
    for ply in (2, 3):
        person.page.locator('.spot[aria-disabled="false"]').first.focus()
        person.page.keyboard.press("Enter")
        person.page.wait_for_selector(f'.analysis .board-frame[data-ply="{ply}"][data-judged]')
    lines = "() => [...document.querySelectorAll('.course .curve')].map((each) => each.getAttribute('d').match(/[ML]/g).length).join()"
    soon(lambda: person.page.evaluate(lines), "3,3,3")  # what is tried out is the game then: three positions for each of three


def played(name, plies, seed=1, **options):
    """So many actions of a game, and the positions on the way."""
    dice, states, actions = rng(seed), [hanpan.game(name, **options).start()], []
    while len(actions) < plies:
        state, legal = states[-1], states[-1].legal()
        action, after = state.draw_and_play(dice) if state.chance else (legal[7 * len(actions) % len(legal)], state.play(legal[7 * len(actions) % len(legal)]))
        actions, states = [*actions, action], [*states, after]
    return actions, states


def address(name, **parts):
    return f"/analysis/{name}?" + urlencode({key: told if isinstance(told, str) else json.dumps(told) for key, told in parts.items()})


def test_among_three_the_bar_tells_of_each_and_the_graph_has_a_line_for_each(visitor):
    person = visitor(Hermit)
    person.until_playable("wallgo")
    actions, _ = played("wallgo", 24, players=3)
    person.go(address("wallgo", options={"players": 3}, moves=actions))
    person.page.wait_for_selector('.analysis .board-frame[data-ply="24"][data-judged]')
    told = person.page.locator(".eval").get_attribute("aria-label")
    assert re.fullmatch(r"Chances to win: Vermilion \d+%\s· Indigo \d+%\s· Jade \d+%", told), told
    assert 98 <= sum(map(int, re.findall(r"\d+", told))) <= 102
    person.shows(3, ".eval-part")
    person.shows(3, ".course .curve")


def test_a_link_to_a_line_leads_to_the_same_line(visitor):
    person = visitor(Hermit, permissions=["clipboard-read", "clipboard-write"])
    person.until_playable("goita")
    actions, states = played("goita", 9)
    seats = ("East", "South", "West", "North")
    person.go(address("goita", moves=actions))
    person.page.wait_for_selector('.analysis .board-frame[data-ply="9"]')
    person.page.get_by_role("button", name="One move back").click()
    person.page.wait_for_selector('.analysis .board-frame[data-ply="8"]')
    person.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })")
    # Which move one has come to is told aloud.
    person.page.locator("[aria-live]", has_text=re.compile(rf"^{seats[states[7].seat]}: ")).wait_for(state="attached")
    person.press("Copy the link to this line")
    person.heard("Copied")
    person.go(person.page.evaluate("window.copied").removeprefix(person.server.url))
    person.page.wait_for_selector('.analysis .board-frame[data-ply="8"]')
    assert person.page.get_by_label("Position").input_value() == str(states[8])
    person.shows(8, ".told li")


def test_the_best_line_is_told_in_the_games_own_words(visitor):
    person = visitor(Hermit)
    person.until_playable("goita")
    actions, _ = played("goita", 12)
    person.go(address("goita", moves=actions))
    person.page.wait_for_selector(".best-line:has-text('exactly')")
    assert "Pass" in person.page.inner_text(".best-line")


def test_what_is_pointed_at_has_the_values_of_what_can_follow(visitor):
    person = visitor(Hermit)
    person.until_playable("reversedrop")
    actions, states = played("reversedrop", 30)
    person.go(address("reversedrop", moves=actions))
    person.page.wait_for_selector(".analysis .board-frame[data-judged]")
    person.press("Flip the board")
    person.page.wait_for_selector("[aria-pressed=true]")
    first = states[-1].clicks(states[-1].legal()[0])[0]
    follow = {states[-1].clicks(action)[-1] for action in states[-1].legal() if states[-1].clicks(action)[0] == first}
    assert len(follow) < len(states[-1].legal())
    person.point(first)
    person.shows(len(follow), ".board .notes > *")


def test_what_is_not_there_is_said_not_to_be_there(visitor):
    person = visitor(Hermit)
    for name in ("analysis/nobody-has-played-this", "analysis/constructor", "learn/__proto__", "best/toString", "archive/constructor", "operator/valueOf"):
        person.go(f"/{name}")
        person.page.get_by_role("heading", name="Nothing here").wait_for()


def test_the_computer_players_thread_begins_before_the_game_is_there(visitor):
    person = visitor(Hermit)
    person.page.route("**/api/engines", lambda _: None)  # is never answered
    with person.page.expect_worker():
        person.go("/analysis/kulami?position=x")
    person.page.unroute_all(behavior="ignoreErrors")


def test_what_is_best_is_told_aloud_once_it_has_settled(visitor):
    person = visitor(Hermit)
    game = given_up("kulami")
    person.until_playable("kulami")
    person.page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", game)
    person.go(f"/analysis/{game['id']}")
    person.page.wait_for_selector(".board-frame[data-judged]")
    person.page.wait_for_function("""() => {
        const best = document.querySelector(".best-line");
        return !best.matches("[aria-live]") && best.textContent === document.querySelector("#page > .unseen[role=log]").textContent;
    }""")


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["kulami", "wallgo"])
def test_every_action_has_its_value_and_another_one_can_be_tried(visitor, game, context):
    person = visitor(Hermit, **context)
    person.start(game, "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    for _ in range(2):
        view = person.view()
        person.play(view.legal()[0], view)
    played = person.ply()
    *_, before, last = person.states()
    person.press("Resign")
    person.press("Yes, resign")
    person.page.wait_for_selector(".result h2")
    person.page.get_by_role("link", name="Analyse").tap() if person.touch else person.page.keyboard.press("a")
    person.page.wait_for_selector(f'.analysis .board-frame[data-ply="{played}"][data-judged]')
    person.page.wait_for_selector(".board .notes > *", state="attached")
    assert 0 < person.page.locator(".board .notes > *").count() <= len(last.legal())
    person.page.wait_for_selector(".course .curve", state="attached")
    person.page.get_by_role("button", name="One move back").click()
    person.page.wait_for_selector(f'.board-frame[data-ply="{played - 1}"]')
    person.shows(0, ".analysis .row .main")
    other = before.legal()[1]
    for place in before.clicks(other):
        person.page.wait_for_selector(f'[data-place="{place}"][aria-disabled="false"], .board-line [data-place="{place}"]', state="attached")
        person.point(place)
    if person.page.locator(".board-line .yes").count():
        person.page.locator(".board-line .yes").tap()
    person.press("Back to the game")
    person.page.wait_for_selector(f'.board-frame[data-ply="{played - 1}"]')
    soon(lambda: person.page.locator(".told li").count(), played)
    for wrong in ("position=nonsense", "position=&options={", "options=null", "options=[1]", 'options={"level":1.5}', "moves=5", 'moves=["zz"]'):
        person.go(f"/analysis/{game}?{wrong}")  # an address can be anybody's
        person.page.get_by_role("alert").get_by_text("This position can't be read").wait_for()


def ended_among_three():
    """A game of three to its end, as a browser keeps it; the seat that had won by the rules had given up on the way, and all its last moves were forced."""
    dice, state, actions = rng(2), hanpan.game("wallgo", players=3, size=5, pieces=1).start(), []
    while not state.over:
        seat, legal = state.seat, state.legal()
        action, state = state.draw_and_play(dice) if state.chance else (legal[7 * len(actions) % len(legal)], state.play(legal[7 * len(actions) % len(legal)]))
        actions.append({"action": action, "seat": seat, "at": 1000 * len(actions)})
    last = state.winner[0]
    forced = [ply for ply, each in enumerate(actions) if each["seat"] == last][-2:]
    for ply in forced:
        actions[ply]["forced"] = True
    first = next(seat for seat in range(3) if seat != last)
    made = {"id": "three", "game": "wallgo", "options": {"players": 3, "size": 5, "pieces": 1}, "chairs": [{}] * 3, "started": 1, "changed": 1}
    return made | {"actions": actions, "resigned": [last], "result": {"winner": [first], "reason": "rules", "last": [last]}}, first, forced


def test_a_game_that_one_of_three_gave_up_ends_as_it_ended_and_forced_moves_are_marked(visitor):
    person = visitor(Hermit)
    person.until_playable("wallgo")
    game, first, forced = ended_among_three()
    person.page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", game)
    person.go("/analysis/three")
    person.page.wait_for_selector(".analysis .eval")
    wanted = "Chances to win: " + " · ".join(f"{name} {100 * (seat == first)}%" for seat, name in enumerate(("Vermilion", "Indigo", "Jade")))
    assert person.page.locator(".eval").get_attribute("aria-label").replace("\u00a0", " ") == wanted
    marked = person.page.locator(".told button:has(.hint)").evaluate_all("found => found.map((each) => Number(each.dataset.ply) - 1)")
    assert marked == forced


def test_a_record_from_outside_can_be_analysed_from_where_it_begins(visitor):
    person = visitor(Hermit)
    person.until_playable("wallgo")
    start = hanpan.game("wallgo", size=3, pieces=1).parse("1.2/.../... b1|,b3| 12 1")
    record = GameRecord.begin(start.game, start)
    state = start
    for _ in range(2):
        record, state = record.add(state.legal()[0]), state.play(state.legal()[0])
    person.go("/replay")
    person.page.get_by_label("Or paste the record").fill(record.to_json())
    person.press("Show it")
    person.page.get_by_role("link", name="Analyse").click()
    person.page.wait_for_selector('.analysis .board-frame[data-ply="2"]')
    assert person.page.get_by_label("Position").input_value() == str(state)
    person.press("One move back")
    person.press("One move back")
    person.page.wait_for_selector('.analysis .board-frame[data-ply="0"]')
    assert person.page.get_by_label("Position").input_value() == str(start)
    # Seat 1 closes its column and keeps six cells of nine: that is proven, and no number of points.
    person.page.wait_for_selector('.eval[aria-label="Better for Vermilion: +∞"]')
    assert re.match(r"Best for Vermilion: wins in \d+ with ", person.page.locator(".best-line").inner_text())


def test_whoever_comes_back_from_a_branch_by_keyboard_is_at_the_move_it_left(visitor):
    person = visitor(Hermit)
    person.until_playable("kulami")
    game = given_up("kulami")
    person.page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", game)
    plies = len(game["actions"])
    person.go(f"/analysis/{game['id']}")
    person.page.wait_for_selector(f'.analysis .board-frame[data-ply="{plies}"]')
    for way in ("Back to the game", "Forget this branch"):
        person.page.locator('.spot[tabindex="0"]').focus()
        person.page.keyboard.press("Enter")
        person.page.wait_for_selector(f'.board-frame[data-ply="{plies + 1}"]')
        person.page.get_by_role("button", name=way).focus()
        person.page.keyboard.press("Enter")
        person.page.wait_for_selector(f'.board-frame[data-ply="{plies}"]')
        soon(lambda: person.page.evaluate("document.activeElement.dataset.ply"), str(plies))
        person.page.keyboard.press("ArrowLeft")
        person.page.wait_for_selector(f'.board-frame[data-ply="{plies - 1}"]')
        person.page.keyboard.press("ArrowRight")
        person.page.wait_for_selector(f'.board-frame[data-ply="{plies}"]')
    field = person.page.get_by_label("Position")
    field.fill(f"{field.input_value()} ")
    person.page.get_by_role("button", name="Analyse this position").focus()
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector('.analysis .board-frame[data-ply="0"]')
    soon(lambda: person.page.evaluate("document.activeElement.tagName"), "H1")


def test_a_running_game_behind_a_password_is_said_to_be_running(visitor):
    host, guest, other = visitor(), visitor(), visitor()
    room = host.new_room("kulami", password="sesame", settings={"spectators": False})
    host.go(room)
    host.press("Sit down and play")
    guest.go(room)
    guest.page.get_by_label("Password").fill("sesame")
    guest.page.keyboard.press("Enter")
    guest.press("Sit down and play")
    host.page.wait_for_selector(".board-frame[data-game]")
    other.go(f"/analysis/{host.game_id()}")
    other.page.get_by_text("A game can be analysed once it has ended.").wait_for()
