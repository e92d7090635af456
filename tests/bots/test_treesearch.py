"""Tree search: right for every seat, remembering, bounded."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

import hanpan
from hanpan.bots import mcts, show, treesearch
from hanpan.bots.alphabeta import SURE, WIN
from hanpan.bots.mcts import STOP, USED, compiled_mcts, keep, node_type
from hanpan.bots.treesearch import TreeSearch
from hanpan.contract import Evaluation
from hanpan.core.rule import CHANCE, OVER, below, hide_nothing, imagine_nothing, no_chance, plain, record_type, rng, rule


def last(search, state, nodes=500, **how):
    """The last result about a position."""
    *_, result = search.think(state.record, None, nodes, 64, 0, 1, **how)
    return result


def rows(nodes, at):
    """The tree below a node, as nested tuples."""
    node = nodes[at]
    below_it = tuple(rows(nodes, c) for c in range(node.first, node.first + node.count)) if node.first >= 0 else ()
    return int(node.action), int(node.visits), int(node.proven), node.share.tolist(), below_it


def three_seats():
    return hanpan.game("wallgo", players=3, size=5, pieces=2).start(seed=4)


def test_the_seats_share_every_visit():
    search = TreeSearch("wallgo", 16)
    last(search, three_seats(), 2000)
    tree = search._trees[0]
    seen = tree.nodes[: tree.control[USED]]
    seen = seen[seen["visits"] > 0]
    assert len(seen) > 500
    assert np.allclose(seen["share"].sum(axis=1), 1, rtol=1e-3)


def test_a_pull_is_what_was_likely_divided_by_one_more_than_the_visits():
    search = TreeSearch("wallgo", 16)
    last(search, three_seats(), 2000)
    tree = search._trees[0]
    rows_seen = 0
    for node in tree.nodes[: tree.control[USED]]:
        if node.first >= 0:
            row = tree.nodes[node.first : node.first + node.count]
            assert (row["pull"] * (1 + row["visits"])).sum() == pytest.approx(1, rel=1e-4)
            rows_seen += int(row["visits"].max() > 4)
    assert rows_seen > 10


def test_what_is_kept_is_the_tree_below_the_new_root():
    search = TreeSearch("wallgo", 16)
    last(search, three_seats(), 3000)
    tree = search._trees[0]
    child = max(range(tree.nodes[0].first, tree.nodes[0].first + tree.nodes[0].count), key=lambda c: tree.nodes[c].visits)
    root = int(tree.nodes[child].first) + 1  # the second child of the best child
    wanted = rows(tree.nodes, root)
    left = keep(tree.nodes, root, int(tree.control[USED]))
    assert rows(tree.nodes, 0) == wanted
    assert left == 1 + sum(1 for _ in _all(wanted))


def _all(row):
    for child in row[4]:
        yield child
        yield from _all(child)


def test_the_tree_is_remembered_between_the_own_turns():
    state, search = three_seats(), TreeSearch("wallgo", 16)
    best = last(search, state, 3000)
    name = state.game.book.text.format_action
    for action in best.line[:3]:  # its own action and the two others': then it is asked again
        state = state.play(name(state.record[0], action))
    search._trees[0].plant(state.record, False)
    assert search._trees[0].nodes[0].visits > 10
    elsewhere = hanpan.game("wallgo", players=3, size=5, pieces=2).start(seed=4).play("a1")
    search._trees[0].plant(elsewhere.play("e5").play("a5").record, False)
    assert search._trees[0].nodes[0].visits < 10


def test_analysis_looks_at_every_legal_action_even_after_a_search_that_did_not():
    state = hanpan.game("wallgo", size=3, pieces=1).parse("1../.../..2 a1|,b1- 12 1")
    search = TreeSearch("wallgo", 16)
    last(search, state)
    assert len(last(search, state, patient=True).values) == len(state.legal())


def test_a_full_memory_ends_the_search_with_an_answer():
    state, search = hanpan.game("wallgo").start(seed=1), TreeSearch("wallgo", 1)
    result = last(search, state, 1_000_000)
    tree = search._trees[0]
    assert tree.control[STOP] == 1
    assert tree.nodes.nbytes <= 1 << 20
    assert result.values.keys() <= set(state.actions.values())


def test_two_threads_make_two_different_trees_of_half_the_memory():
    state, search = hanpan.game("wallgo").start(seed=1), TreeSearch("wallgo", 16, threads=2)
    result = last(search, state, 4000)
    one, two = search._trees
    assert one.nodes.nbytes + two.nodes.nbytes <= 16 << 20
    assert one.nodes[0].visits == two.nodes[0].visits == result.nodes // 2
    assert one.children()["visits"].tolist() != two.children()["visits"].tolist()
    again = last(TreeSearch("wallgo", 16, threads=2), state, 4000)
    assert again.values == result.values


def test_interpreted_and_compiled_trees_are_equal():
    state = hanpan.game("tictactoe").start(seed=1)
    made = []
    for way in (lambda rule: rule, plain):
        search = TreeSearch("tictactoe", 1)
        tree = search._trees[0]
        tree._grow = way(tree._grow)
        tree.plant(state.record, False)
        tree.grow(60, rng(3))
        made.append(tree.nodes[: tree.control[USED]][["action", "first", "count", "proven", "visits"]].tolist())
    assert made[0] == made[1]
    assert len(made[0]) > 100


# --- chance in the middle of a game: the seat chooses an urn, then a ball is drawn from it ---

Urn = record_type([("urn", np.int64), ("drawn", np.int64)])


@rule
def _mover(s):
    if s.drawn != 0:
        return OVER
    return 0 if s.urn == 0 else CHANCE


@rule
def _legal(s, out):
    for i in range(3):
        out[i] = i
    return 3


@rule
def _apply(s, a):
    s.urn = a + 1


@rule
def _chance(s, dice):
    s.drawn = 1 if below(dice, 4) < s.urn else 2  # urn 1: one white ball of four … urn 3: three of four


@rule
def _outcome(s, out):
    out[0], out[1] = s.drawn == 1, s.drawn == 2
    return 1 if s.drawn == 1 else 2


@rule
def _seats(s):
    return 2


def toy_search(monkeypatch, rules):
    """A search over the rules of a game that is no folder's."""
    silent = Evaluation()
    assert not silent.known
    actions, scores = (lambda: np.zeros(rules.MOST_LEGAL, np.int32)), (lambda: np.zeros(rules.MOST_SEATS, np.int32))
    book = SimpleNamespace(rules=rules, evaluation=silent, actions_buffer=actions, scores_buffer=scores)
    for module in (mcts, treesearch):
        monkeypatch.setattr(module, "rulebook", lambda name: book)
    monkeypatch.setattr(treesearch, "compiled_mcts", compiled_mcts.__wrapped__)
    return TreeSearch("toy", 1)


