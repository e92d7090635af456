"""Observations: what the planes say, from whose side, and that secrets stay secret."""

import numpy as np
import pytest
from variants import every_variant

import hanpan
from hanpan.core.rule import OPEN, SPECTATOR, below, plain, rng
from hanpan.envs import observations
from hanpan.envs.observations import observation


@every_variant(lambda game: game.book.observe)  # the toy game has none
def test_interpreted_and_compiled_planes_are_equal(game):
    observe = game.book.observe
    state, dice, size = game.start(seed=2), rng(1), observations.shape(game)
    for ply in range(30):
        if state.chance:
            state = state.play(state.draw(ply))
        elif state.over:
            break
        else:
            seen = observation(state)
            assert seen.shape == size
            record = state.view(state.seat).record
            bits, level = np.zeros((1, size[0], (size[1] * size[2] + 31) // 32), np.uint32), np.ones((1, size[0]), np.uint8)
            plain(observe.observe)(record[0], state.seat, bits[0], level[0])
            assert np.array_equal(observations.unpack(bits, level, size)[0], seen)
            legal = state.legal()
            state = state.play(legal[below(dice, len(legal))])


@every_variant()
def test_every_plane_has_a_name(game):
    names = observations.planes(game)
    assert len(set(names)) == len(names) == observations.shape(game)[0]


def test_kulami_planes():
    state = hanpan.game("kulami").start().play("e5").play("e3")
    seen = observation(state)
    assert seen[0, 4, 4] == seen[4, 4, 4] == 1
    assert seen[1, 2, 4] == seen[5, 2, 4] == 1
    assert seen[0].sum() == seen[1].sum() == 1
    assert sorted("abcdefghij"[x] + str(y + 1) for y, x in np.argwhere(seen[3])) == state.legal()
    assert seen[2].sum() == 62
    assert seen[12].min() == seen[12].max() == 27
    assert observations.shape(hanpan.game("kulami", board="build")) == (18, 10, 10)


def test_puoribor_is_turned_to_the_mover():
    state = hanpan.game("puoribor").start()
    first = observation(state)
    assert first[0, 4, 0] == first[1, 4, 8] == 1
    state = state.play("c2h").play("e8").play("e2")
    seen = observation(state)  # seat 1: its pawn on e8 is in row 1 from its side, the other on e2 in row 7; the wall c2h is f7h from there
    assert seen[0, 4, 1] == seen[1, 4, 7] == 1
    assert seen[4, 5, 6] == 1
    assert seen[2, 5, 6] == seen[2, 6, 6] == 1
    assert seen[2].sum() == 2
    assert (seen[6, 0, 0], seen[7, 0, 0]) == (10, 9)


def test_reverse_drop_planes():
    state = hanpan.game("reversedrop", black=2, white=3).start(seed=1)
    seen = observation(state)
    rows = str(state).split()[0].split("/")
    assert [[cell == "b" for cell in row] for row in rows] == seen[0].astype(bool).tolist()
    assert [[cell == "w" for cell in row] for row in rows] == seen[1].astype(bool).tolist()
    assert {"abcdefghij"[x] + str(y + 1) for y, x in np.argwhere(seen[2])} == {text.split("-")[1].split("+")[0] for text in state.legal()}


def test_wall_go_planes():
    state = hanpan.game("wallgo", players=3, size=11, pieces=1).start(seed=4)
    for cell in ("a1", "k11", "f6"):
        state = state.play(cell)
    action = next(text for text in state.legal() if text in ("a1r", "k11l", "f6r"))
    cells = {"a1": (0, 0), "k11": (10, 10), "f6": (5, 5)}
    state = state.play(action)
    seen = observation(state)
    assert [tuple(np.argwhere(seen[k])[0]) for k in range(3)] == [cells["k11"], cells["f6"], cells["a1"]]
    assert seen[3].sum() == 109  # 110 inner edges between columns, one of them walled
    assert seen[4].sum() == 110
    assert seen[5:].sum() == 0


def test_goita_shows_only_what_the_seat_may_know():
    game, dice = hanpan.game("goita", no_yaku=True, no_goshi=True), rng(9)
    state = game.start(seed=11)
    for ply in range(60):
        if state.over:
            break
        if state.chance:
            state = state.play(state.draw(ply))
            continue
        for seat in range(4):
            view = state.view(seat)
            for guess in range(3):
                assert np.array_equal(observation(view.imagine(guess), seat), observation(state, seat))
        legal = state.legal()
        state = state.play(legal[below(dice, len(legal))])


def test_seats_may_come_from_arrays_and_must_be_seats():
    state = hanpan.game("goita").start(seed=11)
    for seat in np.arange(4, dtype=np.int8):
        assert np.array_equal(observation(state, seat), observation(state, int(seat)))
        assert state.view(seat) == state.view(int(seat))
        assert type(state.view(seat).viewer) is int
        assert state.game.parse(str(state.view(seat)), seat) == state.view(seat)
    for wrong in (OPEN, -1, SPECTATOR, 4, True, 0.0, "0"):
        with pytest.raises(ValueError, match=r"seat: \S+ is not in 0…3"):
            observation(state, wrong)
        with pytest.raises(ValueError, match=r"seat: \S+ is not in 0…3"):
            state.view(wrong)


def test_goita_planes():
    game = hanpan.game("goita")
    state = game.parse("0-0 11123456,11123457,11234568,11234579,s1,113,2p,331,4p play")
    seen = observation(state)  # seat 1 (index 0) to answer し
    assert seen[0].sum(axis=1).tolist() == [2, 1, 0, 1, 1, 1, 0, 0, 0]
    assert seen[1, 0, 0] == seen[1, 2, 1] == 1
    assert seen[5, 0, 0] == 1
    assert seen[3, 2, 0] == seen[3, 0, 1] == 1
    assert seen[6].sum(axis=1).tolist() == [8] + [0] * 8
    assert seen[8, 2, 0] == 1
    assert seen[10, 0, 0] == 1
    assert seen[11, 2, 0] == seen[11, 0, 1] == 1
    assert seen[12, 0, 0] == 150


def test_a_game_without_observe_is_seen_as_the_bits_of_its_record():
    state = hanpan.game("tictactoe").start().play("b2")
    seen = observation(state)
    assert seen.shape == (1, 16, 8)
    assert seen[0, 4].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert seen[0, 9].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
