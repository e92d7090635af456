"""The computer player of Wall Go."""

import random

import pytest
from exact import true_value

import hanpan
from hanpan.bots.alphabeta import SURE
from hanpan.bots.treesearch import TreeSearch
from hanpan.games.wallgo import evaluate, priority, reach

OPTIONS = [
    {},
    {"preset": "tv"},
    {"players": 3},
    {"size": 3, "pieces": 1},
    {"size": 3, "pieces": 3, "players": 3},
    {"size": 8, "pieces": 5},
    {"size": 11, "pieces": 5, "players": 3},
]
every_kind = pytest.mark.parametrize("options", OPTIONS, ids=str)


def positions(options, seeds=range(6)):
    """Positions of random games in which a seat is to act."""
    for seed in seeds:
        state, dice = hanpan.game("wallgo", **options).start(seed=seed), random.Random(seed)
        while not state.over:
            yield state
            state = state.play(dice.choice(state.legal()))


def steps_to(state, cells):
    """Steps from the nearest of some cells to every cell that can be reached, by walking."""
    s, size = state.record[0], int(state.record[0].width)
    found, ring, steps = {}, set(cells), 0
    while ring:
        found |= dict.fromkeys(ring, steps)
        around = {cell + (-size, size, -1, 1)[side] for cell in ring for side in range(4) if s.open[cell] >> side & 1}
        ring, steps = around - found.keys(), steps + 1
    return found


def pieces(state, *seats):
    cells = state.record[0].cell
    return [cell for cell in range(cells.size) if cells[cell] - 1 in seats]


@every_kind
def test_distances_are_those_of_walking(options):
    for state in list(positions(options))[::7]:
        found = steps_to(state, pieces(state, 0))
        if not found:
            continue
        for most in (3, 7):
            digits = priority.planes(state.record[0], reach.stones(state.record[0], 0), most)
            for cell in range(int(state.record[0].width) ** 2):
                steps = found.get(cell, 7)
                assert priority.distance(digits, cell) == (steps if steps < most else 7)


@every_kind
def test_a_position_is_worth_what_counting_steps_says(options):
    for state in list(positions(options))[::7]:
        record, out = state.record[0], state.game.book.scores_buffer()
        evaluate.values(record, out)
        playing = record.phase == evaluate.PLAYING
        assert [int(out[seat]) - (evaluate.TURN if playing and seat == state.seat else 0) for seat in range(record.players)] == [
            worth(record, state, seat, playing) for seat in range(record.players)
        ]


