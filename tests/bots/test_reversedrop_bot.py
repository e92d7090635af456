"""Reverse Drop's computer player: it counts neighbours rightly, sets up with sense, and beats players that only count pieces."""

import random
from pathlib import Path

import pytest

import hanpan
from hanpan.bots.match import play_match
from hanpan.bots.pairs import Plan
from hanpan.games.reversedrop import evaluate
from hanpan.games.reversedrop.landing import CELLS, FIRST, SIZE, SPOT
from hanpan.games.reversedrop.rules import HALF, holds


def positions(count, seed, **options):
    dice = random.Random(seed)
    while count:
        state = hanpan.game("reversedrop", **options).start(seed=dice.randrange(1000))
        for _ in range(dice.randrange(60)):
            if state.over:
                break
            state = state.play(dice.choice(state.legal()))
        if not state.over:
            yield state
            count -= 1


def test_neighbours_are_counted_as_one_would_by_hand():
    for state in positions(40, 1):
        s = state.record[0]
        where = {seat: {cell for cell in range(CELLS) if holds(s, seat, SPOT[cell])} for seat in range(2)}
        for seat in range(2):
            counted = {}
            for half in range(2):
                for number, mask in zip((1, 2, 3), evaluate.beside(s, seat, half), strict=True):
                    for cell in range(CELLS):
                        if (int(SPOT[cell]) - FIRST) // HALF == half and int(mask) >> ((int(SPOT[cell]) - FIRST) % HALF) & 1:
                            counted[cell] = number
            for cell in range(CELLS):
                x, y = cell % SIZE, cell // SIZE
                around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
                by_hand = sum(0 <= i < SIZE and 0 <= j < SIZE and j * SIZE + i in where[seat] for i, j in around)
                assert counted.get(cell, 0) == min(by_hand, 3), (str(state), cell)


def test_who_sets_up_by_hand_puts_the_own_pieces_apart_and_the_others_at_the_rim():
    state, bot = hanpan.game("reversedrop", setup="manual").start(seed=1), hanpan.bot("reversedrop", level=8, nodes=500, megabytes=8)
    placed = []
    for _ in range(8):
        placed.append(bot.choose(state))
        state = state.play(placed[-1])
    black, white = placed[:3], placed[3:]
    rim = {"a", "j", "1", "10"}
    assert all(cell[0] not in rim and cell[1:] not in rim for cell in black)
    assert all(abs(ord(a[0]) - ord(b[0])) + abs(int(a[1:]) - int(b[1:])) > 2 for a in black for b in black if a != b)
    assert all(cell[0] in rim or cell[1:] in rim for cell in white)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["Greedy", "ThreePly"])
def test_it_beats_players_that_count_pieces(opponent, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    plan = Plan("reversedrop", {}, ("8@3000", f"python:opponents.reversedrop_pieces:{opponent}"), None, openings=0, megabytes=16)
    assert play_match(plan, 4).report()["score"] >= 0.75
