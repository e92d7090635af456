"""What just happened: the result under a bright board, looking back while the game goes on, the list of moves and the clock's ledger."""

import json
import random
import re

import pytest
import test_games
from test_accessible import violations
from visitors import PHONE, Typist, Visitor, mover_of, play_to_the_end, soon

import hanpan

pytestmark = pytest.mark.slow
SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}


def friends(visitor, game, contexts=({}, {})):
    """People at a table with their game begun, in the order in which they act first."""
    people = test_games.friends(visitor, game, contexts)
    first = mover_of(people)
    return sorted(people, key=lambda person: person is not first)


def play(people, *actions):
    for number, action in enumerate(actions):
        mover = mover_of(people)
        assert mover is people[number % len(people)]
        mover.play(action, mover.view())
    mover_of(people)


def box(person, selector):
    """Where it is on the table, whatever the head of the page does."""
    script = "(each) => { const { x, y, width, height } = document.querySelector(each).getBoundingClientRect(); return { x, y, width, height }; }"
    found, table = (person.page.evaluate(script, each) for each in (selector, ".table"))
    return {"x": found["x"] - table["x"], "y": found["y"] - table["y"], "width": found["width"], "height": found["height"]}


def name_of(person):
    return person.page.evaluate("() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.name)")


def strip(person, head, why):
    """The result is told in these words."""
    soon(lambda: (person.page.inner_text(".result h2"), person.page.inner_text(".result h2 + p")), (head, why))


def test_the_result_is_a_strip_under_the_undimmed_board_from_every_side(visitor):
    first, second = people = friends(visitor, "tictactoe", ({}, SMALL))
    watching = visitor()
    watching.go(first.room)
    watching.page.wait_for_selector(".board-frame[data-game]")
    play(people, "a1", "a2", "b1", "b2")
    before = [box(person, ".board") for person in people]
    play(people, "c1")
    why = f"{name_of(first)}: three in a row."
    strip(first, "You won!", why)
    strip(second, "You lost", why)
    strip(watching, f"{name_of(first)} won", why)
    for person, board in zip(people, before, strict=True):
        soon(lambda person=person: box(person, ".board"), board)  # neither moved nor covered
        person.shows(0, ".stage")
        assert box(person, ".result")["y"] >= board["y"] + board["height"]
        person.shows(3, ".tints .wash")  # the three in a row
        assert violations(person) == []
    assert watching.page.get_by_role("button", name="Play again").count() == 0
    first.press("Play again")
    second.page.get_by_text(f"{name_of(first)} wants to play again.").wait_for()
    second.press("Play again")
    first.page.wait_for_selector(".result", state="detached")
    second.page.wait_for_selector(".result", state="detached")


def test_where_groups_and_rows_count_they_are_drawn_and_told(visitor):
    person = visitor()
    room = person.new_room("kulami", options={"level": 2})
    person.go(room)
    person.press("Sit down and play")
    person.press("Fill the seats with computer players")
    person.page.wait_for_selector(".board-frame[data-game]")
    play_to_the_end([person], lambda view: view.legal()[0])
    why = re.compile(r"Tiles \d+ : \d+, largest group \d+ : \d+, long rows \d+ : \d+\.$")
    person.page.locator(".result h2 + p").filter(has_text=why).wait_for()
    scene = person._get(f"/api/records/{person.game_id()}/scenes")["scenes"][-1]
    told = [stroke["kind"] for stroke in scene["look"]["strokes"]]
    assert told.count("tie") >= 2
    for kind in ("tie", "row"):
        person.shows(2 * told.count(kind), f".board .stroke-{kind}")  # each with a rim


def test_who_resigned_is_said_by_name_and_the_game_can_be_passed_on(visitor, tmp_path):
    first, second = people = friends(visitor, "kulami")
    play(people, "e5", "e2")
    first.press("Resign")
    first.press("Yes, resign")
    strip(first, "You lost", "You resigned.")
    strip(second, "You won!", f"{name_of(first)} resigned.")
    for person in people:  # the board as it stands, bright, and nothing on it is closed any more
        person.shows(0, ".stage, .board-host.stale, .board .tints *, .board .target")
        person.shows(2, ".board .piece.marble")
    second.context.grant_permissions(["clipboard-read", "clipboard-write"])
    second.page.locator(".result").get_by_role("button", name="Share").click()
    copied = second.watch_for("Copied")
    second.press("Copy the link to this game")
    copied()
    link = second.page.evaluate("() => navigator.clipboard.readText()")
    assert link.endswith(f"/replay/{second.game_id()}")
    for kind, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        second.page.locator(".result").get_by_role("button", name="Share").click()
        with second.page.expect_download() as saving:
            second.press(f"Save a picture ({kind})")
        path = tmp_path / f"picture.{kind}"
        saving.value.save_as(path)
        assert path.read_bytes().startswith(begins)
        assert path.stat().st_size > 2000
    second.page.get_by_role("link", name="Look through").click()
    second.page.wait_for_selector(".replay .told")
    second.page.locator(".replay-about", has_text=f"{name_of(first)} resigned.").wait_for()


