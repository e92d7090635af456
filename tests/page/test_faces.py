"""People have faces, computer players have names, and guests are called in their own language."""

import re

import pytest
from visitors import soon


def test_someone_has_the_same_face_everywhere(visitor):
    person, other = visitor(), visitor()
    person.start("tictactoe", "Against the computer")
    person.page.wait_for_selector(".seat.mine .face")
    mine = person.page.locator(".mine .face").first.inner_html()
    soon(person.page.locator(".seat.mine .face").inner_html, mine)
    other.go("/lobby")
    name = person.page.inner_text(".head .mine .who")
    soon(other.page.locator(".sitter", has_text=name).locator(".face").inner_html, mine)
    soon(other.page.locator(".people li", has_text=name).locator(".face").first.inner_html, mine)
    assert other.page.locator(".head .mine .face").inner_html() != mine


@pytest.mark.slow
def test_three_computer_players_of_one_level_are_three(visitor):
    person = visitor()
    person.start("goita", "Against the computer")
    person.page.wait_for_function("() => document.querySelectorAll('.seat .face.computer').length === 3")
    names = person.page.locator(".seat .name:has(.computer) .who")
    soon(lambda: sorted(names.all_inner_texts()), ["Acorn", "Clover", "Sprout"])
    assert len({face.inner_html() for face in person.page.locator(".seat .face.computer").all()}) == 3


@pytest.mark.parametrize(("locale", "letters", "computer"), [("ko-KR", "[가-힣]", "새싹"), ("ja-JP", "[ぁ-んァ-ン]", "ふたば"), ("zh-CN", "[一-龥]", "嫩芽")])
def test_guests_and_computers_are_called_in_the_visitors_language(visitor, locale, letters, computer):
    person = visitor(locale=locale)
    soon(lambda: re.match(letters, person.page.inner_text(".head .mine .who")) is not None)
    person.page.locator(".begin", has_text=computer).wait_for()
