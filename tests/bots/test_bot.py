"""What every computer player keeps to, in every game."""

import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from itertools import islice, pairwise

import numpy as np
import pytest

import hanpan
from hanpan.bots import Bot
from hanpan.bots.bot import make_searcher
from hanpan.bots.levels import levels
from hanpan.bots.show import analyses, patiently, told

every_game = pytest.mark.parametrize("name", hanpan.games())


def somewhere(name, plies=6, seed=3, **options):
    """A position in the middle of a game, with something to choose."""
    state, ply = hanpan.game(name, **options).start(seed=seed), 0
    while ply < plies or state.chance or len(state.legal()) < 2:
        action = state.draw(seed + ply) if state.chance else state.legal()[ply * 5 % len(state.legal())]
        state, ply = state.play(action), ply + 1
        if state.over:  # a short game
            return somewhere(name, plies - 1, seed, **options)
    return state


def ended(name):
    state, dice = hanpan.game(name).start(seed=1), random.Random(1)
    while not state.over:
        state = state.play(state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal()))
    return state


@every_game
def test_every_level_plays_a_legal_action(name):
    state = somewhere(name)
    for level in range(1, 9):
        assert hanpan.bot(name, level=level, megabytes=16, nodes=500).choose(state) in state.legal()


@every_game
def test_without_time_there_is_a_legal_action_at_once(name):
    state, bot = somewhere(name), Bot(name, 8, megabytes=16)
    for _ in range(20):
        assert bot.choose(state, seconds=0) in state.legal()


@every_game
def test_nonsense_is_refused_with_a_reason(name):
    bot, state = Bot(name, 2, megabytes=16, nodes=100), somewhere(name)
    other = next(other for other in hanpan.games() if other != name)
    for wrong, reason in [
        (ended(name), "the game is over"),
        (hanpan.game(other).start(seed=1), f"is not a position of {name}"),
        (str(state), f"is not a position of {name}"),
        (None, f"is not a position of {name}"),
        (state.view(None), "already the view of a spectator"),
        (state.view((state.seat + 1) % state.game.seats), "already the view of seat"),
    ]:
        with pytest.raises(ValueError, match=reason):
            bot.choose(wrong)
        with pytest.raises(ValueError, match=reason):
            next(bot.analyse(wrong))
    first = state.game.start()
    if first.chance:
        with pytest.raises(ValueError, match="chance is to act"):
            bot.choose(first)
    for seconds in (-1, float("nan"), float("inf"), "1", True):
        with pytest.raises(ValueError, match="seconds: "):
            bot.choose(state, seconds=seconds)
    assert bot.choose(state.view(state.seat)) in state.legal()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"name": "chess"}, "'chess' is not a game"),
        ({"name": None}, "None is not a game"),
        ({"level": 0}, "level: 0 is not in 1…8"),
        ({"level": 9}, "level: 9"),
        ({"level": True}, "level: True"),
        ({"level": "8"}, "level: '8'"),
        ({"megabytes": 0}, "megabytes: 0"),
        ({"threads": 0}, "threads: 0"),
        ({"nodes": 0}, "nodes: 0"),
        ({"nodes": 1.5}, "nodes: 1.5"),
        ({"seed": "x"}, "seed: 'x'"),
    ],
)
def test_settings_that_can_not_be_are_refused(settings, reason):
    with pytest.raises(ValueError, match=reason):
        Bot(**{"name": "kulami"} | settings)


@pytest.mark.parametrize("seconds", [np.float32(0), np.float64(0), np.int64(0)])
def test_a_time_may_be_a_number_of_an_array(seconds):
    state = hanpan.game("kulami").start()
    assert hanpan.bot("kulami", megabytes=8).choose(state, seconds=seconds) in state.legal()


def test_settings_may_be_numbers_of_arrays():
    bot = Bot("kulami", np.int64(3), threads=np.uint8(1), nodes=np.int32(50))
    assert repr(bot) == "hanpan.bot('kulami', level=3)"


