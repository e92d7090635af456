"""Every game is played in real browsers, from the front page to its end."""

import hanpan
import pytest
from visitors import PHONE, Typist, play_to_the_end

pytestmark = pytest.mark.slow


def by_bot(game, level=3):
    """The first side plays better than the other, so that the game ends."""
    bots = [hanpan.bot(game, level), hanpan.bot(game, 1)]
    return lambda view: bots[view.seat % 2].choose(view, seconds=0.05)


def friends(visitor, game, contexts):
    """Someone opens a room with a link, the others follow it and press the one button there."""
    host = visitor(**contexts[0])
    host.start(game, "With a friend")
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
    people = friends(visitor, "kulami", [{}, {}])
    play_to_the_end(people, by_bot("kulami"))
    for person in people:
        person.page.wait_for_selector(".stage h2")
    words = {person.page.inner_text(".stage h2") for person in people}
    assert words in ({"You have won!", "You have lost"}, {"A draw"})


def test_puoribor_on_phones(visitor):
    people = friends(visitor, "puoribor", [PHONE, PHONE])
    play_to_the_end(people, by_bot("puoribor"))


def test_wall_go_by_keyboard_alone(visitor):
    people = friends(visitor, "wallgo", [{"kind": Typist}, {"kind": Typist}])
    play_to_the_end(people, by_bot("wallgo"))


def test_reverse_drop_with_the_mouse(visitor):
    people = friends(visitor, "reversedrop", [{}, {}])
    play_to_the_end(people, by_bot("reversedrop", 5))


def test_goita_with_four(visitor):
    people = friends(visitor, "goita", [{}, {}, PHONE, {}])
    play_to_the_end(people, by_bot("goita"))
