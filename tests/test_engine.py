"""A game as WebAssembly: record for record what the compiled rules make, and action for action what the compiled players choose."""

import gzip
import random

import numpy as np
import pytest
from variants import VARIANTS

import hanpan
from hanpan import engine
from hanpan.bots.bot import make_searcher
from hanpan.core.rule import CHANCE, OVER, hide_nothing, rng
from hanpan.core.wasm.sandbox import Sandbox
from hanpan.rulebook import rulebook

pytestmark = pytest.mark.slow
NAMES = sorted({name for name, _ in VARIANTS})


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def module(name):
    return engine.module(name)


MOST_BYTES = 150_000  # compressed, so that a game opens at once


def test_a_module_is_small(name, module):
    assert len(gzip.compress(module, mtime=0)) <= MOST_BYTES, name


class Twins:
    """One position, twice: worked on by the compiled rules, and inside a sandbox."""

    def __init__(self, book, module):
        self.book, self.box = book, Sandbox(module)
        self.native = [np.zeros(1, book.rules.State), book.actions_buffer(), book.scores_buffer(), rng(3)]
        self.inside = [self.box.copy(array) for array in self.native]
        self.compiled = {name: function for name, (function, _) in engine.jobs(book.name).items()}

    def both(self, name, *arguments):
        """Call a rule on both; the numbers stand for the arrays above, a pair for one record and a number for itself."""
        answers = []
        for arrays, function in ((self.native, self.compiled[name]), (self.inside, self.box.rule(name))):
            given = [arrays[a[0]] if isinstance(a, tuple) and len(a) == 1 else arrays[a[0]][a[1]] if isinstance(a, tuple) else a for a in arguments]
            answers.append(function(*given))
        assert answers[0] == answers[1], (name, arguments)
        for own, other in zip(self.native, self.inside, strict=True):
            assert own.tobytes() == other.tobytes(), (name, arguments)
        return answers[0]


RECORD, ACTIONS, SCORES, DICE = (0,), (1,), (2,), (3,)
ITSELF = (0, 0)  # the record, not the array it is in


@pytest.mark.parametrize("seed", [1])
def test_a_module_plays_record_for_record_as_the_compiled_rules_do(name, module, seed):
    book = rulebook(name)
    for options in (options for variant, options in VARIANTS if variant == name):
        game, dice, twins = hanpan.game(name, **options), random.Random(seed), Twins(book, module)
        twins.both("start", ITSELF, *(option.code(game.options[option.name]) for option in book.options))
        twins.native[0][:] = twins.inside[0][:] = game.start().record
        for _ in range(400):
            who = twins.both("mover_of", RECORD)
            twins.both("outcome_of", RECORD, SCORES)
            twins.both("outcome_among", RECORD, dice.randrange(1 << game.seats), SCORES)
            if who == OVER:
                break
            if who == CHANCE:
                twins.both("chance", ITSELF, DICE)
                continue
            assert twins.both("seats", ITSELF) == game.seats
            count = twins.both("legal_of", RECORD, ACTIONS)
            twins.both("forced", ITSELF, DICE)
            if book.rules.hide is not hide_nothing and dice.random() < 0.3:
                before, viewer = twins.native[0].copy(), dice.randrange(-1, game.seats)
                twins.both("hide", ITSELF, viewer)
                if viewer >= 0:
                    twins.both("imagine", ITSELF, viewer, DICE)
                twins.native[0][:] = twins.inside[0][:] = before
            twins.both("apply_to", RECORD, int(twins.native[1][dice.randrange(count)]))


def lending(box, function):
    """A rule of a sandbox that is lent what lies outside: dice, and the record to think about."""

    def called(*arguments):
        lent = [(a, box.copy(a)) if isinstance(a, np.ndarray) and not box.holds(a) else (None, a) for a in arguments]
        answer = function(*(given for _, given in lent))
        for outside, given in lent:
            if outside is not None:
                outside[...] = given
        return answer

    return called


def boxed(searcher, box, compiled):
    """Move a search into a sandbox: its memory, and what it calls."""
    inside = {}
    for key, value in vars(searcher).items():
        if isinstance(value, list):  # one tree or mind a thread
            for part in value:
                boxed(part, box, compiled)
        elif isinstance(value, np.ndarray):
            whole = next((key for key, array in inside.items() if np.shares_memory(array[0], value)), None)
            inside[key] = (value, box.copy(value) if whole is None else inside[whole][1].view(value.dtype).reshape(value.shape))
        elif (name := next((name for name, function in compiled.items() if function is value), None)) is not None and name in WHOLE_SEARCHES:
            setattr(searcher, key, lending(box, box.rule(name)))
    for key, (_, array) in inside.items():
        setattr(searcher, key, array)
    return searcher


WHOLE_SEARCHES = ("search_root", "recall", "grow", "find", "keep", "gather", "learn")
PLAYED = [
    (game, options)
    for game, options in VARIANTS
    if options in ({}, {"players": 3, "size": 5, "pieces": 3}, {"rotation": False}, {"max_plies": 120}, {"misere": True})
]


@pytest.mark.parametrize(("game", "options"), PLAYED, ids=str)
def test_a_player_in_a_module_chooses_action_for_action_what_the_compiled_one_does(game, options):
    game = hanpan.game(game, **options)
    compiled = {name: function for name, (function, _) in engine.jobs(game.name).items()}
    box = Sandbox(engine.module(game.name), megabytes=40)
    native, inside = (hanpan.bot(game.name, level=8, megabytes=8, nodes=1_000) for _ in range(2))
    inside._searchers[game.seats] = boxed(make_searcher(game.name, game.seats, 8, 1), box, compiled)
    state = game.start(seed=5)
    for ply in range(40):
        if state.over:
            break
        if state.chance:
            state = state.draw_and_play(rng(ply))[1]
            continue
        action = native.choose(state)
        assert inside.choose(state) == action, (ply, str(state))
        state = state.play(action)
    else:
        ply += 1
    assert ply > 4
