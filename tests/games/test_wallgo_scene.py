"""Wall Go: what is seen of how a position came about."""

import pickle

import pytest

import hanpan
from hanpan.core.scene import Motion


@pytest.fixture
def played():
    """Seat 2 goes first, and both have built a wall."""
    state = hanpan.game("wallgo", size=5, pieces=1).start()
    for action in ("dice 2 5", "c3", "a1", "c3r", "a1d"):
        state = state.play(action)
    return state


def builders(state):
    return {piece.id: piece.seat for piece in state.scene().look.pieces if piece.kind == "wall"}


def test_walls_bear_their_builders_colour(played):
    assert builders(played) == {"wall-a1-": 0, "wall-c3|": 1}
    assert builders(played.view(None)) == builders(played.view(1)) == builders(pickle.loads(pickle.dumps(played))) == builders(played)
    svg = played.svg()
    assert 'fill="var(--vermilion)"' in svg
    assert "var(--lacquer)" not in svg.split("</style>")[-1]


def test_who_built_a_wall_is_no_part_of_the_position(played):
    read = played.game.parse(str(played))
    assert builders(read) == {"wall-a1-": None, "wall-c3|": None}
    assert read == played
    assert hash(read) == hash(played)
    assert builders(read.play("c3l"))["wall-b3|"] == 1


def test_the_dice_are_seen_until_someone_acts():
    state = hanpan.game("wallgo", players=3).start().play("dice 2 5 1")
    assert state.view(2).scene().motions == (Motion("dice", faces=(2, 5, 1)),)
    assert state.play("a1").scene().motions == ()
    drawn = hanpan.game("wallgo").start(seed=7)
    assert len(drawn.scene().motions[0].faces) == 2
