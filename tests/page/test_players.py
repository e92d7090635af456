"""The page's computer players choose action for action what Python's do, with the same work and the same seed."""

import ast
import re

import pytest
from typescript import WEB, bundle, run

import hanpan
from hanpan import engine
from hanpan.bots import alphabeta, deepening, hidden, mcts, treesearch
from hanpan.core.rule import rng

pytestmark = pytest.mark.slow
MEGABYTES = 8
GAMES = [
    ("goita", {}),
    ("kulami", {}),
    ("kulami", {"board": "build", "level": 2}),
    ("puoribor", {}),
    ("puoribor", {"rotation": False}),
    ("reversedrop", {"max_plies": 60}),
    ("wallgo", {}),
    ("wallgo", {"players": 3, "size": 5, "pieces": 3}),
]
PLAYERS = [(1, 0, 300), (3, 5, 1_000), (5, 2**70 + 3, 3_000), (8, 7, 12_000)]  # level, seed, nodes
PLIES = 12


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return bundle("engine/players.ts", tmp_path_factory.mktemp("players"))


def thoughts(bot, seen, nodes):
    """What a patient search says of a position, thought by thought."""
    searcher = bot._searcher(seen.game)
    found = searcher.think(seen.record, None, nodes, 64, -1, bot._stream(seen), True)
    return [{**told(each), "values": [[action, value] for action, value in each.values.items()], "line": list(each.line)} for each in found]


def told(result):
    return {"depth": result.depth, "nodes": result.nodes, "sure": result.sure} | ({"chances": list(result.chances)} if result.chances else {})


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_the_same_seed_and_work_give_the_same_action_and_the_same_values_in_the_page(name, options, program, tmp_path):
    game, players, expected = hanpan.game(name, **options), [], []
    for level, seed, nodes in PLAYERS:
        bot, state, positions = hanpan.bot(name, level=level, seed=seed, megabytes=MEGABYTES, nodes=nodes), game.start(seed=seed), []
        for ply in range(PLIES):
            while state.chance:
                state = state.draw_and_play(rng(seed, ply))[1]
            if state.over:
                break
            seen = state.view(state.seat)
            patient = ply % 5 == 3
            positions.append({"record": seen.record.tobytes().hex(), "text": str(seen), "patient": patient})
            if patient:
                expected.append(thoughts(bot, seen, nodes))
                state = state.play(state.legal()[ply % len(state.legal())])
            else:
                action = bot.choose(state)
                expected.append(seen.actions[action])
                state = state.play(action)
        players.append({"level": level, "seed": str(seed), "megabytes": MEGABYTES, "nodes": nodes, "positions": positions})
    module = tmp_path / "module.wasm"
    module.write_bytes(engine.module(name))
    answers = run(program, {"module": str(module), "facts": engine.facts(name), "players": players})
    assert len(answers) == len(expected) > 4 * PLIES // 2
    for number, (answer, right) in enumerate(zip(answers, expected, strict=True)):
        assert answer == right, (number, answer, right)


NUMBER = re.compile(r"(?m)^(?:export )?const ([A-Z][A-Z_]*) = ([\d_]+(?: << \d+)?|\d[\d._e-]*);")


@pytest.mark.parametrize(
    ("file", "modules"), [("deepening", [deepening, alphabeta]), ("treesearch", [treesearch, mcts]), ("hidden", [hidden]), ("search", [hidden, treesearch])]
)
def test_the_page_counts_with_the_numbers_of_the_searches(file, modules):
    """A size that differed would let a search write where it must not."""
    page = dict(NUMBER.findall((WEB / "src" / "engine" / f"{file}.ts").read_text("utf-8")))
    named = {name: getattr(module, found) for name in page for module in modules for found in (name, f"_{name}") if hasattr(module, found)}
    assert len(named) >= 1
    for name, value in named.items():
        left, _, right = page[name].partition(" << ")
        assert ast.literal_eval(left) << int(right or 0) == value if isinstance(value, int) else ast.literal_eval(left) == value, name
