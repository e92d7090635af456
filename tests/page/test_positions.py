"""The page's positions are Python's: texts, legal actions, places to point at, pictures and rounds, for every viewer."""

import json
import os
import random

import pytest
from typescript import bundle, run
from variants import VARIANTS

import hanpan
from hanpan import engine
from hanpan.core.rule import OPEN, SPECTATOR, rng
from hanpan.server.protocol.messages import InWords, put_words

pytestmark = pytest.mark.slow
POSITIONS = int(os.environ.get("HANPAN_POSITIONS", "60"))  # of each game; many more take long
AT_ONCE = 200  # in one run of the page's program
NAMES = sorted({name for name, _ in VARIANTS})


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return bundle("engine/positions.ts", tmp_path_factory.mktemp("positions"))


def seen(state):
    legal, ended = state.legal(), state.account()
    return {
        "text": str(state), "seat": state.seat, "chance": state.chance, "over": state.over, "scores": state.scores, "winner": state.winner, "legal": legal,
        "among": [state.winner_among(seat for seat in range(state.game.seats) if seat != left) for left in range(state.game.seats)],
        "clicks": {action: list(state.clicks(action)) for action in legal}, "scene": state.scene(True).json(),
        "account": None if ended is None else {"dealer": ended.dealer, "out": ended.out, "points": ended.points, "why": [why.json() for why in ended.why]},
    }  # fmt: skip


def number(viewer):
    return str(SPECTATOR if viewer is None else viewer)


def step(state, dice, chosen, seed):
    """A position, open and with the eyes of one viewer after the other, and what happens there; None at the end."""
    viewers = [None, *range(state.game.seats)]
    viewer = viewers[seed % len(viewers)]
    made = {"seen": {str(OPEN): seen(state), number(viewer): seen(state.view(viewer))}}
    if state.over:
        return made, None
    if state.chance:
        action, _ = state.draw_and_play(dice)
        made |= {"chance": True, "told": {number(None): state.told_chance(action)}}
    else:
        action = chosen.choice(state.legal())
        wrong = [chosen.choice([place.id for place in state.scene().board.places])]
        why = state.why_not(wrong)
        made |= {
            "told": {number(viewer): state.told(action, viewer) for viewer in viewers},
            "forced": [str(seed), state.forced(seed)],
            "refused": [wrong, None if why is None else [why.code, why.phrase.json()]],
        }
    return made | {"action": action, "words": put_words(InWords(), state.spoken(action), state.heard(action))}, state.play(action)


def some_games(name, positions, seed):
    """Games at random, of all variants in turn, until there are so many positions."""
    games, left = [], positions
    variants = [options for variant, options in VARIANTS if variant == name]
    while left > 0:
        options = variants[len(games) % len(variants)]
        state, dice, chosen, steps = hanpan.game(name, **options).start(), rng(seed + len(games)), random.Random(seed + len(games)), []
        settled = dict(state.game.options)
        while state is not None and len(steps) < max(20, positions // len(variants)):
            made, state = step(state, dice, chosen, len(steps))
            steps.append(made)
        games.append({"options": options, "settled": settled, "seed": str(seed + len(games)), "steps": steps})
        left -= len(steps)
    return games


@pytest.mark.parametrize("name", NAMES)
def test_the_page_sees_reads_and_says_what_python_does(name, program, tmp_path):
    module, views = tmp_path / "module.wasm", tmp_path / "views.mjs"
    module.write_bytes(engine.module(name))
    views.write_text(engine.views(name), encoding="utf-8")
    facts = json.loads(json.dumps(engine.facts(name)))
    for begin in range(0, POSITIONS, AT_ONCE):
        games = some_games(name, min(AT_ONCE, POSITIONS - begin), 1000 + begin)
        assert run(program, {"module": str(module), "facts": facts, "views": str(views), "games": games}) == []
