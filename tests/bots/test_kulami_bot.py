"""Kulami's computer player: it judges alike from both sides, solves endings and beats the published player."""

import random
from pathlib import Path

import numpy as np
import pytest
from exact import true_value

import hanpan
from hanpan.bots.deepening import Deepening
from hanpan.bots.levels import levels
from hanpan.bots.match import play_match
from hanpan.bots.pairs import Plan
from hanpan.games.kulami import evaluate


def positions(count, seed, **options):
    dice = random.Random(seed)
    while count:
        state = hanpan.game("kulami", **options).start(seed=dice.randrange(1000))
        for _ in range(dice.randrange(2, 40)):
            if state.over:
                break
            state = state.play(dice.choice(state.legal()))
        if not state.over:
            yield state
            count -= 1


def endings(count):
    """Positions with 46 marbles on the board, found in games of a quick player."""
    found, seed, nodes = [], 0, levels("kulami", 2)[1].nodes  # so much work, however long it takes
    while len(found) < count:
        game = hanpan.game("kulami", board="random")
        state, bot = game.start(seed=seed), hanpan.bot("kulami", level=2, seed=seed, megabytes=8, nodes=nodes)
        for _ in range(46):
            if not state.over:
                state = state.play(bot.choose(state))
        if not state.over:
            found.append(state)
        seed += 1
    return found


def judged(state, how=evaluate.values):
    out = np.zeros(2, np.int32)
    how(state.record[0], out)
    return out.tolist()


@pytest.mark.slow
def test_endings_are_solved_exactly_draws_too():
    seen = set()
    for state in endings(40):
        sign = 1 if state.seat == 0 else -1
        *_, result = Deepening("kulami", 4).think(state.record, None, 1_000_000, 64, 0, 1, patient=True)
        true = sign * true_value(state.game, state.record)
        top = next(iter(result.values.values()))
        assert result.sure
        assert (top > 900_000) - (top < -900_000) == true, str(state)
        action = {number: text for text, number in state.actions.items()}[result.best]
        assert sign * true_value(state.game, state.play(action).record) == true
        seen.add(true)
    assert seen >= {1, -1}


@pytest.mark.slow
def test_a_drawn_ending_is_known_to_be_drawn():
    drawn = [state for state in endings(60) if true_value(state.game, state.record) == 0]
    assert drawn
    for state in drawn:
        *_, result = Deepening("kulami", 4).think(state.record, None, 1_000_000, 64, 0, 1, patient=True)
        assert result.sure
        assert next(iter(result.values.values())) == 0


@pytest.mark.slow
def test_it_beats_the_published_player(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    plan = Plan("kulami", {"board": "a"}, ("8@20000", "python:opponents.kulami_minimax:CompiledMinimax"), None, openings=2, megabytes=16)
    assert play_match(plan, 4).report()["score"] >= 0.75
