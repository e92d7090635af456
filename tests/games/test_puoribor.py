"""Puoribor: Quoridor whose board can be turned."""

import gzip
import itertools
import json
import random

import numpy as np
import pytest
from puoribor_table import OPTIONS, play

import hanpan
from hanpan.core.rule import rng
from hanpan.games.puoribor import rules
from hanpan.loops import perft


def random_states(game, seed, plies=200):
    dice = random.Random(seed)
    state = game.start()
    for _ in range(plies):
        yield state
        if state.over:
            return
        legal = state.legal()
        # mostly walls and turns, or a board would hardly fill before somebody arrives
        state = state.play(dice.choice([a for a in legal if len(a) == 3] * (dice.random() < 0.7) or legal))


# --- a slow referee: the rules once more, on sets of edges, as plainly as they can be said ---


class Referee:
    def __init__(self, text, rotation=True):
        pawn1, pawn2, hand1, hand2, walls, seat = text.split(" ")[:6]
        self.rotation, self.seat = rotation, seat
        self.pawns = [self.cell(pawn1), self.cell(pawn2)]
        self.hands = [int(hand1), int(hand2)]
        self.walls = set() if walls == "-" else set(walls.split(","))

    @staticmethod
    def cell(text):
        return "abcdefghi".index(text[0]), int(text[1]) - 1

    @staticmethod
    def name(x, y):
        return "abcdefghi"[x] + str(y + 1)

    def edges_of(self, wall):
        (x, y), kind = self.cell(wall[:2]), wall[2]
        return {"h": {("-", x, y), ("-", x + 1, y)}, "v": {("|", x, y), ("|", x, y + 1)}}.get(kind, {(kind, x, y)})

    def edges(self, walls):
        return {edge for wall in walls for edge in self.edges_of(wall)}

    @staticmethod
    def neighbours(x, y, edges):
        for dx, dy, edge in ((0, -1, ("-", x, y - 1)), (0, 1, ("-", x, y)), (-1, 0, ("|", x - 1, y)), (1, 0, ("|", x, y))):
            if 0 <= x + dx < 9 and 0 <= y + dy < 9 and edge not in edges:
                yield dx, dy

    def ways_open(self, walls):
        edges = self.edges(walls)
        for seat, goal in ((0, 8), (1, 0)):
            seen, todo = {self.pawns[seat]}, [self.pawns[seat]]
            while todo:
                x, y = todo.pop()
                new = {(x + dx, y + dy) for dx, dy in self.neighbours(x, y, edges)} - seen
                seen |= new
                todo += new
            if not any(y == goal for _, y in seen):
                return False
        return True

    def pawn_moves(self):
        edges, me = self.edges(self.walls), int(self.seat) - 1
        x, y = self.pawns[me]
        other = self.pawns[1 - me]
        for dx, dy in self.neighbours(x, y, edges):
            if (x + dx, y + dy) != other:
                yield x + dx, y + dy
                continue
            around = list(self.neighbours(*other, edges))
            if (dx, dy) in around:
                yield other[0] + dx, other[1] + dy
            else:
                yield from ((other[0] + sx, other[1] + sy) for sx, sy in around if (sx, sy) != (-dx, -dy))

    def turned(self, x, y):
        """The walls after the window at (x, y) was turned."""

        def turn(edge):
            """Where an edge goes: None if it is not in the window, "gone" if onto the rim."""
            kind, cx, cy = edge
            if kind == "-":
                a, b = cx - x, cy + 1 - y
                if not (0 <= a <= 3 and 0 <= b <= 4):
                    return None
                new = ("|", x + 4 - b - 1, y + a)
                return new if 0 <= new[1] < 8 else "gone"
            a, b = cx + 1 - x, cy - y
            if not (0 <= a <= 4 and 0 <= b <= 3):
                return None
            new = ("-", x + 3 - b, y + a - 1)
            return new if 0 <= new[2] < 8 else "gone"

        result = set()
        for wall in self.walls:
            edges = sorted(self.edges_of(wall))
            moved = [turn(edge) for edge in edges]
            if (None in moved and set(moved) != {None}) or len(edges) == 1:  # cut, or a half already
                for edge, new in zip(edges, moved, strict=True):
                    kept = edge if new is None else new
                    if kept != "gone":
                        result.add(self.name(kept[1], kept[2]) + kept[0])
            elif None in moved:
                result.add(wall)
            elif "gone" not in moved:
                kind, cx, cy = min(moved)
                result.add(self.name(cx, cy) + {"-": "h", "|": "v"}[kind])
        return result

    def legal(self):
        moves = {self.name(*cell) for cell in self.pawn_moves()}
        hand, taken = self.hands[int(self.seat) - 1], self.edges(self.walls)
        if hand >= 1:
            for x in range(8):
                for y in range(8):
                    for kind, crossing in ("hv", "vh"):
                        wall = self.name(x, y) + kind
                        if not self.edges_of(wall) & taken and self.name(x, y) + crossing not in self.walls and self.ways_open(self.walls | {wall}):
                            moves.add(wall)
        if hand >= 2 and self.rotation:
            moves |= {self.name(x, y) + "r" for x in range(6) for y in range(6) if self.ways_open(self.turned(x, y))}
        return sorted(moves)

    def walls_after(self, action):
        if action.endswith("r"):
            return self.turned(*self.cell(action))
        return self.walls | {action} if len(action) == 3 else self.walls


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS[:5], ids=str)
def test_the_slow_referee_agrees(options):
    game = hanpan.game("puoribor", **options)
    for seed in range(4):
        states = list(random_states(game, seed, 60))
        for state, after in list(itertools.pairwise(states))[seed % 3 :: 6]:
            referee = Referee(str(state), game.options["rotation"])
            assert state.legal() == referee.legal()
            action = next(a for a in state.legal() if state.play(a) == after)
            assert str(after).split(" ")[4] == (",".join(sorted(referee.walls_after(action))) or "-")


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"rotation": False}], ids=str)
def test_the_slow_referee_agrees_where_rings_can_close(options):
    """Pawns in mid-board, walls close around them: most walls that are refused here do not touch the rim."""
    dice = random.Random(5)
    refusals = 0
    for _ in range(8):
        state = hanpan.game("puoribor", walls=20, **options).parse("e4 e6 20 20 - 1")
        for ply in range(14):
            near = [a for a in state.legal() if a[2:] in ("h", "v") and a[0] in "cdef" and a[1] in "23456"]
            if not near:
                break
            state = state.play(dice.choice(near))
            if ply > 4 and ply % 3 == 2:
                referee = Referee(str(state), state.game.options["rotation"])
                legal = referee.legal()
                assert state.legal() == legal
                refusals += 128 - sum(a[2:] in ("h", "v") for a in legal)
    assert refusals > 100


