"""When someone leaves: what those who stay see and may do, and how one gets one's seat back."""

import logging

import pytest
from accounts import registered
from local import LocalServer
from serving import ServerProcess
from visitors import NO_CLOCK, PHONE, beside, mover_of, play_to_the_end, soon, title

pytestmark = pytest.mark.slow
TURN = 600  # seconds, the longest there is: they pass only when they are made to
BYOYOMI = {"kind": "turn", "turn_ms": TURN * 1000}


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A server on which nobody is waited for for long: nobody reloads a page there."""
    running = ServerProcess(tmp_path_factory.mktemp("quick"), patience=2.0, claim_seconds=4.0).start()
    yield running
    running.stop()


def seated(visitor, server, game, number, **fields):
    """So many people at a table of a new room, playing."""
    people = [visitor(at=server) for _ in range(number)]
    people[0].sit_down_with(*people[1:], game=game, **fields)
    return people


def test_who_is_away_for_long_is_claimed_against_after_a_countdown(visitor, quick):
    one, other = seated(visitor, quick, "tictactoe", 2, settings={"time": NO_CLOCK})
    room = other.room
    counted = one.watch_for("You may claim the win in 0:0")
    other.page.close()
    counted()
    one.press("Claim the win")
    one.page.wait_for_selector('.board-frame[data-over="true"]')
    other.page = other.context.new_page()
    other.go(room)


def test_leaving_wall_go_is_resigning(visitor, quick):
    one, other = seated(visitor, quick, "wallgo", 2, settings={"time": NO_CLOCK})
    other.press("Leave")
    other.page.get_by_text("Leaving counts as resigning.").wait_for()
    other.press("Stay")
    assert not one.over()
    other.press("Leave")
    other.press("Resign and leave")
    other.page.wait_for_url("**/lobby")
    one.page.wait_for_selector('.board-frame[data-over="true"]')
    one.page.locator(".result h2", has_text="You won!").wait_for()


def test_a_partner_who_plays_on_says_so_and_who_asked_may_think_better_of_it(visitor, server):
    one, other, partner, _ = people = seated(visitor, server, "goita", 4, settings={"time": NO_CLOCK})
    asks = [(one, partner, "Play on", one), (one, partner, "No, thanks", partner), (partner, one, "Resign together", one)]
    for asker, asked, answer, who in asks:
        asker.press("Resign")
        asker.press("Yes, resign")
        asked.page.locator(".offer", has_text="wants to resign").wait_for()
        asker.shows(1, ".offer.card")
        other.shows(0, ".offer")
        plays_on = one.watch_for("plays on.")
        who.page.locator(".offers").get_by_role("button", name=answer).click()
        for person in people:
            person.shows(0, ".offer.card")
        if answer == "No, thanks":
            plays_on()
    for person in people:
        person.page.locator(".result", has_text="resigned").wait_for()


def test_with_three_whoever_leaves_wall_go_is_said_to_have_resigned_and_is_last(visitor, quick):
    *stayed, leaver = seated(visitor, quick, "wallgo", 3, options={"players": 3, "size": 4, "pieces": 1}, settings={"time": NO_CLOCK})
    seat = leaver.page.get_attribute(".seat.mine", "data-seat")
    leaver.press("Leave")
    leaver.press("Resign and leave")
    leaver.page.wait_for_url("**/lobby")
    for person in stayed:
        person.page.locator(f'.seat[data-seat="{seat}"]').get_by_text("Resigned", exact=True).wait_for()
        assert not person.over(), "the others play on"
    play_to_the_end(stayed, lambda view: view.legal()[0])
    for person in stayed:
        person.page.wait_for_selector(".result h2")
    heads = sorted(person.page.inner_text(".result h2").strip() for person in stayed)
    assert heads in (["You lost", "You won!"], ["A draw", "A draw"]), "between those who stayed"
    for person in stayed:
        bar = person.page.locator(f'.seat[data-seat="{seat}"]')
        bar.get_by_text("Resigned", exact=True).wait_for()
        assert bar.get_by_text("Won").count() == 0
        told = person.page.locator(".told").text_content()
        assert "played for them" in told, "nobody's time ran out"


def test_the_rules_open_beside_the_game_which_is_not_left(visitor, quick):
    one, other = seated(visitor, quick, "wallgo", 2, settings={"time": NO_CLOCK})
    with one.context.expect_page() as opened:
        one.page.locator(".room-line").get_by_role("link", name="Wall Go", exact=True).click()
    opened.value.get_by_role("heading", level=1).wait_for()
    assert opened.value.url.endswith("/learn/wallgo")
    assert other.page.locator(".seat .dot.away").count() == 0
    host, invited = visitor(at=quick), visitor(at=quick, **PHONE)
    host.go(host.new_room("wallgo"))
    invited.go(host.room)
    invited.page.get_by_role("heading", name="invites you to Wall Go").wait_for()
    assert invited.page.locator(".stage").get_by_role("link", name="Rules").get_attribute("target") == "_blank"
    invited.page.get_by_role("tab", name="Settings").tap()
    invited.page.locator(".side").get_by_role("link", name="Rules").wait_for()


def test_a_reload_of_wall_go_costs_nothing(visitor, server):
    one, other = seated(visitor, server, "wallgo", 2)
    missed = one.watch_for("they resign")
    other.page.reload()
    missed()
    other.page.wait_for_selector(".board-frame[data-game]")
    one.shows(0, ".seat .dot.away")
    assert not one.over()


def test_a_closed_window_is_waited_for_and_then_wall_go_is_resigned(visitor, quick):
    one, other = seated(visitor, quick, "wallgo", 2, settings={"time": NO_CLOCK})
    other.page.close()
    one.page.wait_for_selector('.board-frame[data-over="true"]')
    other.page = other.context.new_page()


@pytest.fixture
def timeless(tmp_path):
    """A server on which time passes only when it is made to: then the turns of whoever is away run out, and their seat is free."""
    running = LocalServer(tmp_path / "data", patience=TURN).start()
    running.data = tmp_path
    mails = logging.FileHandler(tmp_path / "log", encoding="utf-8")  # where they are looked for
    logging.getLogger("hanpan.mail").addHandler(mails)
    yield running
    logging.getLogger("hanpan.mail").removeHandler(mails)
    mails.close()
    running.stop()


def let_time_pass_until_free(server, seat):
    """In the only room one turn after the other runs out, until a seat is free for whoever watches."""
    (room,) = server.services.registry.rooms.values()
    with beside() as do:

        def free():
            do(server.later(TURN + 1))  # a turn that has not begun yet is not over: then the next one is
            return seat in room.state.offered

        soon(free)


def test_a_free_seat_is_offered_taken_and_given_back_without_a_reload(visitor, timeless):
    people = seated(visitor, timeless, "goita", 4, settings={"time": BYOYOMI, "rated": False, "pause": 0})
    watching = visitor(at=timeless)
    watching.go(people[0].room)
    watching.page.wait_for_selector(".board-frame[data-game]")
    owner = people[0]
    seat = int(owner.page.get_attribute(".seat.mine", "data-seat"))
    owner.page.close()
    watching.page.wait_for_selector(".seat .dot.away")
    let_time_pass_until_free(timeless, seat)
    sit_in = watching.page.get_by_role("button", name="Sit in", exact=True)
    sit_in.click()
    watching.page.wait_for_selector(".seat.mine")
    watching.page.get_by_text("You are sitting in").wait_for()
    soon(watching.page.get_by_role("button", name="Resign", exact=True).count, 0)
    owner.page = owner.context.new_page()
    owner.go(people[1].room)
    owner.press("Take my seat back")
    owner.page.wait_for_selector(".seat.mine")
    watching.page.wait_for_selector(".seat.mine", state="detached")


def test_in_a_rated_game_the_partner_is_asked_before_somebody_sits_in(visitor, timeless):
    people = seated(visitor, timeless, "goita", 4, settings={"time": BYOYOMI, "pause": 0})
    far = visitor(at=timeless, extra_http_headers={"X-Forwarded-For": "10.1.2.3"})
    registered(far, "far@example.org")
    far.go(people[0].room)
    far.page.wait_for_selector(".board-frame[data-game]")
    seat = int(people[0].page.get_attribute(".seat.mine", "data-seat"))
    people[0].page.close()
    far.page.wait_for_selector(".seat .dot.away")
    let_time_pass_until_free(timeless, seat)
    sit_in = far.page.get_by_role("button", name="Sit in", exact=True)
    sit_in.click()
    far.page.get_by_text("You may sit in if the partner agrees.").wait_for()
    partner, others = people[2], (people[1], people[3])
    partner.page.get_by_text("would sit in for your partner").wait_for()
    for other in others:
        assert other.page.get_by_role("button", name="Let them sit in", exact=True).count() == 0, "not for the others to say"
    partner.press("No, thanks")  # nothing else is asked meanwhile
    far.page.get_by_text("The partner would rather wait.").wait_for()
    sit_in.click()
    partner.press("Let them sit in")
    far.page.wait_for_selector(".seat.mine")
    far.page.get_by_text("You are sitting in").wait_for()
    people[0].page = people[0].context.new_page()


def test_with_a_friend_one_chooses_a_clock_and_whether_it_counts(visitor):
    host = visitor()
    host.page.get_by_role("radio", name=title("wallgo"), exact=True).check()
    card = host.page.locator(".way", has=host.page.get_by_role("heading", name="With a friend"))
    soon(card.get_by_role("radio", name="30 s per turn").is_checked)
    card.get_by_text("Ratings will change.").wait_for()
    card.get_by_role("checkbox", name="Rated").uncheck()
    card.get_by_text("Just for fun").wait_for()
    card.get_by_role("button").first.click()
    host.page.wait_for_selector(".room-page .seats .seat")
    host.page.get_by_text("Unrated: just for fun · 30 s per turn").wait_for()
    host.go("/")
    host.page.get_by_role("radio", name=title("kulami"), exact=True).check()
    soon(card.get_by_role("radio", name="5 + 20").is_checked)


def test_who_opens_a_room_is_shown_its_link_and_not_invited_by_themselves(visitor):
    host = visitor()
    host.go("/lobby")
    host.page.locator(".lobby-head").get_by_role("button").last.click()
    form = host.page.locator(".room-form")
    form.locator("select").first.select_option("wallgo")
    form.get_by_text("Each turn has the same limit").wait_for()
    form.get_by_label("Setup").select_option("tv")
    host.page.wait_for_function("() => [...document.querySelectorAll('.room-form select')].some((each) => each.value === '90000')")
    form.locator("button[type=submit]").click()
    host.page.get_by_role("heading", name="Your room is open").wait_for()
    stage = host.page.locator(".stage")
    stage.locator("canvas.qr").wait_for()
    assert stage.locator("input").input_value().endswith(host.room)
    stage.get_by_text("Rated: ratings will change · 90 s per turn").wait_for()
    assert "invites you" not in stage.inner_text()


def test_with_the_server_away_nothing_looks_live_and_a_click_says_why_it_waits(visitor, own_server):
    one, other = seated(visitor, own_server, "tictactoe", 2, settings={"time": {"kind": "byoyomi", "main_ms": 300_000, "byoyomi_ms": 30_000}})
    mover = mover_of([one, other])
    own_server.kill()
    mover.page.wait_for_selector("body[data-away]")
    mover.shows(0, ".clock.running")
    view = mover.page.locator(".board [data-place]").first.get_attribute("data-place")
    mover.point(view)
    mover.heard("this waits until the server is back")
    own_server.start()
    mover.page.wait_for_selector("body:not([data-away])")
    other_one = other if mover is one else one
    other_one.wait_for_ply(1)
