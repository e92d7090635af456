"""The drop-in for `fights`, step by step beside the real one (0.9.0)."""

from pathlib import Path

import numpy as np
import pytest

from hanpan.envs.fights import PuoriborEnv, PuoriborState

RECORDED = Path(__file__).parent / "fights-games.npz"  # games that the real one played, with the states it gave


def equal(mine, theirs):
    return (
        np.array_equal(mine.board, theirs.board)
        and np.array_equal(mine.walls_remaining, theirs.walls_remaining)
        and mine.done == theirs.done
        and mine.board.dtype == theirs.board.dtype
    )


def outcome(env, state, agent, action):
    try:
        return env.step(state, agent, action)
    except ValueError:
        return None


def play(games, seed, whole_lists, tries):
    """Random games on both; in some positions all legal arrays, in all positions some arbitrary actions are compared."""
    real = pytest.importorskip("fights.envs.puoribor")
    dice = np.random.default_rng(seed)
    mine, theirs = PuoriborEnv(), real.PuoriborEnv()
    refused = after_the_end = 0
    for _ in range(games):
        a, b = mine.initialize_state(), theirs.initialize_state()
        assert equal(a, b)
        agent, most = 0, int(dice.integers(2, 44))
        for _ in range(most):
            legal = mine.legal_actions(a, agent)
            if dice.random() < whole_lists:
                for who in range(2):
                    assert np.array_equal(mine.legal_actions(a, who), theirs.legal_actions(b, who))
                assert str(a) == str(b)
                assert np.array_equal(a.perspective(1), b.perspective(1))
                assert np.array_equal(a.perspective(0), b.perspective(0))
            for _ in range(tries):
                wild = [int(dice.integers(-1, 5)), int(dice.integers(-1, 10)), int(dice.integers(-1, 10))]
                who = int(dice.integers(0, 2))
                x, y = outcome(mine, a, who, wild), outcome(theirs, b, who, wild)
                assert (x is None) == (y is None), (wild, str(b))
                assert x is None or equal(x, y)
                refused += x is None
            kinds = np.flatnonzero(legal.any(axis=(1, 2)))
            kind = dice.choice(kinds) if dice.random() < 0.8 else 0
            choices = np.argwhere(legal[kind])
            action = [int(kind), *choices[dice.integers(len(choices))].tolist()]
            a, b = mine.step(a, agent, action), theirs.step(b, agent, action)
            assert equal(a, b), (action, str(b))
            after_the_end += a.done
            agent = 1 - agent if dice.random() < 0.95 else agent  # the state does not know whose turn it is
    return refused, after_the_end


def test_games_that_the_real_one_has_played():
    env = PuoriborEnv()
    with np.load(RECORDED) as recorded:
        moves, walls, done = recorded["moves"], recorded["walls"], recorded["done"]
        boards = recorded["boards"].astype(np.int_)
        legal = np.unpackbits(recorded["legal"], axis=1, count=4 * 81).reshape(-1, 4, 9, 9)
    state = env.initialize_state()
    for i, (begins, agent, *action) in enumerate(moves.tolist()):
        state = env.initialize_state() if begins else state
        assert np.array_equal(env.legal_actions(state, agent), legal[i])
        state = env.step(state, agent, action)
        assert equal(state, PuoriborState(boards[i], walls[i].astype(np.int_), bool(done[i])))


@pytest.mark.slow
def test_the_same_games_as_the_real_one():
    refused, _ = play(40, 1, 0.02, 4)
    assert refused > 500


@pytest.mark.slow
def test_thousands_of_games_as_the_real_one():
    refused, after_the_end = play(2000, 2, 0.001, 1)
    assert refused > 10_000
    assert after_the_end > 5


def test_states_survive_as_plain_data():
    env = PuoriborEnv()
    state = env.step(env.initialize_state(), 0, [1, 4, 2])
    again = PuoriborState.from_dict(state.to_dict())
    assert equal(again, state)


def test_callbacks_are_called_before_and_after():
    env, told = PuoriborEnv(), []
    env.step(env.initialize_state(), 0, [0, 4, 1], pre_step_fn=lambda *seen: told.append(seen), post_step_fn=lambda *seen: told.append(seen))
    assert [(state.board[0, 4].argmax(), agent, action) for state, agent, action in told] == [(0, 0, [0, 4, 1]), (1, 0, [0, 4, 1])]


def test_what_is_wrong_is_said():
    env = PuoriborEnv()
    first = env.initialize_state()
    for action, reason in (
        ([0, 4, 8], "other pawn"),
        ([9, 0, 0], "kind of action"),
        ([0, 9, 0], "out of board"),
        ([3, 7, 0], "window"),
        ([0, 4], r"\[kind, x, y\]"),
    ):
        with pytest.raises(ValueError, match=reason):
            env.step(first, 0, action)
    with pytest.raises(ValueError, match="agent_id"):
        env.step(first, 2, [0, 4, 1])
