"""PettingZoo's and Gymnasium's own checks, and that they are the same games."""

import copy

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import hanpan
import hanpan.envs
from hanpan.core.rule import rng
from hanpan.envs import aec, batch
from hanpan.envs.table import raw_env
from hanpan.envs.vector import VectorTable

pytestmark = pytest.mark.slow

GAMES = [
    ("kulami", {}),
    ("kulami", {"board": "build"}),
    ("puoribor", {"walls": 2}),
    ("reversedrop", {"max_plies": 30}),
    ("wallgo", {"players": 3, "size": 4, "pieces": 2}),
    ("goita", {"target": 50}),
    ("tictactoe", {}),
]
every_game = pytest.mark.parametrize(("name", "options"), GAMES, ids=[f"{name}-{options}" for name, options in GAMES])


@every_game
def test_pettingzoo_finds_nothing_wrong(name, options, capfd):
    api_test(aec(name, **options), num_cycles=120)
    seed_test(lambda: aec(name, **options), num_cycles=20)


@pytest.mark.parametrize(("name", "options"), [GAMES[5], GAMES[0], *GAMES[2:5], GAMES[6]])
def test_pettingzoo_sees_every_kind_of_picture(name, options, capsys):
    render_test(lambda render_mode: aec(name, render_mode=render_mode, **options), {"svg": lambda text: text.startswith("<svg")})


@every_game
def test_a_table_and_a_batch_play_the_same_game(name, options):
    table, env = raw_env(name, **options), batch(name, n=1, seed=6, **options)
    table._chance = rng(6, 0).reshape(1, -1)  # that of the batch's first game
    table.reset()
    for _ in range(60):
        seen = table.observe(table.agent_selection)
        assert table.agent_selection == f"seat_{env.turn[0]}"
        assert np.array_equal(seen["observation"], env.observe()[0])
        assert np.array_equal(seen["action_mask"], env.legal_mask()[0])
        action = int(env.random_actions()[0])
        table.step(action)
        env.step([action])
        if env.done[0]:
            assert [table.rewards[agent] for agent in table.possible_agents] == pytest.approx(env.rewards[0].tolist())
            assert all(table.terminations.values())
            break
        assert not any(table.terminations.values())


@every_game
def test_a_copy_of_a_table_goes_on_as_the_table_would(name, options):
    table = raw_env(name, **options)
    table.reset(seed=2)
    other = copy.deepcopy(table)
    for _ in range(8):
        seen = table.observe(table.agent_selection)
        assert np.array_equal(other.observe(other.agent_selection)["observation"], seen["observation"])
        action = int(np.flatnonzero(seen["action_mask"])[-1])
        table.step(action)
        assert str(other.state_now) != str(table.state_now)
        other.step(action)
        assert str(other.state_now) == str(table.state_now)
        if any(table.terminations.values()):
            break


def test_a_copy_of_a_vector_of_games_goes_on_as_they_would():
    envs = gymnasium.make_vec("hanpan/goita-v0", num_envs=3)
    seen, _ = envs.reset(seed=5)
    other = copy.deepcopy(envs)
    for _ in range(20):
        actions = [int(np.flatnonzero(mask)[0]) for mask in seen["action_mask"]]
        (seen, *_), (same, *_) = envs.step(actions), other.step(actions)
        assert all(np.array_equal(seen[key], same[key]) for key in seen)
    assert seen["observation"].any()


def test_only_the_mover_has_a_mask_and_secrets_stay_secret():
    table = raw_env("goita", no_goshi=True, no_yaku=True)
    table.reset(seed=3)
    for seat, agent in enumerate(table.possible_agents):
        seen = table.observe(agent)
        assert bool(seen["action_mask"].any()) == (agent == table.agent_selection)
        hand = table.state_now.view(seat).record["hand"][0, seat]
        assert seen["observation"][0].sum(axis=1).tolist() == [int(hand) >> 4 * code & 15 for code in range(1, 10)]


