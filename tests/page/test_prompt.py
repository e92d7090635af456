"""The line at the board leads a newcomer through a turn: what to do now, what is waited for, why something was not possible."""

import pytest
from serving import PATIENT, ServerProcess
from visitors import PHONE, mover_of, soon

import hanpan

pytestmark = pytest.mark.slow

TARGETS = "() => [...document.querySelectorAll('.board [data-target]')].map((each) => each.dataset.target).sort()"


DICE = """() => {
    window.dice = [];
    new MutationObserver(() => {
        const seen = [...document.querySelectorAll('.roll > g')].map((die) => die.querySelectorAll('circle').length);
        if (seen.length) window.dice = seen;
    }).observe(document.body, { subtree: true, childList: true });
}"""


def says(person, text):
    """The line says exactly this, now or soon, or has just said it."""
    person.heard(text, whole=True)


def at_a_table(visitor, game, options, *contexts):
    """People who have opened a room with these options and are about to sit down."""
    host = visitor(**contexts[0])
    people = [host, *(visitor(**context) for context in contexts[1:])]
    room = host.new_room(game, options=options)
    for person in people:
        person.go(room)
    return people


def targets(person, wanted):
    """What can be pointed at, now or soon."""
    soon(lambda: person.page.evaluate(TARGETS), wanted)


def name_of(person):
    return person.page.inner_text(".seat.mine .who")


def board_at(person):
    return person.page.locator(".board").bounding_box()


@pytest.mark.parametrize("context", [{}, PHONE])
def test_the_line_leads_through_a_game_of_wall_go(visitor, context):
    people = at_a_table(visitor, "wallgo", {"size": 5, "pieces": 1}, context, context, {})
    one, other, watcher = people
    says(one, "Sit down to play, or watch from here.")
    one.press("Sit down and play")
    says(one, "Waiting for 1 more player")
    other.page.evaluate(DICE)
    other.press("Sit down and play")
    mover = mover_of([one, other])
    waiting = other if mover is one else one
    other.page.wait_for_function("() => window.dice.length === 2 && window.dice.every((pips) => 1 <= pips && pips <= 6)")  # they were seen
    stands = board_at(mover)
    says(mover, "You go first. Place a piece: 1 left")
    says(waiting, f"{name_of(mover)} goes first")
    says(watcher, f"{name_of(mover)} goes first")
    waiting.point("a1")
    says(waiting, f"It is not your turn. {name_of(mover)} goes first")
    mover.play("c3", mover.view())
    waiting.wait_for_ply(2)
    says(mover, f"Waiting for {name_of(waiting)}")
    says(watcher, f"Waiting for {name_of(waiting)}")
    waiting.point("c3")
    says(waiting, "A piece already stands on c3.")
    waiting.play("a1", waiting.view())
    mover.wait_for_ply(3)

    says(mover, "Choose one of your pieces to move")
    mover.point("c3")
    says(mover, "Choose where it goes; the piece itself to stay")
    targets(mover, ["a3", "b2", "b3", "b4", "c1", "c2", "c3", "c4", "c5", "d2", "d3", "d4", "e3"])
    mover.point("c3")  # once more: it stays
    says(mover, "Now build a wall beside it")
    targets(mover, ["b3|", "c2-", "c3-", "c3|"])  # its four edges, seen without pointing at them
    mover.page.locator(".board .targets .glow").first.wait_for()
    mover.point("e5")
    says(mover, "Not there. Now build a wall beside it")
    assert mover.page.locator(".notice").count() == 0
    mover.page.keyboard.press("Escape")
    says(mover, "Choose one of your pieces to move")
    mover.shows(0, ".board .chosen > *")
    soon(lambda: board_at(mover), stands)
    mover.play("c3r", mover.view())
    says(mover, f"Waiting for {name_of(waiting)}")
    colour = ["vermilion", "indigo"][int(mover.page.get_attribute(".seat.mine", "data-seat"))]
    for person in people:
        person.page.wait_for_selector(f".board .piece.wall rect[fill='var(--{colour})']", state="attached")


