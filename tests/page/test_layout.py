"""Nothing is cut off, covered, squeezed, unreadable or left in another language, in small windows and in every language."""

import random
from pathlib import Path
from urllib.parse import quote

import pytest
from test_accessible import GAMES, in_the_middle
from test_result import play
from visitors import NO_CLOCK, PHONE, Hermit, beside, mover_of, soon

import hanpan
from hanpan.client import Client

pytestmark = pytest.mark.slow
FLAWS = (Path(__file__).parent.parent.parent / "tools" / "flaws.js").read_text("utf-8")
PAGES = ("/", "/lobby", "/watch", "/learn/goita", "/best", "/archive", "/replay", "/login", "/me")
SMALL, LYING = (PHONE | {"viewport": {"width": wide, "height": high}} for wide, high in ((360, 640), (844, 390)))
DESK = {"viewport": {"width": 1440, "height": 900}}
WINDOWS = {"en": SMALL, "ko": LYING, "ja": SMALL, "zh": LYING, "en-US": DESK}
HIDDEN = """(all) => all.filter((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const seen = (x, y) => { const at = document.elementFromPoint(x, y); return at && (each.contains(at) || at.contains(each)); };
    return top < 0 || bottom > innerHeight || right > innerWidth || ![top + 2, (top + bottom) / 2, bottom - 2].every((y) => seen((left + right) / 2, y));
}).map((each) => each.getAttribute("aria-label") ?? each.innerText)"""

COVERED = """(all) => all.filter((each) => {
    each.focus();
    const { left, top, width, height } = each.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return !at || !(each.contains(at) || at.contains(each));
}).map((each) => each.getAttribute("aria-label") ?? each.innerText)"""


def flaws(person):
    """What the page's elements tell, by day and by night."""
    found = []
    for theme in ("light", "dark"):
        person.page.emulate_media(color_scheme=theme)
        found += [(theme, *flaw) for flaw in person.page.evaluate(f"({FLAWS})({'true' if theme == 'dark' else 'false'})")]
    return found


@pytest.mark.parametrize(("language", "context"), WINDOWS.items(), ids=WINDOWS)
def test_every_page_fits_its_window(visitor, language, context):
    person = visitor(**context, locale=language)
    for path in PAGES:
        person.go(path)
        person.page.wait_for_function("() => !document.querySelector('main[aria-busy], main .skeleton')")
        assert flaws(person) == [], path


def test_what_is_wrong_with_a_page_is_found(visitor):
    """The looking itself: a page that is spoilt on purpose."""
    person = visitor(**SMALL, locale="ko")
    person.page.evaluate("""() => { document.querySelector("main").innerHTML = `
        <h1 data-css="width: 40px; overflow: hidden; white-space: nowrap">아주 긴 제목입니다</h1>
        <button data-css="width: 12px; height: 12px; min-height: 0; padding: 0">가</button>
        <p data-css="color: #bbb">흐린 글</p><p>English words</p><p>{name}</p><p data-css="width: 500px">넓다</p><p>가나<br>· 다라</p>
        <p data-css="width: 40px">byo-yomi</p><button disabled data-css="color: #ccc">흐린 단추</button>
        <button class="quiet" data-css="align-self: start; padding: 0">꽉 찬 단추</button>`;
        for (const each of document.querySelectorAll("[data-css]")) each.style.cssText = each.dataset.css; }""")
    found = flaws(person)
    assert {kind for _, kind, _ in found} >= {"cut", "small", "contrast", "english", "raw", "scrolls sideways", "begins with", "torn", "tight"}
    assert any(kind == "contrast" and "흐린 단추" in what for _, kind, what in found), "what is disabled is read, too"


def hidden(person, *selectors):
    """What of these is outside the window or under something else."""
    person.page.evaluate("scrollTo(0, 0)")
    return person.page.locator(", ".join(selectors)).evaluate_all(HIDDEN)


