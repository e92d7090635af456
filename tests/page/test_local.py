"""Games without a server: played in the browser alone, kept there, taken along as records."""

import json
import re

import pytest
from accounts import registered
from commands import hanpan_cli
from serving import ServerProcess
from visitors import PHONE, Hermit, soon, title

from hanpan.record import GameRecord

pytestmark = pytest.mark.slow

LACKING = """async (paths) => {
    const found = await Promise.all(paths.map((path) => caches.match(path)));
    return paths.filter((path, index) => !found[index]);
}"""


def lost(person, server):
    """The server is gone, and the page has seen it: what is needed to go on is kept in the browser by then."""
    parts = person._get("/api/engines")[person.kept()["game"]].values()
    wanted = ["/", "/api/games", "/api/engines", "/api/words/en", *parts]
    soon(lambda: person.page.evaluate(LACKING, wanted), [])
    server.stop()
    person.page.wait_for_selector(".lost-line")


def turn(person, after):
    """Wait for one's turn after so many actions; False: the game is over. Between two rounds it waits for a word."""
    person.page.wait_for_function(
        """(after) => {
            const { ply, over, turn } = document.querySelector(".board-frame")?.dataset ?? {};
            const mine = turn !== undefined && document.querySelector(`.seat.mine[data-seat="${turn}"]`);
            return Number(ply) > after && (over === "true" || mine || document.querySelector(".round-card .main"));
        }""",
        arg=after,
    )
    return person.my_turn()


def play_on(person, choose, until=lambda: False):
    """Play until the game is over, or something else has happened; how many turns it took."""
    after = -1
    for turns in range(300):
        if not turn(person, after) or until():
            return turns
        after = person.ply()
        view = person.view()
        person.play(choose(view), view)
    raise AssertionError("it does not end")


def saved(person, what):
    """A file that the page gives."""
    person.page.locator(".result .share-game > button, .move-more .share-game > button").first.click()
    with person.page.expect_download() as loading:
        person.page.get_by_role("button", name=what).click()
    return loading.value.path()


def replays(path, name, tmp_path):
    """Whether `hanpan replay` accepts a file; its record."""
    file = tmp_path / name
    file.write_bytes(path.read_bytes())
    done = hanpan_cli("replay", str(file))
    assert done.returncode == 0, done
    return GameRecord.read(file.read_text("utf-8"))


def first_legal(view):
    return view.legal()[0]


def test_a_game_against_the_computer_goes_to_its_end_without_a_server(visitor, own_server, tmp_path):
    person = visitor(Hermit, at=own_server, service_workers="allow")
    person.page.evaluate("localStorage.setItem('hanpan.level', '3')")
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    assert person.room.startswith("/local/")
    assert own_server_rooms(person) == []
    assert turn(person, -1)
    view = person.view()
    person.play(first_legal(view), view)
    assert turn(person, 1)  # the computer has answered: everything is there
    lost(person, own_server)
    play_on(person, first_legal, until=lambda: len(person.recorded()) > 6)
    before = person.recorded()
    person.page.reload()
    assert turn(person, len(before) - 1)
    assert person.recorded() == before
    play_on(person, first_legal)
    person.page.wait_for_selector(".result h2")
    kept = person.kept()
    assert [chair.get("bot") for chair in kept["chairs"]] == [None, 3]
    *_, last = person.states()
    assert last.over
    assert kept["result"]["winner"] == last.winner
    record = replays(saved(person, "Record (JSON)"), "kulami.json", tmp_path)
    assert (record.final(), record.people[1]) == (last, "computer, level 3")
    assert replays(saved(person, "Record (text)"), "kulami.txt", tmp_path) == record
    game = person.game_id()
    person.press("Play again")
    soon(lambda: person.page.get_attribute(".board-frame", "data-game") not in (None, game))
    assert [chair.get("bot") for chair in person.kept()["chairs"]] == [3, None]
    assert turn(person, -1)


def own_server_rooms(person):
    return [room for room in person._get("/api/rooms") if room["people"]]


