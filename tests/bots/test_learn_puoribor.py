"""Puoribor's network and its order of actions are learnt by a script: games against itself, then weights that the player can use."""

import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest

import hanpan
from hanpan.core.rule import plain
from hanpan.games.puoribor import candidates, lanes, learnt, prior, rules, ways

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import learn_puoribor

    return learn_puoribor


@pytest.fixture
def games(script, tmp_path):
    """A file of six short-sighted games."""
    path = tmp_path / "games.jsonl"
    script.main(["play", str(path), "--games", "6", "--nodes", "40", "--cores", "1"])
    return path


def records(script, games):
    """The positions of the games, as the rules know them."""
    found = []
    for game in script.finished(games):
        state = hanpan.game("puoribor", rotation=game["number"] % 2 == 0, max_plies=script.LONGEST).start()
        for action in game["actions"]:
            found.append(state.record)
            state = state.play({number: text for text, number in state.actions.items()}[action])
        assert state.over
        assert game["winner"] == (state.winner[0] if state.winner else -1)
    return np.concatenate(found)


def judge_of(folder):
    """What the game's own module judges with the weights in a folder."""
    shutil.copy(learnt.__file__, folder / "learnt.py")
    spec = importlib.util.spec_from_file_location("hanpan.games.puoribor.learnt_anew", folder / "learnt.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return plain(module.judge)


def test_the_weights_of_a_small_run_are_loaded_by_the_game_and_mean_what_the_script_means(script, games, tmp_path, capsys):
    script.main(["fit", str(games), "--to", str(tmp_path / "weights.npz"), "--epochs", "2"])
    assert "held back" in capsys.readouterr().out
    present, new = script.Weights.read(Path(learnt.__file__).parent / "weights.npz"), script.Weights.read(tmp_path / "weights.npz")
    parts = [(weights.rows, weights.out, weights.prior) for weights in (new, present)]
    assert [(part.shape, part.dtype) for part in parts[0]] == [(part.shape, part.dtype) for part in parts[1]]
    assert (new.rows != present.rows).any()
    assert (new.prior != present.prior).any()
    every = records(script, games)[::5]
    mine, theirs = np.array([ways.both_lengths(s) for s in every]).T
    inputs, bucket = script.seen(every, mine, theirs)
    for weights, judge in ((present, learnt.judge), (new, judge_of(tmp_path))):
        assert weights.judge(inputs, bucket).tolist() == [judge(s, a, b) for s, a, b in zip(every, mine.tolist(), theirs.tolist(), strict=True)]


def test_left_and_right_exchanged_is_the_same_position_in_a_mirror(script):
    swap = str.maketrans("abcdefghi", "ihgfedcba")
    text = "c3 g8 8 7 b2h,d5v,e4h,g6v,h1h 2"
    pawns, walls = text.split(" ")[:2], text.split(" ")[4].split(",")
    turned = sorted((chr(ord(wall[0].translate(swap)) - 1) + wall[1:]) for wall in walls)  # a wall is named by the cell at its upper left
    other = " ".join([*(pawn.translate(swap) for pawn in pawns), "8 7", ",".join(turned), "2"])
    inputs = []
    for position in (text, other):
        record = hanpan.game("puoribor").parse(position).record
        inputs.append(script.seen(record, *np.array([ways.both_lengths(record[0])]).T)[0][0])
    assert inputs[0].tolist() != inputs[1].tolist()
    assert inputs[0][script.mirror()].tolist() == inputs[1].tolist()


def test_interrupted_games_go_on_and_other_games_are_refused(script, games, capsys):
    whole = games.read_text()
    lines = whole.splitlines(keepends=True)
    games.write_text("".join(lines[:4]) + lines[4][:30])  # and the power went off
    script.main(["play", str(games), "--games", "6", "--nodes", "40", "--cores", "1"])
    assert games.read_text() == whole
    assert "6 of 6 games, 3 of them new" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        script.main(["play", str(games), "--games", "6", "--nodes", "41", "--cores", "1"])
    assert "nodes is 40 there and 41 here" in capsys.readouterr().err
    assert games.read_text() == whole
    games.write_text(whole + '{"number": 7}\n')
    with pytest.raises(SystemExit):
        script.main(["fit", str(games)])
    assert "games.jsonl, line 8: not a finished game" in capsys.readouterr().err


def test_learning_brings_the_judgement_nearer_to_what_is_taught(script, games):
    taught = script.read(script.finished(games))[0]
    network = script.Network(None)

    def error():
        return float(np.mean((script.chance(network.weights(None).judge(taught.rows(), taught.bucket)) - taught.target) ** 2))

    before = error()
    script.learn(network, taught, 30, 0.02)
    assert error() < before / 2


def test_learning_brings_what_was_chosen_forward_in_its_list(script, games):
    import puoribor_prior

    lists = script.read(script.finished(games))[1]
    none = np.zeros(prior.ROWS, np.int16)
    before, after = (puoribor_prior.places(lists, order).mean() for order in (none, script.order_of(lists, none)))
    assert after < before / 2


def test_the_player_ranks_its_list_by_what_the_script_says(script, games):
    import puoribor_prior

    order = script.Weights.read(Path(learnt.__file__).parent / "weights.npz").prior.astype(np.int64)
    ranks, room = np.zeros(rules.MOST_LEGAL, np.int64), np.zeros(lanes.ROOM, np.int64)
    listed = np.zeros(rules.MOST_LEGAL, np.int32)
    for s in records(script, games)[::7]:
        if s.hand[s.turn] > 0 and s.hand.any():
            n = candidates.candidates(s, listed, ranks, puoribor_prior.DEPTH, room)
            rows, _ = puoribor_prior.one_list(s, int(listed[0]))
            assert ranks[:n].tolist() == order[rows].sum(1).tolist()


def test_beside_a_game_other_positions_are_searched(script, games):
    found = [one for game in script.finished(games) for one in script.searched(game)]
    along = {one.record.tobytes() for one in found if one.won is not None}
    beside = {one.record.tobytes() for one in found if one.won is None}
    assert len(beside - along) > len(along) / 4


def test_the_area_under_the_curve_counts_pairs_in_the_right_order(script):
    score, won = np.array([3, 1, 2, 2, 5]), np.array([True, False, True, False, False])
    pairs = [(a, b) for a, w in zip(score, won, strict=True) if w for b, v in zip(score, won, strict=True) if not v]
    assert script.area(score, won) == pytest.approx(sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs))