# --- what others counted and played ---


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [167, 27_405, 4_419_735]),
        ({"rotation": False}, [131, 16_677, 2_062_264]),
        pytest.param({"rotation": False}, [131, 16_677, 2_062_264, 247_569_030], marks=pytest.mark.slow),
    ],
    ids=["turning", "plain", "plain-deep"],
)
def test_perft(options, counts):
    game = hanpan.game("puoribor", **options)
    for depth, count in enumerate(counts, 1):
        stack, lists = np.zeros(depth + 1, rules.State), np.zeros((depth + 1, rules.MOST_LEGAL), np.int32)
        stack[0] = game.start().record[0]
        assert perft("puoribor")(stack, lists, np.zeros(depth + 1, np.int64), rng(0), depth) == count


def test_recorded_games_are_reproduced(traces):
    lines = gzip.decompress((traces / "puoribor.jsonl.gz").read_bytes()).decode().splitlines()
    assert len(lines) == 260
    for line in lines[::5]:
        trace = json.loads(line)
        state = hanpan.game(trace["game"], **trace["options"]).parse(trace["start"])
        assert state == hanpan.game("puoribor", **trace["options"]).start()
        for ply in trace["plies"][:120]:
            assert state.seat == ply["seat"]
            assert state.legal() == ply["legal"]
            state = state.play(ply["action"])
            assert str(state) == ply["after"]
        if len(trace["plies"]) <= 120:
            assert (state.over, state.winner) == (trace["over"], trace["winner"])
            assert state.scores == [int(seat in (state.winner or [])) for seat in range(2)]


# --- the pawn ---


def pawn_moves(text, **options):
    return [action for action in play(text, **options).legal() if len(action) == 2]


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("e1 e9 10 10 - 1", ["d1", "e2", "f1"]),
        ("e5 a9 10 10 - 1", ["d5", "e4", "e6", "f5"]),
        ("e5 a9 9 9 d4v,e5h 1", ["e4", "f5"]),
        ("e5 e6 10 10 - 1", ["d5", "e4", "e7", "f5"]),  # straight over
        ("e5 e6 9 10 e6h 1", ["d5", "d6", "e4", "f5", "f6"]),  # a wall behind
        ("e5 e6 9 9 d6h,e6v 1", ["d5", "d6", "e4", "f5"]),  # a wall behind and one beside
        ("e5 e6 9 10 e5h 1", ["d5", "e4", "f5"]),  # a wall between
        ("e8 e9 10 10 - 1", ["d8", "d9", "e7", "f8", "f9"]),  # the rim behind
        ("b5 a5 10 10 - 1", ["a4", "a6", "b4", "b6", "c5"]),
        ("a3 a2 10 10 - 2", ["a1", "a4", "b2"]),
    ],
)
def test_a_pawn_steps_jumps_and_goes_around(position, moves):
    assert pawn_moves(position) == moves


