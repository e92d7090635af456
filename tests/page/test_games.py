"""Every game is played in real browsers, from the front page to its end."""

import pytest
from visitors import PHONE, Typist, mover_of, play_to_the_end

import hanpan

pytestmark = pytest.mark.slow
LARGE = {"viewport": {"width": 2560, "height": 1440}}  # the page is zoomed there


def by_bot(game, level=3):
    """The first side plays better than the other, so that the game ends."""
    bots = [hanpan.bot(game, level), hanpan.bot(game, 1)]
    return lambda view: bots[view.seat % 2].choose(view, seconds=0.05)


def for_the_first(view):
    """What is best for the first seat in the next position, whoever acts: a short game."""

    def gain(action):
        then = view.play(action)
        return then.over and then.winner == [0], then.scores[0] - then.scores[1]

    return max(view.legal(), key=gain)


def friends(visitor, game, contexts, **options):
    """Someone opens a room with a link, the others follow it and press the one button there."""
    host = visitor(**contexts[0])
    host.start(game, "With a friend", **options)
    others = []
    for context in contexts[1:]:
        guest = visitor(**context)
        guest.go(host.room)
        guest.press("Sit down and play")
        others.append(guest)
    for person in (host, *others):
        person.page.wait_for_selector(".board-frame[data-game]")
    return [host, *others]


def test_kulami_with_the_mouse(visitor):
    people = friends(visitor, "kulami", [{}, LARGE])
    play_to_the_end(people, by_bot("kulami"))
    for person in people:
        person.page.wait_for_selector(".result h2")
    words = {person.page.inner_text(".result h2") for person in people}
    assert words in ({"You won!", "You lost"}, {"A draw"})


def test_puoribor_on_phones(visitor):
    people = friends(visitor, "puoribor", [PHONE, PHONE])
    opening = ["b2v", "g7h", "a1r", "h4v"]  # walls, and a turned window

    def race(view):
        if opening:
            return opening.pop(0)
        steps = [action for action in view.legal() if len(action) == 2]
        return max(steps, key=lambda step: step[1])  # the first pawn runs to its goal row, the other stays on its own

    play_to_the_end(people, race)
    people[0].page.locator(".result h2", has_text="You won!").wait_for()


def test_wall_go_by_keyboard_alone(visitor):
    people = friends(visitor, "wallgo", [{"kind": Typist}, {"kind": Typist}], size="5")
    play_to_the_end(people, by_bot("wallgo"))
    assert people[0].record()[1]["options"]["size"] == 5


def test_reverse_drop_with_the_mouse(visitor):
    people = friends(visitor, "reversedrop", [{}, {}])
    play_to_the_end(people, for_the_first)


def test_goita_with_four(visitor):
    people = friends(visitor, "goita", [{}, {}, PHONE, {}], target="60")  # two rounds or more
    choose = by_bot("goita")
    play_to_the_end(people, lambda view: "p" if view.seat % 2 and "p" in view.legal() else choose(view))
    for person, words in zip(people, ["You won!", "You lost"] * 2, strict=True):
        person.page.locator(".result h2", has_text=words).wait_for()


def test_the_steps_of_a_turn_are_seen_by_the_others_and_can_be_taken_back(visitor):
    people = friends(visitor, "wallgo", [{}, {}])
    choose = by_bot("wallgo")
    while True:
        mover = mover_of(people)
        other = people[1 - people.index(mover)]
        view, ply = mover.view(), mover.ply()
        walks = [view.clicks(action) for action in view.legal() if len(view.clicks(action)) == 3]
        if walks:
            break
        mover.play(choose(view), view)
        for person in people:
            person.wait_for_ply(ply + 1)
    start, end, _ = next(walk for walk in walks if walk[0] != walk[1])
    mover.point(start)
    other.page.wait_for_function("() => document.querySelectorAll('.chosen > rect').length === 1")
    mover.point(end)
    other.page.wait_for_selector(".chosen .ghost", state="attached")
    mover.press("Undo a step")
    other.page.wait_for_selector(".chosen .ghost", state="detached")
    mover.page.keyboard.press("Tab")
    mover.press("Undo a step")
    other.page.wait_for_function("() => document.querySelectorAll('.chosen > rect').length === 0")
    assert (mover.ply(), other.ply()) == (ply, ply)