def test_a_player_in_the_middle_of_an_analysis_says_so_instead_of_waiting_for_itself():
    bot, state = hanpan.bot("kulami", megabytes=8), hanpan.game("kulami").start()
    thinking = bot.analyse(state, seconds=60)
    next(thinking)
    for other in (lambda: bot.choose(state, seconds=0), lambda: next(bot.analyse(state, seconds=0))):
        with pytest.raises(ValueError, match="this player is in the middle of an analysis"):
            other()
    assert next(thinking).depth > 1
    thinking.close()
    assert bot.choose(state, seconds=0) in state.legal()


@every_game
def test_twins_choose_alike(name):
    """Two worlds that look the same to the seat to act: same seed, same action."""
    for seed in range(3):
        state = somewhere(name, plies=5 + seed, seed=seed)
        seen = state.view(state.seat)
        for level in (2, 7):
            chosen = {
                Bot(name, level, seed=9, megabytes=16, nodes=300).choose(world) for world in (state, seen, seen.imagine(seed + 100), seen.imagine(seed + 200))
            }
            assert len(chosen) == 1


@every_game
def test_thinking_ends_when_another_thread_says_so(name):
    state, bot = somewhere(name), Bot(name, 8, megabytes=16)
    steps = []
    for step in bot.analyse(state):  # without a limit
        steps.append(step)
        if len(steps) == 2:
            threading.Thread(target=bot.stop).start()
    assert set(steps[-1].values) <= set(state.legal())
    assert bot.choose(state, seconds=0) in state.legal()  # and it can think again


@every_game
def test_a_bot_that_is_stopped_before_it_began_still_answers(name):
    state, bot = somewhere(name), Bot(name, 8, megabytes=16)
    bot.stop()
    answers = []
    thinking = threading.Thread(target=lambda: answers.append(bot.choose(state, seconds=900_000)))
    thinking.start()
    while thinking.is_alive():
        bot.stop()  # again and again, also in the very first moments
        time.sleep(0)
    assert answers[0] in state.legal()


@every_game
def test_an_analysis_knows_actions_and_a_line_that_can_be_played(name):
    state = somewhere(name)
    for number, analysis in enumerate(Bot(name, megabytes=16).analyse(state)):
        assert set(analysis.values) <= set(state.legal())
        assert list(analysis.line[:1]) == list(analysis.values)[:1]
        if number == 3:
            break


@pytest.mark.slow
def test_the_best_action_has_the_highest_value_even_where_a_deeper_look_was_cut_short():
    cut_short = 0
    for name, nodes in (("kulami", 20_000), ("reversedrop", 2_000), ("kulami", 2_000)):
        for plies in range(0, 12, 3):
            *_, before, last = Bot(name, nodes=nodes, megabytes=16).analyse(somewhere(name, plies=plies, seed=plies))
            values = list(last.values.values())
            assert values == sorted(values, reverse=True), (name, nodes, plies)
            cut_short += next(iter(before.values)) != next(iter(last.values)) and before.depth < last.depth
    assert cut_short


def test_among_three_each_seat_has_its_chance_to_win():
    state = somewhere("wallgo", plies=30, players=3)
    *_, last = Bot("wallgo", nodes=500, megabytes=16).analyse(state)
    assert len(last.chances) == 3
    assert sum(last.chances) == pytest.approx(1)
    own = last.chances[state.seat]
    assert (own > 0.5) == (next(iter(last.values.values())) > 0)
    assert next(Bot("kulami", nodes=500, megabytes=16).analyse(somewhere("kulami"))).chances == ()


def last_choice(name):
    """The last position of a game in which somebody had to choose: for most searches a decided one."""
    state, dice = hanpan.game(name).start(seed=1), random.Random(1)
    last = state
    while not state.over:
        if not state.chance and len(state.legal()) > 1:
            last = state
        state = state.play(state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal()))
    return last


@every_game
def test_what_is_found_out_is_plain_data(name):
    for state in (somewhere(name), last_choice(name)):
        bot = Bot(name, megabytes=16)
        for analysis in islice(bot.analyse(state, seconds=0.2), 6):
            json.dumps(asdict(analysis))
            assert type(analysis.sure) is bool
        searcher = make_searcher(name, state.game.seats, 16, 1)
        for result in islice(searcher.think(state.view(state.seat).record, 0.2, 5_000, 8, 0, 1), 6):
            json.dumps({"values": result.values, "depth": result.depth, "nodes": result.nodes, "line": result.line, "sure": result.sure})


