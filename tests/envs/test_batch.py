"""Batches: the same games action for action however they are run, the right masks, rewards and new beginnings."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from variants import every_variant

import hanpan
from hanpan.core.rule import CHANCE, OVER, below, plain, rng
from hanpan.envs import batch, observations
from hanpan.envs.batch import Batch

pytestmark = pytest.mark.slow

TOY = {"puoribor": {"walls": 3}, "kulami": {}, "wallgo": {}, "reversedrop": {"max_plies": 40}, "goita": {"target": 50}}


def single(game, i, seed, plies, run):
    """Game i of a batch, played alone by the rules (compiled, or interpreted through `run`), choosing as `random_actions` does."""
    rules = game.book.rules
    mover, legal, apply, chance = (run(f) for f in (rules.mover, rules.legal, rules.apply, rules.chance))
    seen = run(observations.seen_action(game.name))
    s, out, draws, dice = game.start().record, game.book.actions_buffer(), rng(seed, i), rng(seed, (1 << 40) + i)
    for _ in range(plies):
        while (who := mover(s[0])) < 0:
            if who == OVER:
                s = game.start().record
            else:
                assert who == CHANCE
                chance(s[0], draws)
        numbers = sorted(int(seen(s[0], who, int(a))) for a in out[: legal(s[0], out)])
        yield s, who, numbers
        apply(s[0], int(seen(s[0], who, numbers[below(dice, len(numbers))])))


@every_variant()
def test_batched_single_and_interpreted_games_are_equal_action_for_action(game):
    if game.options.get("black") == 1:
        with pytest.raises(ValueError, match=r"these games end before anyone can act"):
            Batch(game, n=5)
        return
    env = Batch(game, n=5, seed=8)
    lone = [single(game, i, 8, 45, plain if i == 4 else lambda rule: rule) for i in range(5)]
    for _ in range(45):
        mask, planes = env.legal_mask(), env.observe()
        for i, one in enumerate(lone):
            s, who, numbers = next(one)
            assert s.tobytes() == env.states[i].tobytes()
            assert env.turn[i] == who
            assert np.flatnonzero(mask[i]).tolist() == numbers
            state = hanpan.State(game, s, -3)
            assert np.array_equal(observations.observation(state, who), planes[i])
        env.step(env.random_actions())


@pytest.mark.parametrize("name", TOY)
def test_a_game_does_not_depend_on_the_batch_around_it_nor_on_threads(name):
    few, many = batch(name, n=3, seed=5, **TOY[name]), batch(name, n=700, seed=5, threads=3, **TOY[name])
    again = batch(name, n=3, seed=1, **TOY[name]).reset(5)
    other = batch(name, n=3, seed=6, **TOY[name])
    for _ in range(150):
        for env in (few, many, again, other):
            env.step(env.random_actions())
        assert few.states.tobytes() == many.states[:3].tobytes() == again.states.tobytes()
        assert np.array_equal(few.rewards, many.rewards[:3])
    assert few.states.tobytes() != other.states.tobytes()


@pytest.mark.parametrize("name", TOY)
def test_games_end_with_rewards_that_add_up_to_nothing_and_begin_again(name):
    env = batch(name, n=128, seed=2, **TOY[name])
    ended = decided = 0
    for _ in range(400):
        before = env.states.copy()
        actions = env.random_actions().copy()
        turn = env.turn.copy()
        env.step(actions)
        over = np.flatnonzero(env.done)
        assert np.allclose(env.rewards.sum(axis=1), 0)
        assert env.scores.shape == env.rewards.shape == (128, env.seats)
        assert not env.rewards[env.done == 0].any()
        for i in over[:3]:
            final = hanpan.game(name, **TOY[name]).start().record
            final[0] = before[i]
            rules = env.game.book.rules
            rules.apply(final[0], int(observations.seen_action(name)(final[0], int(turn[i]), int(actions[i]))))
            scores = env.game.book.scores_buffer()
            if rules.mover(final[0]) == OVER:
                winners = rules.outcome(final[0], scores)
                assert env.scores[i].tolist() == scores[: env.seats].tolist()
                assert [reward > 0 for reward in env.rewards[i]] == [bool(winners >> seat & 1) for seat in range(env.seats)]
        ended += len(over)
        decided += int((env.rewards[over] > 0).any(axis=1).sum())
    assert ended > 20
    assert decided > 10


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "copy", "pickle"])
@pytest.mark.parametrize("name", [*TOY, "tictactoe"])
def test_a_copy_goes_on_as_the_batch_would_and_does_not_change_it(name, again):
    env = batch(name, n=130, seed=3, threads=2, **TOY.get(name, {}))
    for _ in range(20):
        env.step(env.random_actions())
    env.observe()
    other = again(env)
    assert np.array_equal(other.packed_planes, env.packed_planes)
    before, seen = env.states.copy(), env.observe().copy()
    played = []
    for _ in range(30):
        played.append((other.observe().copy(), other.legal_mask().copy(), other.random_actions().copy()))
        other.step(played[-1][-1])
    assert env.states.tobytes() == before.tobytes()
    assert np.array_equal(env.observe(), seen)
    for planes, mask, actions in played:
        assert np.array_equal(env.observe(), planes)
        assert np.array_equal(env.legal_mask(), mask)
        assert np.array_equal(env.random_actions(), actions)
        env.step(actions)
    assert env.states.tobytes() == other.states.tobytes()
    for what in ("turn", "rewards", "scores", "done", "refused"):
        assert np.array_equal(getattr(env, what), getattr(other, what)), what


def test_a_forked_process_steps_its_parents_batch():
    env = batch("tictactoe", n=200, seed=4, threads=2)
    env.step(env.random_actions())
    end, tell = multiprocessing.Pipe(duplex=False)

    def child():
        tell.send_bytes(env.step(env.random_actions()).states.tobytes())

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    try:
        assert end.poll(60), "the child waits for threads that it does not have"
        told = end.recv_bytes()
        process.join(60)
    finally:
        process.kill()
        process.join()
    assert told == env.step(env.random_actions()).states.tobytes()


def test_illegal_actions_are_refused_and_nothing_is_played():
    env = batch("kulami", n=3, seed=1)
    before = env.states.copy()
    with pytest.raises(ValueError, match=r"actions: 0 is not legal in game 1 \(2 of 3 were refused\)"):
        env.step([44, 0, 100])
    assert env.refused.tolist() == [0, 1, 1]
    assert env.states[1:].tobytes() == before[1:].tobytes()
    assert env.states[0].tobytes() != before[0].tobytes()
    quiet = batch("kulami", n=3, seed=1, check=False)
    assert quiet.step([44, -1, 45]).refused.tolist() == [0, 1, 0]


@pytest.mark.parametrize("given", [35.9, 35, [35], [35.0] * 4, ["35"] * 4, [35 + 1j] * 4, [True] * 4, [[35]] * 4, [2**70] * 4, None, [35] * 5])
@pytest.mark.parametrize("check", [True, False])
def test_what_is_not_an_action_for_every_game_is_refused(given, check):
    env = batch("kulami", n=4, seed=1, check=check)
    before = env.states.copy()
    with pytest.raises(ValueError, match=r"actions: \S+ \[.*\] is given, and whole numbers \[4\] are needed"):
        env.step(given)
    assert env.states.tobytes() == before.tobytes()


@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.uint32])
def test_a_number_too_large_is_not_taken_for_another(kind):
    env = batch("kulami", n=3, seed=1)
    far = 2**32 + 35 if kind != np.uint32 else 2**31
    with pytest.raises(ValueError, match=rf"actions: {far} is not legal in game 1 \(1 of 3 were refused\)"):
        env.step(np.array([44, far, 45], kind))
    assert env.turn.tolist() == [1, 0, 1]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64])
def test_whole_numbers_of_any_size_are_actions(kind):
    env = batch("kulami", n=4, seed=1)
    assert env.step(np.array([0, 35, 0, 35, 0, 44, 0, 45], kind)[1::2]).turn.tolist() == [1, 1, 1, 1]


def test_bad_requests_are_named():
    for n in (0, -1, 1.0, "2", True, None, 2**31, 2**70):
        with pytest.raises(ValueError, match=r"n: \S+ is not a number of games from 1 to 2147483647"):
            batch("kulami", n=n)
    for threads in (-1, "2", 1.0, True, 10**6):
        with pytest.raises(ValueError, match=r"threads: \S+ is not in 0…1024"):
            batch("kulami", n=1, threads=threads)
    with pytest.raises(ValueError, match=r"device: 'tpu' is neither cpu nor cuda"):
        batch("kulami", device="tpu")
    with pytest.raises(ValueError, match=r"level: 9 is not in 0…2"):
        batch("kulami", level=9)
    with pytest.raises(ValueError, match=r"seed: 'x' is not a whole number"):
        batch("kulami", seed="x")
