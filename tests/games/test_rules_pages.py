"""The rules are shown, not only told: pictures inside the text and captions at the demo's moves, the same in every language."""

import json
import re
from importlib.resources import files

import pytest

import hanpan
from hanpan.core.words import LANGUAGES
from hanpan.record import GameRecord
from hanpan.rulebook import rulebook

GAMES = ("goita", "kulami", "puoribor", "reversedrop", "wallgo")
PICTURE = re.compile(r"^!\[([^\]]+)\]\(demo:(\d+)(?:-(\d+))?\)$", re.MULTILINE)


def text(game, name):
    return files(rulebook(game).package).joinpath(name).read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_in_the_rules_is_a_position_of_the_demo(game):
    last = len(GameRecord.from_text(text(game, "demo.txt")).actions)
    shown = {}
    for language in LANGUAGES:
        page = text(game, f"words/{language}.md")
        assert len(PICTURE.findall(page)) == page.count("!["), language  # each stands alone in its line, as the page draws it
        shown[language] = [(int(first), int(end or first)) for _, first, end in PICTURE.findall(page)]
        assert shown[language]
        assert all(0 <= first <= end <= last for first, end in shown[language])
        assert shown[language] == shown["en"]


@pytest.mark.parametrize("game", GAMES)
def test_every_page_says_how_actions_are_written(game):
    heads = {"en": "In writing", "ko": "적는 법", "ja": "書き方", "zh": "记法"}
    written = {language: re.search(rf"^## {heads[language]}\n(.*?)(?=^## |\Z)", text(game, f"words/{language}.md"), re.M | re.S)[1] for language in LANGUAGES}
    examples = {language: set(re.findall("`([^`]+)`", told)) for language, told in written.items()}
    assert all(examples[language] == examples["en"] for language in LANGUAGES)


def test_the_examples_are_read_as_they_are_written():
    wallgo = hanpan.game("wallgo", size=4, pieces=1).start().play("dice 3 5").play("a1").play("b2")
    assert {"b2-c3r", "b2r"} <= set(wallgo.play("a1d").legal())
    goita = hanpan.game("goita").start().play("dealer 2").play("deal 11234567,11234589,11234567,11112345")
    after = goita.play("13")
    assert after.seat == 2
    assert "p" in after.legal()


@pytest.mark.parametrize("game", GAMES)
def test_the_demo_is_told_from_its_beginning_to_its_end(game):
    record = GameRecord.from_text(text(game, "demo.txt"))
    told = [int(ply) for ply in json.loads(text(game, "words/en.json"))["demo"]]
    assert told == sorted(told)
    assert told[0] == 0
    assert len(told) >= 5
    assert told[-1] <= len(record.actions)
    if record.final().over:
        assert told[-1] == len(record.actions)  # how it ended


def test_a_picture_in_the_rules_becomes_a_figure_of_the_page():
    from hanpan.server.http.pictures import _rules

    for game in hanpan.games():
        for language in LANGUAGES:
            assert "<img" not in _rules(game, language)
    assert '<figure data-first="24" data-last="25"><figcaption>' in _rules("puoribor", "en")


def test_where_a_line_of_the_text_ends_no_space_stands_between_letters_that_have_none():
    from hanpan.server.http.pictures import _rules

    letter = "[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]"
    for game in GAMES:
        for language in ("ja", "zh"):
            shown = re.sub(r"<[^>]+>", "", _rules(game, language).replace("</td>", "|").replace("</th>", "|"))
            assert not re.search(f"{letter} {letter}|{letter}\n{letter}(?!.*\n\n)", re.sub(r"\n+(?=\S)", "¶", shown)), (game, language)


@pytest.mark.parametrize("game", GAMES)
def test_in_chinese_a_space_stands_between_chinese_and_latin_letters_or_digits(game):
    for name in ("words/zh.md", "words/zh.json"):
        assert re.findall("[\u4e00-\u9fff][A-Za-z0-9`].*|.*[A-Za-z0-9`][\u4e00-\u9fff]", text(game, name)) == []
