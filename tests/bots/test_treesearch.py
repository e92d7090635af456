"""Tree search: right for every seat, remembering, bounded."""

from types import SimpleNamespace

import numpy as np
import pytest

import hanpan
from hanpan.bots import mcts, treesearch
from hanpan.bots.mcts import STOP, USED, compiled_mcts, keep, node_type
from hanpan.bots.treesearch import TreeSearch
from hanpan.contract import Evaluation
from hanpan.core.rule import CHANCE, OVER, below, hide_nothing, imagine_nothing, plain, record_type, rng, rule


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


@pytest.fixture
def urns(monkeypatch):
    rules = SimpleNamespace(
        State=Urn, MOST_SEATS=2, MOST_LEGAL=3, mover=_mover, legal=_legal, apply=_apply, chance=_chance, outcome=_outcome, seats=_seats,
        hide=hide_nothing, imagine=imagine_nothing,
    )  # fmt: skip
    silent = Evaluation()
    assert not silent.known
    book = SimpleNamespace(rules=rules, evaluation=silent, actions_buffer=lambda: np.zeros(3, np.int32), scores_buffer=lambda: np.zeros(2, np.int32))
    for module in (mcts, treesearch):
        monkeypatch.setattr(module, "rulebook", lambda name: book)
    monkeypatch.setattr(treesearch, "compiled_mcts", compiled_mcts.__wrapped__)
    return TreeSearch("urns", 1)


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
