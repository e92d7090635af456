"""Scenes as SVG pictures and as letters in a terminal: what is drawn of the shapes that all games share."""

import pytest

import hanpan
from hanpan.core.scene import Label, Place
from hanpan.core.words import Phrase
from hanpan.draw import svg, terminal


def cell(x, y):
    return Place(f"{x},{y}", "cell", x, y, 1, 1, Phrase("places.cell"))


@pytest.mark.parametrize(("text", "size", "width"), [("a long name for a label", 0.4, 2.0), ("東西南北東西", 0.5, 2.0), ("go 貼貼棋 go", 0.5, 2.2)])
def test_a_text_that_is_too_long_ends_in_dots_within_its_width(text, size, width):
    shown = svg.fitting(text, size, width)
    assert shown.endswith("…")
    assert text.startswith(shown.removesuffix("…").rstrip())
    assert size * sum(1.0 if ord(letter) > 0x2E80 else 0.62 for letter in shown) <= width
    assert svg.fitting(text, size, 10 * width) == text


def test_cells_that_hang_together_have_one_rim():
    assert svg._outline([cell(0.5, 0.5)], "ink").count("M") == 4
    assert svg._outline([cell(0.5, 0.5), cell(1.5, 0.5)], "ink").count("M") == 6
    assert svg._outline([cell(0.5, 0.5), cell(2.5, 0.5)], "ink").count("M") == 8


def test_a_label_of_a_seat_is_bold_and_in_its_colour():
    state = hanpan.game("kulami").start()
    drawn = [svg._label(Label((Phrase("seats.0"),), 1, 1, 0.3, 4, seat), state.scene(), state.game.book, "en") for seat in (None, 1)]
    assert ['font-weight="700"' in each for each in drawn] == [False, True]
    assert [f"var(--{state.scene().colours[1]})" in each for each in drawn] == [False, True]


@pytest.mark.parametrize("sign", ["x", "香"])
def test_brackets_stand_around_a_piece_however_wide_it_is(sign):
    canvas = terminal._Canvas(3, 1)
    canvas.write(1.5, 0.5, sign)
    canvas.around(1.5, 0.5)
    assert f"({sign})" in canvas.text().plain


def test_the_last_marble_of_either_is_marked_in_a_terminal_too():
    state = hanpan.game("kulami").start(seed=1)
    for marbles in (1, 2):
        state = state.play(state.legal()[0])
        assert state.ascii().count("(") == marbles
