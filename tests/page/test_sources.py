"""The page knows no game: neither a name nor a rule of any stands in its sources."""

from pathlib import Path

import pytest

import hanpan

SOURCES = Path(__file__).parent.parent.parent / "web" / "src"


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.*")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_game_is_named_in_the_page(path):
    text = path.read_text("utf-8").lower()
    for game in hanpan.games():
        name = hanpan.game(game).book.say(hanpan.words.Phrase("name")).lower()
        assert game not in text, game
        assert name not in text, name
