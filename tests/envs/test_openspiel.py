"""OpenSpiel loads every game, finds nothing wrong, and its own algorithms play them."""

import pickle

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.observation import make_observation

import hanpan
import hanpan.envs.openspiel
from hanpan.envs import batch, observations

GAMES = [
    "hanpan_kulami",
    "hanpan_kulami(board=random,level=2)",
    "hanpan_puoribor(walls=2)",
    "hanpan_reversedrop(max_plies=40)",
    "hanpan_wallgo(players=3,size=3,pieces=1)",
    "hanpan_goita(target=20)",
    "hanpan_tictactoe",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_openspiel_finds_nothing_wrong(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


def test_states_survive_as_text():
    pyspiel.random_sim_test(pyspiel.load_game("hanpan_tictactoe"), num_sims=2, serialize=True, verbose=False)


def test_what_is_not_legal_is_refused_and_nothing_is_played():
    state = pyspiel.load_game("hanpan_goita(draws=3)").new_initial_state()
    while True:
        before = str(state)
        for action in {-2, 3, 84, 10**6} - set(state.legal_actions()):
            with pytest.raises(ValueError, match=f"action: {action} is not legal here"):
                state.apply_action(action)
        assert (str(state), state.history()) == (before, state.history()[: state.move_number()])
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[0])


@pytest.mark.parametrize("name", GAMES)
def test_a_game_can_be_pickled(name):
    table = pyspiel.load_game(name)
    again = pickle.loads(pickle.dumps(table))
    assert str(again) == str(table)
    assert str(again.new_initial_state()) == str(table.new_initial_state())


def test_every_game_is_registered():
    assert {f"hanpan_{name}" for name in hanpan.games()} <= set(pyspiel.registered_names())


def test_options_and_results_are_ours():
    table = pyspiel.load_game("hanpan_wallgo(players=3,size=3,pieces=1)")
    assert (table.num_players(), table.num_distinct_actions()) == (3, 9 * 53)
    state = table.new_initial_state()
    dice = np.random.default_rng(1)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(int(dice.choice(legal)))
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    assert [value > 0 for value in returns] == [seat in state.position.winner for seat in range(3)]
    with pytest.raises(ValueError, match=r"draws: 0"):
        hanpan.envs.openspiel.SpielGame.__subclasses__()[0]({"draws": 0})


@pytest.mark.parametrize("name", GAMES)
def test_actions_have_the_numbers_that_a_batch_gives_them(name):
    table = pyspiel.load_game(name)
    state, dice = table.new_initial_state(), np.random.default_rng(2)
    options = {key: value for key, value in table.get_parameters().items() if key != "draws"}
    env = batch(name.partition("(")[0].removeprefix("hanpan_"), n=1, **options)
    for _ in range(12):
        while state.is_chance_node():
            state.apply_action(1)
        env._first = state.position.record
        env.reset()  # so it begins with this position
        legal = state.legal_actions()
        assert legal == np.flatnonzero(env.legal_mask()[0]).tolist()
        assert sorted(state.action_to_string(action) for action in legal) == state.position.legal()
        action = int(dice.choice(legal))
        text, before = state.action_to_string(action), state.position
        state.apply_action(action)
        assert str(state) == str(before.play(text))
        if state.is_terminal():
            break


def test_goita_has_chance_and_information_states():
    table = pyspiel.load_game("hanpan_goita(no_yaku=True,no_goshi=True,draws=7)")
    state = table.new_initial_state()
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 7
    while state.is_chance_node():
        state.apply_action(3)
    seat = state.current_player()
    assert state.information_state_string() == f"seat {seat}: {state.position.view(seat)}"
    other = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert other.information_state_string(seat) == state.information_state_string(seat)
    assert str(other) != str(state)
    seen = make_observation(table)
    seen.set_from(state, seat)
    assert np.array_equal(seen.dict["planes"], observations.observation(state.position, seat))


def test_mcts_of_openspiel_wins_at_once_when_it_can():
    table = pyspiel.load_game("hanpan_puoribor(walls=0)")
    state = table.new_initial_state()
    for text in ("e2", "e8", "e3", "d8", "e4", "d7", "e5", "d6", "e6", "d5", "e7", "d4", "e8", "d3"):
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a) == text))
    bot = mcts.MCTSBot(table, 2.0, 60, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), random_state=np.random.RandomState(1))
    assert state.action_to_string(bot.step(state)) == "e9"


def test_information_set_mcts_of_openspiel_plays_goita():
    table = pyspiel.load_game("hanpan_goita(target=10,no_yaku=True,no_goshi=True)")
    state = table.new_initial_state()
    while state.is_chance_node():
        state.apply_action(5)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    bot = ismcts.ISMCTSBot(
        game=table,
        uct_c=2.0,
        evaluator=evaluator,
        max_simulations=6,
        max_world_samples=-1,
        random_state=np.random.RandomState(3),
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        allow_inconsistent_action_sets=False,
        child_selection_policy=ismcts.ChildSelectionPolicy.PUCT,
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.slow
def test_counterfactual_regret_minimisation_of_openspiel_learns():
    table = pyspiel.load_game("hanpan_wallgo(size=3,pieces=1,draws=2)")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(table)
    for _ in range(10):
        solver.iteration()
    assert solver.average_policy().action_probabilities(_first_turn(table))
    small = pyspiel.load_game("hanpan_puoribor(walls=0,max_plies=4)")
    full = cfr.CFRSolver(small)
    before = exploitability.nash_conv(small, full.average_policy())
    for _ in range(3):
        full.evaluate_and_update_policy()
    assert exploitability.nash_conv(small, full.average_policy()) <= before


def _first_turn(table):
    state = table.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    return state