def test_a_whole_round_of_goita_with_three_computer_players_and_a_reload_in_its_middle(visitor, own_server, tmp_path):
    person = visitor(Hermit, at=own_server, service_workers="allow", **PHONE)
    person.start("goita", "Against the computer", target="10")
    person.page.wait_for_selector(".board-frame[data-game]")
    play_on(person, first_legal, until=lambda: len(person.recorded()) > 6)
    before = [played["action"] for played in person.recorded()]
    lost(person, own_server)
    person.page.reload()
    person.page.wait_for_selector(".board-frame[data-game]")
    assert [played["action"] for played in person.recorded()][: len(before)] == before
    seen = person.page.locator(".moves, .board").all_inner_texts()
    *_, now = person.states()
    assert not any(action in text for text in seen for action in before if action.startswith("deal "))
    assert now.view(0) != now
    play_on(person, first_legal, until=lambda: person.page.locator(".round-card").count() > 0)
    person.page.wait_for_selector(".round-card, .result")
    *_, last = person.states()
    assert last.over or last.closing is not None
    if not last.over:
        person.page.locator(".round-card .main").click()
        person.page.wait_for_selector(".round-card", state="detached")
        person.press("Resign")
        person.press("Yes, resign")
    record = replays(saved(person, "Record (JSON)"), "goita.json", tmp_path)
    assert [state.closing is not None for state in record.states()].count(True) >= 1


def test_two_at_one_screen_take_back_go_back_and_find_their_game_again(visitor):
    person = visitor(Hermit)
    person.start("reversedrop", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    start = person.ply()
    for _ in range(3):
        view = person.view()
        person.play(first_legal(view), view)
    person.press("Take back")
    soon(person.ply, start + 2)
    person.page.keyboard.press("Home")
    person.page.wait_for_selector(".look-back")
    person.press("Back to now")
    room = person.room
    person.go("/")
    person.page.get_by_role("link", name="Continue your game").click()
    person.page.wait_for_selector(".board-frame[data-game]")
    assert (person.room, person.ply()) == (room, start + 2)
    other = visitor(Hermit)
    other.go(room)
    other.page.get_by_role("heading", name="This game is not on this device").wait_for()
    soon(other.page.title, "This game is not on this device · Hanpan")
    person.press("Resign")
    person.press("Yes, resign")
    person.page.wait_for_selector(".result h2")
    person.go("/")
    line = person.page.locator(".kept li")
    line.get_by_text(title("reversedrop")).wait_for()
    person.press(f"Delete this game: {title('reversedrop')}")
    person.press("Yes, delete it")
    person.shows(0, ".kept li")
    assert person.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('hanpan.local.'))") == []


def test_on_a_phone_that_lies_the_moves_can_be_seen_and_chosen(visitor):
    person = visitor(Hermit, **PHONE | {"viewport": {"width": 568, "height": 320}})
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    for _ in range(4):
        view = person.view()
        person.play(first_legal(view), view)
    person.page.get_by_role("tab", name="Moves").tap()
    seen = """() => {
        const [list, panel] = [".move-list", ".side [role=tabpanel]:not([hidden])"].map((each) => document.querySelector(each).getBoundingClientRect());
        return Math.min(list.bottom, panel.bottom) - Math.max(list.top, panel.top) >= 80;
    }"""
    person.page.wait_for_function(seen)
    person.page.locator(".move-list button").nth(2).tap()
    person.page.wait_for_selector(".look-back")


@pytest.mark.parametrize("size", [(360, 640), (568, 320), (1280, 800)], ids=["standing", "lying", "desk"])
def test_a_game_that_goes_on_can_be_saved_too(visitor, size, tmp_path):
    wide, high = size
    person = visitor(Hermit, viewport={"width": wide, "height": high})
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    view = person.view()
    person.play(first_legal(view), view)
    if wide < 1000:
        person.page.get_by_role("tab", name="Moves").click()
    record = replays(saved(person, "Record (JSON)"), "kulami.json", tmp_path)
    assert list(record.actions) == [played["action"] for played in person.recorded()]


def keep_otherwise(person, change):
    """The open game, as another version of the page might have kept it."""
    kept = person.kept()
    change(kept)
    person.go("/learn")  # it is written no more
    person.page.evaluate("(kept) => localStorage.setItem('hanpan.local.' + kept.id, JSON.stringify(kept))", kept)
    return f"/local/{kept['id']}"