def test_walls_and_blocks_are_planned_with_a_finger(visitor):
    me = visitor(**PHONE)
    me.start("puoribor", "Two at one screen")
    me.page.wait_for_selector(".board-frame[data-game]")
    says(me, "Vermilion: Move your pawn, build a wall or rotate a block: 10 left")
    targets(me, ["d1", "e2", "f1"])
    view = hanpan.game("puoribor").start(seed=1)
    walls = sorted(action for action in view.legal() if action[-1] in "hv")
    blocks = sorted(action for action in view.legal() if action[-1] == "r")
    me.press("Build a wall")
    says(me, "Vermilion: Choose where the wall goes")
    targets(me, walls)
    me.point("c3v")
    says(me, "Vermilion: Once more to confirm")
    soon(lambda: me.page.inner_text(".board-line .yes"), "Confirm: wall 3 to 4, between c and d")  # in words, not in notation
    me.page.wait_for_selector(".ghosts .ghost", state="attached")
    assert me.ply() == 0
    me.page.keyboard.press("Escape")
    says(me, "Vermilion: Move your pawn, build a wall or rotate a block: 10 left")
    me.point("turn")
    says(me, "Vermilion: Choose the middle of the 4×4 block to rotate")
    targets(me, blocks)
    me.page.locator("[data-mode=slot]").tap()  # from one plan to the other
    targets(me, walls)
    me.point("c3v")
    me.page.wait_for_selector(".board-line .yes")
    me.point("c3v")
    me.wait_for_ply(1)
    says(me, "Indigo: Move your pawn, build a wall or rotate a block: 10 left")
    me.press("Build a wall")
    targets(me, sorted(set(walls) - {"c3v", "c3h", "c2v", "c4v"}))


@pytest.fixture
def unhurried(tmp_path):
    """A server whose computer players take their time, so that one sees that they are waited for."""
    running = ServerProcess(tmp_path, quick_bots=False, patience=PATIENT).start()
    yield running
    running.stop()


def test_the_computer_is_waited_for_by_name(visitor, unhurried):
    me = visitor(at=unhurried)
    me.start("reversedrop", "Against the computer")
    me.page.wait_for_selector(".board-frame[data-game]")
    me.page.wait_for_function("() => /Choose one of your pieces to step|is thinking/.test(document.querySelector('.prompt')?.innerText)")
    seen = me.page.evaluate_handle("""() => {
        const seen = [], line = document.querySelector('.prompt');
        new MutationObserver(() => seen.push(line.innerText)).observe(line, { subtree: true, childList: true, characterData: true });
        return seen;
    }""")
    me.page.wait_for_function("() => document.querySelector('.prompt')?.innerText === 'Choose one of your pieces to step'")
    view = me.view()
    copying = next(action for action in view.legal() if "+" in action)
    first, second, _ = view.clicks(copying)
    me.point(first)
    says(me, "Choose where it steps")
    me.point(second)
    says(me, "Choose where the copy appears")
    me.page.keyboard.press("Escape")
    ply = me.ply()
    me.play(copying, view)
    me.wait_for_ply(ply + 2)  # one's own action, and the computer's
    me.page.wait_for_function("() => document.querySelector('.prompt')?.innerText === 'Choose one of your pieces to step'")
    assert any(text.endswith(" is thinking") for text in seen.json_value())


def test_whoever_has_resigned_of_three_is_not_spoken_to_any_more(visitor):
    people = [visitor(), visitor(), visitor()]
    people[0].sit_down_with(*people[1:], game="wallgo", options={"players": 3, "size": 5, "pieces": 1}, settings={"rated": False})
    first = mover_of(people)
    buttons = {name: first.page.get_by_role("button", name=name, exact=True) for name in ["Hint", "Ask for a takeback", "Resign", "Auto move"]}
    for button in buttons.values():
        button.wait_for()
    first.press("Resign")
    first.press("Yes, resign")
    first.page.locator(".seat.mine", has_text="Resigned").wait_for()
    others = [person for person in people if person is not first]
    for _ in range(2):
        mover = mover_of(others)
        mover.play(mover.view().legal()[0], mover.view())
    soon(lambda: {name: button.count() for name, button in buttons.items()}, dict.fromkeys(buttons, 0))
    assert first.page.get_by_label("Type a move").count() == 0
    assert "Your turn" not in first.page.inner_text("main")