def test_the_garbage_collector_does_not_look_at_the_compiler_and_its_code_while_someone_thinks():
    Bot("kulami", 2, megabytes=16, nodes=100).choose(somewhere("kulami"))
    assert gc.get_freeze_count() > 20_000


@every_game
def test_memory_is_what_was_allowed(name):
    for megabytes in (16, 64):
        searcher = make_searcher(name, hanpan.game(name).seats, megabytes, 1)
        assert arrays(searcher, set()) <= (megabytes + 8) << 20


def arrays(thing, seen):
    """Bytes of all arrays that an object of ours holds."""
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return thing.nbytes if thing.base is None else arrays(thing.base, seen)
    if isinstance(thing, (list, tuple, set)):
        return sum(arrays(item, seen) for item in thing)
    if isinstance(thing, dict):
        return sum(arrays(item, seen) for item in thing.values())
    if type(thing).__module__.startswith(("hanpan.bots", "hanpan.games")) and hasattr(thing, "__dict__"):
        return arrays(vars(thing), seen)
    return 0


@every_game
def test_levels_grow(name):
    table = levels(name, hanpan.game(name).seats)
    assert len(table) == 8
    for lower, upper in pairwise(table):
        assert lower.nodes <= upper.nodes
        assert lower.depth <= upper.depth
        assert lower.softness >= upper.softness
        assert lower != upper
    assert all(0 < level.seconds <= 0.95 and level.depth >= 1 for level in table)


# --- thinking that a person may interrupt ---


def press_ctrl_c():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


@pytest.fixture
def ctrl_c_works():
    """Whoever starts the tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_works")
def test_ctrl_c_asks_for_the_answer_and_nothing_is_lost():
    stopped = threading.Event()

    def think():
        press_ctrl_c()
        stopped.wait()
        return "b2"

    assert patiently(think, stopped.set) == "b2"


@pytest.mark.usefixtures("ctrl_c_works")
def test_a_second_ctrl_c_gives_up():
    waiting = threading.Event()

    def think():
        press_ctrl_c()
        waiting.wait()

    with pytest.raises(KeyboardInterrupt):
        patiently(think, press_ctrl_c)
    waiting.set()


def test_what_goes_wrong_while_thinking_is_told():
    with pytest.raises(ZeroDivisionError):
        patiently(lambda: 1 // 0, lambda: None)


@pytest.mark.usefixtures("ctrl_c_works")
def test_an_analysis_ends_with_ctrl_c():
    stopped = threading.Event()

    class Thinker:
        stop = stopped.set

        def analyse(self, state, seconds):
            yield 1
            press_ctrl_c()
            stopped.wait()
            yield 2

    assert list(analyses(Thinker(), None, None)) == [1, 2]


def test_values_are_told_in_points_or_plies():
    assert (told(0), told(-1.25), told(9999.95), told(-9999.9)) == ("+0.00", "-1.25", "wins in 5", "loses in 10")
    assert (told(8999.93), told(-8999.94)) == ("should win in 7", "should lose in 6")


ROLLS = """
import tictactoe.rules as rules
from hanpan.core.rule import CHANCE, plain
from hanpan.game import game
from hanpan.bots.deepening import Deepening

mover = rules.mover
rules.mover = lambda s: CHANCE if sum(map(bool, s.cell)) % every == every - 1 else mover(s)  # as if a die were thrown now and then
rules.chance = lambda s, rng: None
rules.mover.rule_name = rules.chance.rule_name = "rolls"
found = list(Deepening("tictactoe", 1).think(game("tictactoe").start().record, None, 300, 64, -1, 1, True))
print(found[-1].depth, found[-1].nodes)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("every", "told"), [(2, ["1", "9"]), (3, None)])
def test_no_depth_is_claimed_beyond_a_chance_that_follows_every_action(every, told):
    environment = os.environ | {"HANPAN_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", f"every = {every}{ROLLS}"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == told if told else int(done.stdout.split()[0]) > 1
