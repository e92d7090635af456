"""A game added from outside the package appears on the page and is played there, without a line of it in web/."""

import pytest
from visitors import PHONE, play_to_the_end, soon

import hanpan

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("context", [{}, PHONE], ids=["desk", "phone"])
def test_tic_tac_toe_appears_and_is_played_against_the_computer(visitor, context):
    person = visitor(**context)
    person.start("tictactoe", "Against the computer")
    person.page.wait_for_selector(".board-frame[data-game]")
    play_to_the_end([person], hanpan.bot("tictactoe", 8).choose)
    soon(lambda: person.page.inner_text(".result h2") in ("A draw", "You won!"))
    soon(lambda: person.page.locator(".board .piece.stone").count() >= 5)