@pytest.fixture
def urns(monkeypatch):
    rules = SimpleNamespace(
        State=Urn, MOST_SEATS=2, MOST_LEGAL=3, mover=_mover, legal=_legal, apply=_apply, chance=_chance, outcome=_outcome, seats=_seats,
        hide=hide_nothing, imagine=imagine_nothing,
    )  # fmt: skip
    return toy_search(monkeypatch, rules)


def test_chance_is_drawn_anew_at_every_visit(urns):
    *_, result = urns.think(np.zeros(1, Urn), None, 6000, 64, 0, 1)
    assert result.best == 2
    assert not result.sure
    shares = {int(child.action): float(child.share[0]) for child in urns._trees[0].children()}
    assert shares == pytest.approx({0: 0.25, 1: 0.5, 2: 0.75}, abs=0.12)


def test_a_node_takes_only_as_much_room_as_the_seats_need():
    assert node_type(2).itemsize == 32
    assert node_type(4).itemsize == 40


@pytest.mark.parametrize("position", ["x.o/.../x.o x", "xo./.../xo. x", "x../..o/x.o x"])
def test_a_win_that_is_proven_comes_before_a_lucky_guess(position):
    state = hanpan.game("tictactoe").parse(position)
    for seed in range(20):
        *_, result = TreeSearch("tictactoe", 1).think(state.record, None, 500, 64, 0, seed)
        best = state.game.book.text.format_action(state.record[0], next(iter(result.values)))
        assert state.play(best).winner == [0]


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ("xx./oo./... x", {"c1": "wins in 1"}),
        ("x.x/o../x.o o", {"b1": "loses in 2", "b2": "loses in 2", "c2": "loses in 2", "b3": "loses in 2"}),  # x threatens twice
        ("x../.o./..x o", {"b1": "+0.00", "a2": "+0.00", "c2": "+0.00", "b3": "+0.00", "c1": "loses in 4", "a3": "loses in 4"}),
    ],
)
def test_what_is_proven_is_a_win_or_a_loss_in_so_many_plies_or_a_draw(position, told):
    state = hanpan.game("tictactoe").parse(position)
    *_, last = hanpan.bot("tictactoe", megabytes=8, nodes=5000).analyse(state)
    assert last.sure
    assert {action: show.told(value) for action, value in last.values.items() if action in told} == told
    assert next(iter(last.values)) in told


