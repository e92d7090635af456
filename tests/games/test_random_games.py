"""Ten thousand random games of each game end, or reach their limit of plies, and what must hold holds on the way."""

import re
from collections import Counter

import pytest

import hanpan
from hanpan import loops
from hanpan.core.rule import OPEN, below, rng
from hanpan.game import State

GAMES, MOST_PLIES = 10_000, 20_000


def random_game(game, stream):
    """A position in the middle of a random game, and its last one."""
    record, middle = game.start().record, game.start().record
    plies = loops.random_game(game.name)(record, middle, game.book.actions_buffer(), rng(11, stream), below(rng(12, stream), 150), MOST_PLIES)
    assert plies < MOST_PLIES
    return State(game, middle, OPEN), State(game, record, OPEN)


def check_puoribor(game, state):
    one, other, *left, walls, _ = str(state).split()[:6]
    walls = [] if walls == "-" else walls.split(",")
    units = sum(2 if wall[-1] in "hv" else 1 for wall in walls)
    assert units <= 2 * (2 * game.options["walls"] - int(left[0]) - int(left[1]))
    blocked = set()
    for wall in walls:
        x, y, kind = ord(wall[0]) - 97, int(wall[1]) - 1, wall[-1]
        for step in range(2 if kind in "hv" else 1):
            blocked.add((x + step, y, "-") if kind in "h-" else (x, y + step, "|"))
    assert len(blocked) == units
    for pawn, goal in ((one, 8), (other, 0)):
        x, y = ord(pawn[0]) - 97, int(pawn[1]) - 1
        seen, ways = {(x, y)}, [(x, y)]
        while y != goal:
            assert ways, "nothing leads to the goal"
            x, y = ways.pop()
            steps = (((x, y + 1), (x, y, "-")), ((x + 1, y), (x, y, "|")), ((x - 1, y), (x - 1, y, "|")), ((x, y - 1), (x, y - 1, "-")))
            for to, edge in steps[:: -1 if goal else 1]:  # the one towards the goal is tried first
                if 0 <= to[0] < 9 and 0 <= to[1] < 9 and edge not in blocked and to not in seen:
                    seen.add(to)
                    ways.append(to)


def check_kulami(game, state):
    tiles, marbles, *_ = str(state).split()
    sizes = Counter(Counter(tiles.replace("/", "").replace(".", "")).values())
    assert sizes == {6: 4, 4: 5, 3: 4, 2: 4}
    counts = Counter(marbles)
    assert max(counts["r"], counts["b"]) <= 28
    assert counts["r"] - counts["b"] in (0, 1)
    assert all(tile != "." for tile, marble in zip(tiles, marbles, strict=True) if marble in "rb")
    assert max(state.scores) <= 64


def check_wallgo(game, state):
    rows, walls, order, _ = str(state).split()
    counts = Counter(rows)
    placed = [counts[str(seat + 1)] for seat in range(game.seats)]
    assert max(placed) <= game.options["pieces"]
    if walls != "-":
        assert placed == [game.options["pieces"]] * game.seats
        assert len(set(walls.split(","))) == walls.count(",") + 1 <= 2 * game.options["size"] * (game.options["size"] - 1)
    assert sorted(order) == [str(seat + 1) for seat in range(game.seats)] or order == "-"
    assert sum(state.scores) <= game.options["size"] ** 2


def check_reversedrop(game, state):
    rows, side, plies = str(state).split()
    counts = Counter(rows)
    assert [counts["b"], counts["w"]] == state.scores
    if plies != "setup":
        assert int(plies) <= game.options["max_plies"]
        assert counts["b"] + counts["w"] <= game.options["black"] + game.options["white"] + int(plies)
    assert (side == "-") == state.over


def check_goita(game, state):
    scores, history, phase = str(state).split()
    assert len(set(state.scores[::2])) == len(set(state.scores[1::2])) == 1
    assert (phase == "over") == (max(map(int, scores.split("-"))) >= game.options["target"])
    if phase in ("play", "goshi"):
        hands = history.split(",s")[0].split(",")
        assert Counter("".join(hands)) == {"1": 10, "2": 4, "3": 4, "4": 4, "5": 4, "6": 2, "7": 2, "8": 1, "9": 1}
        left = [Counter(hand) for hand in hands]
        for seat, action in re.findall(r",([1-4])(p|\d\d)(?=,|$)", history):
            if action != "p":
                left[int(seat) - 1].subtract(action)
        assert min(min(hand.values()) for hand in left) >= 0


CHECKS = {
    "puoribor": check_puoribor,
    "kulami": check_kulami,
    "wallgo": check_wallgo,
    "reversedrop": check_reversedrop,
    "goita": check_goita,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_ten_thousand_random_games(name):
    game = hanpan.game(name)
    for stream in range(GAMES):
        middle, last = random_game(game, stream)
        assert last.over
        assert last.winner is not None
        CHECKS[name](game, last)
        if not middle.chance:
            CHECKS[name](game, middle)
            assert game.parse(str(middle)) == middle
        assert game.parse(str(last)) == last