def worth(record, state, seat, playing):
    """How a seat stands, by counting cells."""
    size = int(record.width)
    free = sum(int(sides & 15).bit_count() for sides in record.open) // 2
    edges = 2 * size * (size - 1)
    walled = 1024 * (edges - free) // edges
    stand = pieces(state, seat)
    mine, theirs = steps_to(state, stand), steps_to(state, pieces(state, *({0, 1, 2} - {seat})))
    shared = mine.keys() & theirs.keys()
    total = (evaluate.AHEAD * 1024 + evaluate.AHEAD_WALLED * walled) * sum(mine[cell] < theirs[cell] for cell in shared)
    total += 1024 * evaluate.OFF_CENTRE * sum((abs(2 * (cell % size) + 1 - size) + abs(2 * (cell // size) + 1 - size)) // 2 for cell in stand)
    if playing:
        active = [cell for cell in stand if cell in theirs]
        stuck = [cell for cell in active if not any(record.cell[other] == 0 for other, steps in steps_to(state, [cell]).items() if steps == 1)]
        total += evaluate.WELL_AHEAD_WALLED * walled * sum(mine[cell] + 1 < theirs[cell] for cell in shared)
        total += (evaluate.OWN * 1024 + evaluate.OWN_WALLED * walled) * len(mine.keys() - theirs.keys())
        total += (evaluate.ACTIVE * 1024 + evaluate.ACTIVE_WALLED * walled) * len(active)
        total += (evaluate.STUCK * 1024 + evaluate.STUCK_WALLED * walled) * len(stuck)
    return total >> 10


def test_in_land_of_ones_own_one_turn_is_enough():
    # Seat 1's piece on a1 has the four cells around b2's upper left corner to itself; everything it does there is a mere pass.
    state = hanpan.game("wallgo", size=4, pieces=2).parse("1.../..../..2./1..2 a2-,b1|,b2-,b2| 12 1")
    inside = [action for action in state.legal() if action.startswith("a1")]
    kept = kept_actions(state)
    assert len(inside) == 8
    assert len([action for action in kept if action.startswith("a1")]) == 1
    assert {action for action in kept if action.startswith("a4")} == set(state.legal()) - set(inside)


def kept_actions(state):
    """The actions worth searching, as texts."""
    record, book = state.record, state.game.book
    out = book.actions_buffer()
    n = int(evaluate.prune(record[0], out, book.rules.legal(record[0], out), 8))
    return [book.text.format_action(record[0], int(a)) for a in out[:n]]


@pytest.mark.slow
@every_kind
def test_what_is_left_out_leads_nowhere_else(options):
    """A turn that is not searched gives the same position as one that is, or is made in land that is the seat's own."""
    for state in list(positions(options, range(3)))[::4]:
        kept = kept_actions(state)
        assert kept
        assert set(kept) <= set(state.legal())
        after = {str(state.play(action)) for action in kept}
        reached = steps_to(state, pieces(state, *(seat for seat in range(state.game.seats) if seat != state.seat)))
        for action in set(state.legal()) - set(kept):
            cell = int(state.actions[action]) // 4 // 13
            assert str(state.play(action)) in after or cell not in reached


def endings(count):
    """Positions of a small board near their end."""
    game = hanpan.game("wallgo", size=3, pieces=1)
    found = []
    for seed in range(200):
        state, dice = game.start(seed=seed), random.Random(seed)
        while not state.over:
            if str(state).split()[1].count(",") + 1 >= 5 and "," in str(state):
                found.append(state)
                break
            state = state.play(dice.choice(state.legal()))
        if len(found) == count:
            break
    return game, found


def test_small_endings_are_solved_exactly():
    game, found = endings(24)
    assert len(found) == 24
    seen = set()
    for state in found:
        true = true_value(game, state.record) * (1 if state.seat == 0 else -1)
        *_, result = TreeSearch("wallgo", 4).think(state.record, None, 20_000, 64, 0, 1)
        assert result.sure
        action = {number: text for text, number in state.actions.items()}[result.best]
        after = state.play(action)
        value = true_value(game, after.record) * (1 if state.seat == 0 else -1)
        assert value == true
        worth = result.values[result.best]
        assert (worth > SURE) - (worth < -SURE) == (true > 0) - (true < 0)  # a proof is no number of points
        seen.add(true)
    assert len(seen) > 1  # some are won, some are not


def test_a_winning_wall_is_found_and_a_losing_one_is_not_built():
    # Both stand in the left column's only contested region; closing b1 gives seat 1 six cells of nine.
    state = hanpan.game("wallgo", size=3, pieces=1).parse("1.2/.../... b1|,b3| 12 1")
    chosen = hanpan.bot("wallgo", level=8, megabytes=16, nodes=4000).choose(state)
    game = state.game
    best = max(true_value(game, state.play(action).record) for action in state.legal())
    assert true_value(game, state.play(chosen).record) == best


@every_kind
def test_a_whole_game_is_played_legally_and_the_same_again(options):
    def played():
        state = hanpan.game("wallgo", **options).start(seed=2)
        bots = [hanpan.bot("wallgo", level=6, seed=seat, megabytes=8, nodes=40) for seat in range(state.game.seats)]
        actions = []
        while not state.over:
            actions.append(bots[state.seat].choose(state))
            state = state.play(actions[-1])
        return actions

    assert played() == played()


@pytest.mark.parametrize("size", [5, 7, 11])
def test_the_first_piece_is_placed_near_the_middle(size):
    state = hanpan.game("wallgo", size=size).start(seed=1)
    chosen = hanpan.bot("wallgo", level=8, megabytes=16, nodes=400).choose(state)
    (cell,) = pieces(state.play(chosen), 0, 1)
    assert abs(cell % size - size // 2) + abs(cell // size - size // 2) <= 2