def test_a_game_that_does_not_follow_from_the_rules_any_more_can_be_saved_and_deleted(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    for _ in range(2):
        view = person.view()
        person.play(first_legal(view), view)
    played = [each["action"] for each in person.recorded()]
    room = keep_otherwise(person, lambda kept: kept["actions"].append({"action": "j10", "seat": 0, "at": 9}))
    person.go(room)
    person.page.get_by_role("heading", name="This game can no longer be opened").wait_for()
    with person.page.expect_download() as loading:
        person.press("Record (JSON)")
    record = json.loads(loading.value.path().read_text("utf-8"))
    assert record == {"hanpan": 1, "game": "kulami", "options": record["options"], "actions": [*played, "j10"]}
    person.press("Delete this game")
    person.press("Yes, delete it")
    person.page.get_by_role("radio", name=title("kulami"), exact=True).wait_for()
    assert person.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('hanpan.local.'))") == []
    person.shows(0, ".continue")


def test_a_game_with_options_that_are_none_any_more_is_told_from_one_without_a_network(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.go(keep_otherwise(person, lambda kept: kept["options"].update(board="zebra")))
    person.page.get_by_role("heading", name="This game can no longer be opened").wait_for()


def test_what_this_page_can_not_draw_of_a_kept_game_leaves_the_front_page_whole(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    view = person.view()
    person.play(first_legal(view), view)
    room = keep_otherwise(person, lambda kept: kept.update(picture={"scene": "of another kind"}))
    person.go("/")
    person.page.get_by_role("radio", name=title("kulami"), exact=True).wait_for()
    person.page.get_by_role("link", name="Continue your game").click()
    person.wait_for_ply(1)
    assert person.room == room


def test_of_many_kept_games_the_last_are_shown_and_older_ones_when_asked_for(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    script = """(kept) => {
        for (let n = 0; n < 25; n++) {
            const game = { ...kept, id: `old${n}`, changed: kept.changed - 60000 * n, result: { winner: [0], reason: "resigned" } };
            localStorage.setItem(`hanpan.local.${game.id}`, JSON.stringify(game));
        }
    }"""
    person.page.evaluate(script, person.kept())
    person.go("/")
    person.shows(10, ".kept li")
    person.press("Show older games")
    person.shows(20, ".kept li")
    person.press("Show older games")
    person.shows(25, ".kept li")
    person.shows(0, "main > section > button.alone")


def test_a_page_whose_server_has_other_rules_now_is_loaded_anew_by_trying_again(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    parts = person._get("/api/engines")
    was = parts | {"kulami": {part: re.sub("[0-9a-f]{16}", 16 * "0", path) for part, path in parts["kulami"].items()}}
    person.page.route("**/api/engines", lambda route: route.fulfill(json=was))  # as the page was told before the server was another version
    person.page.reload()
    person.page.get_by_role("heading", name="This game can't be opened right now").wait_for()
    person.page.unroute("**/api/engines")
    person.press("Try again")
    person.page.wait_for_selector(".board-frame[data-game]")


def test_what_happens_in_one_window_is_seen_in_the_others(visitor):
    person = visitor(Hermit)
    person.page.evaluate("localStorage.setItem('hanpan.level', '1')")
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    room, front = person.room, person.context.new_page()
    front.goto(person.server.url)
    front.get_by_role("link", name="Continue your game").wait_for()
    other = person.context.new_page()
    other.goto(person.server.url + room)
    other.wait_for_selector(".board-frame[data-game]")
    for _ in range(4):
        assert turn(person, person.ply() - 1)
        view = person.view()
        person.play(first_legal(view), view)
    assert turn(person, person.ply())
    soon(lambda: other.get_attribute(".board-frame", "data-ply"), str(person.ply()))
    person.press("Resign")
    person.press("Yes, resign")
    front.locator(".kept li").wait_for()
    other.wait_for_selector(".result h2")
    front.get_by_role("button", name="Delete this game").click()
    front.get_by_role("button", name="Yes, delete it").click()
    soon(front.locator(".kept li").count, 0)


def test_a_page_that_was_put_aside_for_the_back_button_knows_afterwards_what_has_happened(visitor):
    person = visitor(Hermit)
    person.page.evaluate("localStorage.setItem('hanpan.level', '1')")
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    aside = [person.context.new_page() for _ in range(2)]
    for page, path, seen in zip(aside, (person.room, "/"), (".board-frame[data-game]", "a[href^='/local/']"), strict=True):
        page.add_init_script("addEventListener('storage', (event) => event.stopImmediatePropagation())")  # whoever is put aside hears nothing
        page.goto(person.server.url + path)
        page.wait_for_selector(seen)
    assert turn(person, -1)
    view = person.view()
    person.play(first_legal(view), view)
    assert turn(person, 1)
    person.press("Resign")
    person.press("Yes, resign")
    person.page.wait_for_selector(".result h2")
    room, front = aside
    assert (room.get_attribute(".board-frame", "data-ply"), front.locator(".kept li").count()) == ("0", 0)
    for page in aside:
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    room.wait_for_selector(".result h2")
    front.locator(".kept li").wait_for()
    assert room.get_attribute(".board-frame", "data-ply") == str(person.ply())


def test_a_browser_that_has_no_room_for_a_game_plays_it_for_this_visit(visitor):
    person = visitor(Hermit)
    person.context.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };")
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.heard("it lasts until you close the page")
    assert person.ply() == 0


def test_games_that_had_to_make_room_for_another_are_told_of(visitor):
    person = visitor(Hermit)
    person.until_playable("kulami")
    ended = {"game": "kulami", "options": {}, "chairs": [{}, {}], "started": 1, "changed": 1, "actions": [], "resigned": []}
    ended["result"] = {"winner": [0], "reason": "resigned"}
    for id in ("old", "older"):
        person.page.evaluate("game => localStorage.setItem('hanpan.local.' + game.id, JSON.stringify(game))", ended | {"id": id})
    person.context.add_init_script("""
        const put = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, text) {
            if (/^hanpan\\.local/.test(key) && this.getItem("hanpan.local.old")) throw new DOMException("full", "QuotaExceededError");
            put.call(this, key, text);
        };
    """)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.heard("games that ended long ago have made room")


def test_a_game_in_which_one_has_played_is_offered_before_those_that_were_only_begun(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    view = person.view()
    person.play(first_legal(view), view)
    played = person.room
    for _ in range(3):
        person.start("kulami", "Two at one screen")
        person.page.wait_for_selector(".board-frame[data-game]")
    person.go("/")
    person.page.wait_for_selector(".continue .here")
    ways = person.page.locator(".continue a").evaluate_all("found => found.map((each) => each.pathname)")
    assert ways[0] == played
    assert len(ways) == 2


@pytest.fixture
def strict_server(tmp_path):
    """A server that lets few guests in by one address."""
    running = ServerProcess(tmp_path, unlimited_local=False, guests_per_hour=1, requests_per_minute=6000).start()
    yield running
    running.stop()


def test_whom_the_server_lets_wait_reads_how_long_and_plays_meanwhile(visitor, strict_server):
    late = visitor(Hermit, strict_server)
    while late.context.request.post(f"{strict_server.url}/api/guest").ok:  # until no more guests are let in
        late.context.clear_cookies()
    late.start("kulami", "Against the computer")
    assert late.kept()["game"] == "kulami"
    line = late.page.locator(".lost-line").inner_text()
    assert re.search(r"Try again in \d+ s", line), line
    assert "No connection" not in line
    turn(late, -1)
    view = late.view()
    late.play(first_legal(view), view)


def test_where_the_rules_can_not_be_had_the_server_has_them(visitor):
    person = visitor(Hermit)
    person.start("kulami", "Two at one screen")
    person.page.wait_for_selector(".board-frame[data-game]")
    room = person.room
    person.page.route("**/*.wasm", lambda route: route.abort())
    person.go(room)
    person.page.get_by_role("heading", name="This game can't be opened right now").wait_for()
    person.page.unroute("**/*.wasm")
    person.press("Try again")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.page.route("**/*.wasm", lambda route: route.abort())
    person.go("/")
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".seat.mine.acting")
    assert person.room.startswith("/r/")


def test_a_game_is_kept_in_ones_account(visitor, login_server):
    person = visitor(Hermit, at=login_server)
    registered(person, "hermit@example.org")
    person.go("/")
    person.start("kulami", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    person.press("Resign")
    person.press("Yes, resign")
    person.page.wait_for_selector(".result h2")
    person.page.locator(".result .share-game > button").click()
    person.press("Keep it in my account")
    person.heard("It is among your games now.")
    mine = json.loads(person.page.request.get(person.server.url + "/api/me").text())["person"]["id"]
    (line,) = person._get(f"/api/people/{mine}/games")
    assert (line["result"]["reason"], [who["bot"] for who in line["people"]]) == ("resigned", [None, 2])