def test_who_played_is_still_named_when_they_have_left_and_someone_else_has_the_seat(visitor):
    first, second = people = friends(visitor, "tictactoe")
    winner, why = name_of(first), f"{name_of(first)}: three in a row."
    play(people, "a1", "a2", "b1", "b2", "c1")
    strip(second, "You lost", why)
    second.shows(1, ".seat .won")
    late = visitor()
    late.go(second.room)
    first.page.locator(".result").get_by_role("link", name="Back to the lobby").click()
    first.page.wait_for_selector(".lobby-columns")
    late.page.get_by_role("button", name="What to do with seat", exact=False).first.wait_for()
    for person in (second, late):
        soon(lambda person=person: person.page.inner_text(".result h2 + p"), why)
        person.shows(0, ".seat .won")
    late.page.get_by_role("button", name="What to do with seat", exact=False).first.click()
    late.press("Sit here")
    late.shows(1, ".seat.mine")
    late.press("Play again")
    second.page.get_by_text(f"{name_of(late)} wants to play again.").wait_for()
    assert second.page.inner_text(".result h2 + p") == why
    soon(lambda: winner in second.page.inner_text(".moves"))
    second.shows(0, ".seat .won")


def test_what_one_game_asked_back_the_next_does_not(visitor):
    first, second = friends(visitor, "tictactoe")
    first.press("Leave")
    first.page.get_by_text("Leave this game?").wait_for()
    second.press("Resign")
    second.press("Yes, resign")
    first.shows(0, "dialog")
    strip(first, "You won!", f"{name_of(second)} resigned.")
    for asks, resigns in ((None, None), (first, second)):
        if asks is not None:
            asks.press("Resign")
            asks.shows(1, ".ask-back")
            resigns.press("Resign")
            resigns.press("Yes, resign")
        ended = first.game_id()
        for person in (first, second):
            person.press("Play again")
        for person in (first, second):
            person.page.wait_for_selector(f'.board-frame[data-game]:not([data-game="{ended}"])')
            person.shows(0, "dialog, .ask-back")