def test_an_illegal_action_is_an_error_in_the_bare_environment_and_loses_in_the_wrapped_one():
    bare = raw_env("kulami")
    bare.reset(seed=1)
    with pytest.raises(ValueError, match=r"action: 0 is not legal for seat_0 here"):
        bare.step(0)
    for action in (35.9, True, 2**70, -1, None):
        with pytest.raises(ValueError, match=r"action: \S+ is not legal for seat_0 here"):
            bare.step(action)
    with pytest.raises(ValueError, match=r"action: '35' is not legal for seat_0 here"):  # 35 is
        bare.step("35")
    bare.step(np.uint8(35))
    assert bare.agent_selection == "seat_1"
    wrapped = aec("kulami")
    wrapped.reset(seed=1)
    wrapped.observe("seat_0")
    wrapped.step(0)
    assert wrapped.rewards["seat_0"] == -1
    with pytest.raises(ValueError, match=r"render_mode: 'gif' is not one of"):
        aec("kulami", render_mode="gif")


def test_pettingzoo_makes_a_table():
    table = pettingzoo.make("aec", "hanpan/wallgo-v0", players=3, size=4, pieces=1)
    table.reset(seed=1)
    assert table.unwrapped.game == hanpan.game("wallgo", players=3, size=4, pieces=1)
    assert set(table.agents) == {"seat_0", "seat_1", "seat_2"}


@every_game
def test_games_of_a_vector_say_how_they_ended(name, options):
    envs = VectorTable(name, 3, threads=1, **options)
    alone = [raw_env(name, **options) for _ in range(3)]
    seen, infos = envs.reset(seed=4)
    for i, table in enumerate(alone):
        table._chance = rng(4, i).reshape(1, -1)  # that of the batch's game
        table.reset()
    dice, told = np.random.default_rng(1), 0
    for _ in range(400):
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        acted = [table.agent_selection for table in alone]
        seen, _, ended, _, infos = envs.step(actions)
        assert ("final_obs" in infos) == ("final_info" in infos) == bool(ended.any())
        for i, table in enumerate(alone):
            table.step(int(actions[i]))
            assert all(table.terminations.values()) == ended[i]
            if ended[i]:
                final = table.observe(acted[i])
                assert infos["_final_obs"][i]
                assert infos["_final_info"][i]
                assert np.array_equal(infos["final_obs"][i]["observation"], final["observation"])
                assert not infos["final_obs"][i]["action_mask"].any()
                assert envs.single_observation_space.contains(infos["final_obs"][i])
                assert infos["final_info"]["rewards"][i].tolist() == pytest.approx([table.rewards[agent] for agent in table.possible_agents])
                assert infos["final_info"]["scores"][i].tolist() == table.state_now.scores
                table.reset()
                told += 1
            elif ended.any():
                assert infos["final_obs"][i] is None
                assert not infos["_final_obs"][i]
    assert told > 2


def test_gymnasium_makes_a_vector_of_games():
    envs = gymnasium.make_vec("hanpan/kulami-v0", num_envs=3)
    seen, infos = envs.reset(seed=5)
    assert isinstance(envs.unwrapped, VectorTable)
    assert envs.observation_space.contains(seen)
    assert infos["turn"].tolist() == [0, 0, 0]
    total = np.zeros(3)
    for _ in range(60):
        actions = [int(np.flatnonzero(mask)[0]) for mask in seen["action_mask"]]
        seen, rewards, ended, cut, infos = envs.step(actions)
        assert envs.observation_space.contains(seen)
        assert not cut.any()
        assert np.array_equal(rewards != 0, ended & (infos["rewards"] != 0).any(axis=1))
        total += ended
    assert total.min() >= 1
    with pytest.raises(ValueError, match=r"seed: give one number"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match=r"render_mode: 'human'"):
        VectorTable("kulami", 2, render_mode="human")
    assert hanpan.envs.Batch is type(envs.unwrapped.batch)