def outcomes(state):
    """What a position of two seats is worth to the seat to act (1, 0, −1), and in how many plies at best, by looking at everything."""
    if state.over:
        return (0 if not state.winner else -1), 0
    found = [outcomes(state.play(action)) for action in state.legal()]
    worth = max(-value for value, _ in found)
    plies = [1 + plies for value, plies in found if -value == worth]
    return worth, min(plies) if worth > 0 else max(plies)


def test_a_proven_loss_comes_as_late_as_is_said_and_a_win_no_later():
    dice, seen = random.Random(1), set()
    for _ in range(60):
        state = hanpan.game("tictactoe").start()
        for _ in range(dice.randrange(2, 7)):
            state = state if state.over else state.play(dice.choice(state.legal()))
        if state.over:
            continue
        worth, shortest = outcomes(state)
        *_, result = TreeSearch("tictactoe", 1).think(state.record, None, 20_000, 64, 0, 1, patient=True)
        value = result.values[result.best]
        assert result.sure
        assert (value > SURE) - (value < -SURE) == worth
        if worth:
            assert WIN - abs(value) >= shortest
            assert (WIN - abs(value)) % 2 == shortest % 2
        seen.add(worth)
    assert seen == {-1, 0, 1}


# --- a kingmaker: seat 2 loses whatever it does, and decides which of the others wins ---

Crown = record_type([("turn", np.int64), ("king", np.int64)])


@rule
def _crown_mover(s):
    return OVER if s.king != 0 else s.turn


@rule
def _crown_legal(s, out):
    out[0], out[1] = 0, 2
    return 1 if s.turn == 0 else 2


@rule
def _crown_apply(s, a):
    if s.turn == 1:
        s.king = a + 1
    s.turn += 1


@rule
def _crown_outcome(s, out):
    return 1 << (s.king - 1)


@rule
def _three(s):
    return 3


def test_what_someone_else_decides_who_loses_anyway_is_not_proven_to_be_won(monkeypatch):
    rules = SimpleNamespace(
        State=Crown, MOST_SEATS=3, MOST_LEGAL=2, mover=_crown_mover, legal=_crown_legal, apply=_crown_apply, chance=no_chance, outcome=_crown_outcome,
        seats=_three, hide=hide_nothing, imagine=imagine_nothing,
    )  # fmt: skip
    *_, result = toy_search(monkeypatch, rules).think(np.zeros(1, Crown), None, 100, 64, 0, 1, patient=True)
    assert result.sure
    assert result.chances == (0.5, 0.0, 0.5)
    assert max(result.values.values()) == 0