def test_on_a_phone_on_its_side_the_analysis_has_the_whole_board_and_its_buttons_in_the_window(visitor):
    person = visitor(Hermit, **LYING)
    for game in hanpan.games():
        person.until_playable(game)
        person.go(f"/analysis/{game}?position={quote(str(hanpan.game(game).start(seed=1)))}")
        person.page.wait_for_selector(".board-frame[data-ply]")
        soon(lambda: hidden(person, ".board", ".eval", ".steps button"), [])


@pytest.mark.parametrize("size", [(320, 568), (568, 320)], ids=["standing", "lying"])
def test_on_the_smallest_phones_the_line_at_the_board_is_whole_and_what_is_aimed_at_can_be_confirmed(visitor, size):
    person = visitor(Hermit, **PHONE | {"viewport": dict(zip(("width", "height"), size, strict=True))})
    for game in hanpan.games():
        person.start(game, "Two at one screen" if hanpan.game(game).seats == 2 else "Against the computer")
        person.page.wait_for_selector(".prompt")
        assert flaws(person) == [], game
        if game == "puoribor":
            person.point("e4v")
            person.page.wait_for_selector(".board-line .yes")
            soon(lambda: hidden(person, ".board-line .yes", ".board-line .back"), [])


def test_nothing_that_comes_up_in_a_room_hides_a_seat_or_a_button(visitor):
    lying, desk = visitor(**LYING), visitor(**DESK)
    lying.sit_down_with(desk, game="puoribor", settings={"rated": False, "time": {"kind": "turn", "turn_ms": 600_000}})
    first = mover_of([lying, desk])
    people = sorted((lying, desk), key=lambda person: person is not first)
    seats, buttons = ".seats .seat", (".board-line button", ".offer button")
    for tab in ("Moves", "Chat", "People", "Settings"):
        lying.page.get_by_role("tab", name=tab).tap()
        lying.page.wait_for_selector(".side:not(.closed)")
        lying.shows(2, ".seats .clock")
        soon(lambda: hidden(lying, seats, ".seats .clock"), [])
        assert flaws(lying) == [], tab
    lying.page.get_by_role("tab", name="Settings").tap()
    typed = desk.page.locator(".typed")
    before = typed.bounding_box()
    moves = iter(("e2", "e8", "e3", "e7", "e4", "e6"))
    play(people, next(moves), next(moves))
    if mover_of(people) is desk:
        play(people, next(moves))
        people.reverse()
    soon(typed.bounding_box, before)  # one types where one has begun to
    for person in people:
        person.page.locator(".offer", has_text="Yes, tell me").wait_for()  # asked whether to be told of one's turn
        soon(lambda person=person: hidden(person, seats, ".prompt", *buttons), [])
    for moving, asking in ((lying, desk), (desk, lying)):
        moving.page.wait_for_function("() => document.querySelectorAll('.board-line button').length === 6")
        for button, yes in (("Ask for a takeback", "Allow it"), ("Offer a draw", "Agree to a draw")):
            asking.press(button)
            moving.page.get_by_role("button", name=yes).wait_for()
            asking.page.wait_for_selector(".offers > .offer")
            for person in people:
                soon(person.page.get_by_role("button", name=button, exact=True).is_disabled)  # it stands already
                soon(lambda person=person: hidden(person, seats, ".prompt", *buttons), [])
                assert flaws(person) == [], button
            line = lying.page.locator(".board-line button").last.bounding_box()
            assert line["y"] + line["height"] + 2 <= lying.page.get_by_role("tablist").bounding_box()["y"]
            moving.press("No, thanks")
            for person in people:
                person.page.wait_for_selector(".offers button", state="detached")
            if moving is lying:  # who has not asked yet
                moving.page.locator(".board-line button:not([aria-disabled=true])", has_text=button).wait_for()
            asking.page.locator(".board-line button[aria-disabled=true]", has_text=button).wait_for()  # until they have acted again
        if moving is lying:
            play(people, next(moves))
    desk.shows(6, ".board-line button")
    rows = "(all) => new Set(all.map((each) => Math.round(each.getBoundingClientRect().y))).size"
    soon(lambda: desk.page.locator(".board-line button").evaluate_all(rows), 1)  # six buttons stand in one row on a desk