def test_the_first_pawn_on_its_goal_row_wins_at_once():
    won = play("e8 a5 10 10 - 1", "e9")
    assert (won.over, won.winner, won.scores, won.seat, won.legal()) == (True, [0], [1, 0], None, [])
    assert str(won) == "e9 a5 10 10 - -"
    lost = play("e5 a2 10 10 - 2", "a1")
    assert (lost.winner, lost.scores) == ([1], [0, 1])
    # the other's goal row is an ordinary row
    assert not play("d2 e9 10 10 - 1", "d1").over


# --- walls and turns ---


def test_a_wall_costs_one_and_a_turn_two():
    assert str(play("e1 e9 10 10 - 1", "e3h", "c3r")) == "e1 e9 9 8 e5v 1"
    assert "a1r" not in play("e1 e9 1 10 a1-,b1v 1").legal()
    assert not any(len(action) == 3 for action in play("e1 e9 0 0 a1h 1").legal())


def test_an_empty_window_may_be_turned():
    assert str(play("e1 e9 10 10 - 1", "f6r")) == "e1 e9 8 10 - 2"


@pytest.mark.parametrize(
    ("walls", "turn", "after"),
    [
        ("d4h", "c3r", "d4v"),  # inside, whole
        ("c6h", "c3r", "b3v"),  # on the lower border, now on the left one
        ("c2h", "c3r", "f3v"),  # on the upper border, now on the right one
        ("b3h", "c3r", "b3-,e3|"),  # across the left border: cut, one half turns
        ("f4v", "c3r", "d6h"),  # on the right border, now on the lower one
        ("f6v", "c3r", "c6-,f7|"),  # along the border, past the corner
        ("b2h", "c3r", "b2-,f3|"),
        ("h1v", "c3r", "h1v"),  # outside: untouched
        ("b4h", "a1r", "-"),  # onto the rim: gone
        ("d1v", "a1r", "c4h"),
        ("a2v", "a1r", "b1h"),
        ("d4-", "c3r", "d4|"),  # a half turns too
    ],
)
def test_what_a_turn_does_to_a_wall(walls, turn, after):
    hand = 7 if walls.endswith("-") else 9  # a half is what one wall and one turn have left
    assert str(play(f"e1 e9 {hand} 10 {walls} 1", turn)).split(" ")[4] == after


def test_four_turns_bring_whole_walls_inside_back():
    state = play("e1 e9 20 20 - 1", "d4h", "e4v", "c3r", "c3r", "c3r", "c3r", walls=20)
    assert str(state).split(" ")[4] == "d4h,e4v"


def test_halves_never_join_and_a_wall_may_pass_between_them():
    halves = play("e1 e9 10 10 - 1", "b3h", "c3r", "c3r", "c3r", "c3r")
    assert str(halves).split(" ")[4] == "b3-,c3-"  # end to end where the wall was, still two
    assert "b3v" in halves.legal()
    assert "b3v" not in play("e1 e9 9 10 b3h 2").legal()
    # between two whole walls that only touch
    assert "c3v" in play("e1 e9 9 9 b3h,d3h 1").legal()


def test_equal_positions_are_equal_whatever_led_there():
    one = play("e1 e9 10 10 - 1", "a1h", "c3h", "e2", "e8")
    other = play("e1 e9 10 10 - 1", "e2", "e8", "a1h", "c3h")
    assert one == other
    assert hash(one) == hash(other)
    assert one._record.tobytes() == other._record.tobytes()


def test_a_game_can_be_given_a_longest_length():
    state = play("e1 e9 10 10 - 1 0", "e2", "e8", "e3", max_plies=4)
    assert str(state) == "e3 e8 10 10 - 2 3"
    drawn = state.play("e7")
    assert (drawn.over, drawn.winner, drawn.scores, str(drawn)) == (True, [], [0, 0], "e3 e7 10 10 - - 4")
    won = play("e8 a5 10 10 - 1 8", "e9", max_plies=9)
    assert won.winner == [0]  # arriving with the last ply still wins


# --- what holds in every game ---


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games_keep_their_promises(options):
    game = hanpan.game("puoribor", **options)
    for seed in range(2):
        before = None
        for state in random_states(game, seed, 120):
            if state.over:
                break
            legal = state.legal()
            assert any(len(action) == 2 for action in legal)  # there is always a pawn move
            assert len(legal) <= rules.MOST_LEGAL
            assert Referee(str(state)).ways_open(Referee(str(state)).walls)
            assert game.parse(str(state)) == state
            hands = [int(hand) for hand in str(state).split(" ")[2:4]]
            if before:
                assert sum(before) - sum(hands) in (0, 1, 2)
            before = hands
            for action in legal[::20]:
                assert rules.ACTIONS > game.book.text.parse_action(state._record[0], action) >= 0


def test_a_forced_action_is_any_legal_one():
    state = play("e1 e9 2 2 a1-,b7h,c3v,c6|,e2-,f5h,g3v 1")
    forced = {state.forced(seed) for seed in range(1500)}
    assert forced <= set(state.legal())
    assert {len(action) for action in forced} == {2, 3}
    assert {action[-1] for action in forced if len(action) == 3} == set("hvr")
