"""What a spectator's browser is sent, and shows, holds nothing that spectators may not know."""

import json

import pytest
from test_games import by_bot, friends

pytestmark = pytest.mark.slow


def test_no_hidden_koma_reaches_a_spectator(visitor):
    watcher = visitor()
    heard = []
    watcher.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    watcher.page.on("response", lambda answer: heard.append(answer.text()) if "/api/" in answer.url and answer.status == 200 else None)
    people = friends(visitor, "goita", [{}, {}, {}, {}])
    watcher.go(people[0].room)
    watcher.page.wait_for_selector(".board-frame[data-game]")
    hands = [str(person.view()) for person in people]
    choose = by_bot("goita")
    for _ in range(8):
        mover = next(person for person in people * 3 if person.my_turn())
        view, ply = mover.view(), mover.ply()
        mover.play(choose(view), view)
        for person in (*people, watcher):
            person.wait_for_ply(ply + 1)
    scenes = [json.loads(frame[frame.index("[") :])[1]["scene"] for frame in heard if '"board info"' in frame]
    assert len(scenes) >= 8
    for scene in scenes:
        for piece in scene["look"]["pieces"]:
            assert not (piece.get("face_down") and piece.get("text")), piece
    own = [hand for seat, text in enumerate(hands) for hand in secret(text, seat)]
    assert len(own) == 4
    shown = watcher.page.content()
    for hand in own:
        assert hand not in shown
        assert not any(hand in frame for frame in heard)
    backs = watcher.page.locator(".board .piece.koma:not(:has(text))").count()
    assert backs >= 32 - 2 * 8


def secret(position, seat):
    """The hand of a seat, as its own view's text has it: eight digits."""
    import re

    return re.findall(r"(?<!\d)[1-9]{8}(?!\d)", position)[:1]