async def to_the_end(clients, game, options):
    """These people play any game to its end; where."""
    for client in clients:
        await client.open()
    opened = await clients[0].new_room(game, options=options, settings={"rated": False, "time": NO_CLOCK})
    rooms = [opened, *[await client.enter(opened.id) for client in clients[1:]]]
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
        await room.call("set ready")
    for room in rooms:
        await room.until(lambda room=room: bool(room.board))
    state, chance = hanpan.game(game, **options).start(), random.Random(3)
    while not state.over:
        seat, ply, action = state.seat, rooms[0].ply, chance.choice(state.legal())
        await rooms[seat].play(action, ply)
        state = state.play(action)
        for room in rooms:
            await room.until(lambda room=room, ply=ply: room.ply > ply)
    return f"/r/{opened.id}"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_whole_in_a_window_that_is_magnified_four_times(visitor, game):
    """A desk's window of 1280×1024 has 320×256 then. The board may be higher than that: it is as large as the window is wide."""
    person = visitor()
    in_the_middle(person, game)
    for wide, high in ((320, 256), (400, 300), (568, 320)):
        person.page.set_viewport_size({"width": wide, "height": high})
        person.page.reload()
        person.page.wait_for_selector(".board-frame[data-ply] .board")
        person.page.wait_for_selector(".board-line button, .table .seat.mine")
        assert [flaw for flaw in flaws(person) if flaw[1] != "board cut"] == [], (wide, high)
        assert person.page.locator(".table button").evaluate_all(COVERED) == [], (wide, high)


def test_however_much_there_is_to_say_of_the_end_both_seats_are_in_the_window(visitor):
    people = [visitor(**DESK, locale="ja"), visitor(**LYING, locale="ko")]
    with beside() as do:
        clients = [Client(person.server.url, person.token) for person in people]
        room = do(to_the_end(clients, "kulami", {"level": 2}))
        for person in people:
            person.go(room)
            person.page.wait_for_selector(".result h2")
            soon(lambda person=person: hidden(person, ".seats .seat", ".result", ".result-next > *"), [])
            assert flaws(person) == []
        for client in clients:
            do(client.__aexit__(None, None, None))


@pytest.mark.parametrize("context", [DESK, PHONE], ids=["desk", "phone"])
def test_the_lobby_scrolls_only_for_its_rooms(visitor, context):
    person = visitor(**context)
    person.go("/lobby")
    person.page.wait_for_selector(".lobby-columns")
    if context is PHONE:
        person.page.get_by_role("tab", name="Chat").tap()
    person.page.wait_for_function(
        "() => { for (const room of document.querySelectorAll('.rooms')) room.hidden = true; return document.documentElement.scrollHeight <= innerHeight; }"
    )


def test_the_ring_around_what_has_the_focus_touches_nothing_beside_it(visitor):
    person = visitor(**DESK)
    person.page.locator(".head .menu:not(.mine) > button").click()
    touched = """(fields) => fields.flatMap((field) => {
        field.focus();
        const ringed = field.type === "checkbox" ? field : field.nextElementSibling, style = getComputedStyle(ringed);
        const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset), box = ringed.getBoundingClientRect();
        const label = field.closest("label"), beside = field.type === "checkbox" ? field.nextElementSibling : label.nextElementSibling;
        const next = beside?.getBoundingClientRect();
        const same = next && next.top < box.bottom && next.bottom > box.top;
        return style.outlineStyle === "none" || (same && box.right + ring + 1 > next.left) ? [label.innerText] : [];
    })"""
    person.page.keyboard.press("Tab")  # from now on the focus is shown
    fields = person.page.locator(".head .sheet input:is([type=radio], [type=checkbox])")
    soon(lambda: fields.count() >= 5)
    assert fields.evaluate_all(touched) == []