def test_at_one_screen_the_seat_is_named_and_the_game_can_be_begun_anew(visitor):
    person = visitor()
    person.start("tictactoe", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.page.wait_for_selector('.spot[data-place="b2"][aria-disabled="false"]', state="attached")
    person.point("b2")
    person.wait_for_ply(1)
    game = person.game_id()
    person.press("Restart")
    person.press("Yes, restart")
    person.page.wait_for_function("(game) => (document.querySelector('.board-frame')?.dataset.game ?? game) !== game", arg=game)
    assert person.ply() == 0
    person.shows(0, ".result")
    for ply, cell in enumerate(("a1", "a2", "b1", "b2", "c1")):
        person.page.wait_for_selector(f'.spot[data-place="{cell}"][aria-disabled="false"]', state="attached")
        person.point(cell)
        person.wait_for_ply(ply + 1)
    strip(person, "Crosses won", "Crosses: three in a row.")


def test_after_playing_with_the_keyboard_the_focus_goes_to_the_result(visitor):
    person = visitor(kind=Typist)
    person.start("tictactoe", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    play_to_the_end([person], hanpan.bot("tictactoe", 8).choose)
    person.page.wait_for_function("() => document.activeElement.matches('.result h2')")


# --- looking back ---


def marbles(person, count):
    person.page.wait_for_function("(count) => document.querySelectorAll('.board .piece.marble').length === count", arg=count)


def test_one_looks_back_while_the_game_goes_on_and_finds_the_way_to_now(visitor):
    first, second = people = friends(visitor, "kulami")
    play(people, "e5", "e2", "h2")
    first.shows(4, ".board .tints .closed")  # two tiles, each drawn in two strokes
    looking = box(first, ".board")
    first.page.get_by_role("list", name="Moves so far").get_by_role("button").first.click()
    marbles(first, 1)
    soon(lambda: box(first, ".board"), looking)
    soon(lambda: first.page.inner_text(".look-at"), "Move 1 of 3")
    first.page.keyboard.press("ArrowRight")
    marbles(first, 2)
    first.page.keyboard.press("Home")
    marbles(first, 0)
    first.shows(0, ".board .target")  # nothing can be played in the past
    first.shows(0, ".look-back .badge")
    second.play(second.view().legal()[0], second.view())
    first.page.wait_for_selector(".look-back .badge")
    marbles(first, 0)
    assert violations(first) == []
    first.press("Back to now new")
    marbles(first, 4)
    first.page.reload()
    marbles(first, 4)
    first.page.get_by_role("list", name="Moves so far").get_by_role("button").nth(3).wait_for()
    first.page.keyboard.press("ArrowLeft")
    marbles(first, 3)
    first.page.keyboard.press("Escape")
    marbles(first, 4)
    first.press("Clock ledger")
    first.shows(4, ".ledger tbody tr")
    assert violations(first) == []


def test_a_seat_looks_back_with_its_own_eyes_only(visitor):
    person = visitor()
    person.start("goita", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    for _ in range(2):
        assert mover_of([person]) is person
        view = person.view()
        person.play(view.legal()[0], view)
    told = person._get(f"/api/records/{person.game_id()}/scenes")
    mine = int(person.page.get_attribute(".seat.mine", "data-seat"))
    person.page.keyboard.press("Home")
    person.page.wait_for_selector(".board-frame[data-past='0']")
    for scene in told["scenes"]:
        hands = [piece for piece in scene["look"].get("pieces", []) if piece["id"].startswith("koma") and piece.get("text") and piece["seat"] != mine]
        assert not [piece for piece in hands if piece.get("face_down")], "what lies face down has no letters for the others"


# --- the list of moves ---


def column_edges(person):
    script = """() => {
      const heads = [...document.querySelectorAll('.move-heads > span')].map((head) => Math.round(head.getBoundingClientRect().left));
      return [...document.querySelectorAll('.told li:not(.by-chance)')].map((line) => heads.indexOf(Math.round(line.getBoundingClientRect().left)));
    }"""
    return person.page.evaluate(script)


def test_every_seat_keeps_its_column_and_chance_is_not_a_move(visitor):
    game = hanpan.game("wallgo", players=3, size=5, pieces=2)
    state, dice, actions, movers = game.start(), random.Random(2), [], []
    while not state.over:
        movers.append(None if state.chance else state.seat)
        actions.append(state.draw(7) if state.chance else dice.choice(state.legal()))
        state = state.play(actions[-1])
    person = visitor()
    show(person, {"hanpan": 1, "game": "wallgo", "options": game.options, "actions": actions})
    soon(lambda: column_edges(person), [seat for seat in movers if seat is not None])
    assert person.page.locator(".told li.by-chance .number").count() == 0
    assert person.page.locator(".told .number").all_inner_texts() == [str(n + 1) for n in range(len(actions) - 1)]


def test_numbers_over_a_hundred_fit_also_where_one_seat_acts_many_times(visitor):
    game = hanpan.game("reversedrop", setup="manual", black=10, white=10, max_plies=100)
    state, dice, actions, movers = game.start(), random.Random(1), [], []
    while not state.over:
        movers.append(state.seat)
        actions.append(dice.choice(state.legal()))
        state = state.play(actions[-1])
    assert len(actions) > 100
    person = visitor(**SMALL)
    show(person, {"hanpan": 1, "game": "reversedrop", "options": game.options, "actions": actions})
    soon(lambda: column_edges(person), movers)
    clipped = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().height > 30).length"
    assert person.page.locator(".told .number").evaluate_all(clipped) == 0


def show(person: Visitor, record):
    person.go("/replay")
    person.page.get_by_label("Or paste the record").fill(json.dumps(record))
    person.press("Show it")
    person.page.wait_for_selector(".replay .told")


def test_only_who_can_move_has_a_line_to_type_in(visitor):
    first, _ = friends(visitor, "tictactoe")
    watching = visitor()
    watching.go(first.room)
    watching.page.wait_for_selector(".board-frame[data-game]")
    soon(first.page.get_by_label("Type a move").count, 1)
    assert watching.page.get_by_label("Type a move").count() == 0
