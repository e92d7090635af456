"""Puoribor's computer player: it measures ways rightly, overlooks nothing, wins races, and turns the board when that wins."""

import json
import random
from collections import deque
from pathlib import Path

import numpy as np
import pytest

import hanpan
from hanpan import State
from hanpan.bots.alphabeta import SURE, WIN
from hanpan.bots.deepening import Deepening
from hanpan.bots.match import play_match
from hanpan.bots.pairs import Plan
from hanpan.bots.players import make_player
from hanpan.core.rule import plain
from hanpan.games.puoribor import candidates, evaluate, lanes, learnt, race, rules, ways

GAME, PLAIN = hanpan.game("puoribor"), hanpan.game("puoribor", rotation=False)
TURNS = json.loads((Path(__file__).parent / "puoribor_turns.json").read_text())


def positions(count, seed, game=GAME):
    """Positions of random games with many walls."""
    dice, state = random.Random(seed), game.start()
    while count:
        if state.over or len(str(state)) > 70:
            state = game.start()
        legal = state.legal()
        state = state.play(dice.choice([a for a in legal if len(a) == 3] * (dice.random() < 0.6) or legal))
        if not state.over:
            yield state
            count -= 1


def with_hands(text, first, second, game=PLAIN):
    """A position with other numbers of walls in hand than were left over by what stands on the board."""
    state = game.parse(text)
    record = state.record
    record["hand"][0] = first, second
    return State(state.game, record, -3)


def is_open(s, x, y, dx, dy):
    direction = {(0, -1): 0, (0, 1): 1, (-1, 0): 2, (1, 0): 3}[dx, dy]
    return bool(rules.is_open(s, 10 * x + y, direction))


def walked(s, seat, site=None):
    """The length of the shortest way, step by step."""
    start = divmod(int(s.pawn[seat]) if site is None else site, 10)
    seen, queue = {start: 0}, deque([start])
    while queue:
        x, y = queue.popleft()
        if y == (8 if seat == 0 else 0):
            return seen[x, y]
        for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            if (x + dx, y + dy) not in seen and is_open(s, x, y, dx, dy):
                seen[x + dx, y + dy] = seen[x, y] + 1
                queue.append((x + dx, y + dy))
    return ways.FAR


def measured(s, seat):
    return ways.way_length(int(s.pawn[seat]), seat, *ways.openings(s))


def listed(s, depth):
    actions, ranks = np.zeros(rules.MOST_LEGAL, np.int32), np.zeros(rules.MOST_LEGAL, np.int64)
    return actions[: candidates.candidates(s, actions, ranks, depth, np.zeros(lanes.ROOM, np.int64))].tolist()


def bot(nodes=20_000, level=8, seed=1):
    return hanpan.bot("puoribor", level=level, seed=seed, megabytes=32, nodes=nodes)


def upside_down(text):
    """The same position with the seats exchanged."""
    pawn1, pawn2, hand1, hand2, walls, seat = text.split(" ")

    cells = [f"{name[0]}{10 - int(name[1])}" for name in (pawn2, pawn1)]
    turned = "-" if walls == "-" else ",".join(sorted(f"{w[0]}{(10 if w[2] == '|' else 9) - int(w[1])}{w[2]}" for w in walls.split(",")))
    return f"{cells[0]} {cells[1]} {hand2} {hand1} {turned} {3 - int(seat)}"


def worth(state):
    out = np.zeros(2, np.int32)
    evaluate.values(state.record[0], out)
    return int(out[state.seat]) - int(out[1 - state.seat])


# --- ways ---


def test_the_length_of_a_way_is_what_walking_it_takes():
    for state in positions(150, 1):
        s = state.record[0]
        assert [measured(s, seat) for seat in range(2)] == [walked(s, seat) for seat in range(2)], str(state)


def test_many_ways_side_by_side_are_as_long_as_each_alone():
    room = np.zeros(lanes.ROOM, np.int64)
    for seat in range(2):
        expected = []
        for lane, state in enumerate(positions(lanes.LANES - 5, 4)):
            s = state.record[0]
            if lane % 2:  # so many walls that some have no way
                s.h[:] |= random.Random(lane).getrandbits(50) | random.Random(-lane - 1).getrandbits(50)
            lanes.put(room, lane, 7 * lane, int(s.pawn[seat]), *ways.openings(s))
            expected.append(walked(s, seat))
        lanes.measure(room, len(expected), seat)
        assert room[lanes.STEPS, : len(expected)].tolist() == expected
        assert room[lanes.NUMBER, : len(expected)].tolist() == list(range(0, 7 * len(expected), 7))
        assert ways.FAR in expected
        assert min(expected) < 10


def test_both_ways_measured_together_are_as_long_as_each_alone():
    for state in positions(100, 6):
        s, me = state.record[0], state.seat
        assert ways.both_lengths(s) == (measured(s, me), measured(s, 1 - me)), str(state)


def test_one_shortest_way_crosses_as_many_edges_as_it_is_long_and_all_ways_hold_it():
    for state in positions(100, 2):
        s = state.record[0]
        for seat in range(2):
            length, *downhill = ways.downhill(int(s.pawn[seat]), seat, *ways.openings(s))
            one, every = ways.one_way(int(s.pawn[seat]), *downhill), ways.all_ways(int(s.pawn[seat]), *downhill)
            assert length == measured(s, seat)
            assert sum(int(word).bit_count() for word in one) == length
            assert all(int(a) & ~int(b) == 0 for a, b in zip(one, every, strict=True))


# --- candidates ---


@pytest.mark.parametrize("game", [GAME, PLAIN], ids=["turning", "plain"])
def test_candidates_are_legal_and_hold_all_pawn_moves_and_all_walls_that_gain(game):
    for state in positions(60, 3, game):
        s, me = state.record[0], state.seat
        legal = set(state.actions.values())
        before = measured(s, 1 - me) - measured(s, me)
        gains = set()
        for action in legal:
            after = state.record
            rules.apply(after[0], action)
            if rules.FLAT <= action < rules.TURN and measured(after[0], 1 - me) - measured(after[0], me) > before:
                gains.add(action)
        for depth in (1, 2, 3, 5):
            found = listed(s, depth)
            assert len(set(found)) == len(found)
            assert set(found) <= legal
            assert {action for action in legal if action < rules.FLAT} | gains <= set(found), str(state)


def test_where_a_wall_across_a_way_may_stand_its_opposite_is_looked_at_too():
    """In the plain game: f1v gains nothing at once, but where it stands f1h can't be built."""
    seen = 0
    for state in positions(60, 8, PLAIN):
        s, legal = state.record[0], set(state.actions.values())
        near, wide, widest = (set(listed(s, depth)) for depth in (2, 3, 5))
        assert near <= wide <= widest
        for action in near:
            if rules.FLAT <= action < rules.TURN:
                opposite = action + 64 if action < rules.TALL else action - 64
                assert opposite not in legal or opposite in wide, str(state)
                seen += opposite in legal and opposite not in near
    assert seen > 100


def test_with_turns_the_walls_stay_those_across_the_ways():
    for state in positions(20, 9):
        s = state.record[0]
        assert {a for a in listed(s, 5) if a < rules.TURN} == {a for a in listed(s, 2) if a < rules.TURN}


def test_right_above_the_leaves_no_turn_is_looked_at():
    for state in positions(20, 12):
        assert not any(a >= rules.TURN for a in listed(state.record[0], 1))
    assert any(a >= rules.TURN for state in positions(20, 12) for a in listed(state.record[0], 2))


# --- judgement ---


@pytest.mark.slow
def test_the_guess_is_a_step_down_a_shortest_way_and_the_one_that_was_good_most_often():
    dice, none = random.Random(5), 0
    for state in positions(150, 11):
        s = state.record[0]
        me = int(s.turn)
        used = np.array([dice.randrange(100) for _ in range(rules.ACTIONS)])
        found = int(candidates.guess(s, used))
        assert plain(candidates.guess)(s, used) == found
        left = walked(s, me)
        beside = [a for a in (state.actions[text] for text in state.legal() if len(text) == 2) if abs(a + a // 9 - int(s.pawn[me])) in (1, 10)]
        nearer = [a for a in beside if walked(s, me, a + a // 9) == left - 1]
        assert found == max(nearer, key=lambda a: used[a], default=-1) or (found in nearer and used[found] == max(used[nearer]))
        none += found < 0
    assert none < 15


def test_a_position_is_worth_the_same_from_the_other_side():
    for state in positions(100, 4):
        assert worth(state) == worth(GAME.parse(upside_down(str(state)))), str(state)


def test_a_shorter_way_and_more_walls_are_better():
    assert worth(PLAIN.parse("e3 e8 10 10 - 1")) > worth(PLAIN.parse("e2 e8 10 10 - 1"))
    assert worth(with_hands("e3 e7 10 10 - 1", 8, 5)) > worth(with_hands("e3 e7 10 10 - 1", 5, 5))


def test_tables_are_small_enough_to_be_kept_on_disk_with_the_code():
    assert max(table.nbytes for table in (learnt.F, learnt.T, learnt.R, learnt.HIGH, learnt.LOW)) < 1_000_000


# --- playing ---


def solved_race(s):
    """For every pair of pawn places and seat to act, without walls in hand: the plies in which that seat wins, or (less than zero) loses, if anybody can."""
    record = np.zeros(1, rules.State)
    record[0] = s
    record[0].hand[:] = 0
    sites = [10 * x + y for x in range(9) for y in range(9)]
    moves, plies = {}, {}
    for a in sites:
        for b in sites:
            for turn in range(2):
                if a == b:
                    continue
                record[0].pawn[0], record[0].pawn[1], record[0].turn = a, b, turn
                if rules.winner(record[0]) >= 0:
                    plies[a, b, turn] = 0  # only ever reached by the winner's move
                    continue
                packed, to = int(rules.landings(record[0])), []
                while packed:
                    site = (packed & 127) - 1
                    to.append((site, b, 1) if turn == 0 else (a, site, 0))
                    packed >>= 7
                moves[a, b, turn] = to
    for depth in range(1, 200):
        new = {}
        for here, to in moves.items():
            if here not in plies and to:
                seen = [plies.get(there) for there in to]
                if any(n is not None and n <= 0 for n in seen):
                    new[here] = depth
                elif all(n is not None for n in seen):
                    new[here] = -depth
        if not new and depth > 1:
            return plies
        plies.update(new)
    raise AssertionError("a race that never ends")


WALLS = ("b3h,c5v,d2h,d7h,e4v,f6h,g3v,h5h", "a4h,c4h,d5v,e6h,f2v,g4h,g7h,h2v")


def race_at(walls, a, b, turn):
    cells = ["abcdefghi"[site // 10] + str(site % 10 + 1) for site in (a, b)]
    return with_hands(f"{cells[0]} {cells[1]} 6 6 {walls} {turn + 1}", 0, 0)


@pytest.mark.slow
def test_races_without_walls_are_played_as_a_full_solution_says():
    player, dice = Deepening("puoribor", 8), random.Random(6)
    for walls_there in WALLS:
        plies = solved_race(PLAIN.parse(f"e5 e6 6 6 {walls_there} 1").record[0])
        inside = sorted(key for key, n in plies.items() if n and key[0] % 10 not in (0, 8) and key[1] % 10 not in (0, 8))
        for a, b, turn in dice.sample(inside, 60):  # one memory for all of them
            state, best = race_at(walls_there, a, b, turn), plies[a, b, turn]
            *_, found = player.think(state.record, None, 30_000, 64, 0, 1)
            top = found.values[found.best]
            assert found.sure, str(state)
            assert abs(top) > SURE, str(state)
            assert (top > 0) == (best > 0), str(state)
            assert abs(best) <= WIN - abs(top), str(state)  # the end comes no later than announced
            after = state.record
            rules.apply(after[0], found.best)
            assert best < 0 or plies[int(after[0].pawn[0]), int(after[0].pawn[1]), 1 - turn] <= 0, str(state)


@pytest.mark.slow
def test_a_race_that_is_called_settled_is_what_a_full_solution_says():
    for walls_there in WALLS:
        record = PLAIN.parse(f"e5 e6 6 6 {walls_there} 1").record
        plies, s, called = solved_race(record[0]), record[0], 0
        s.hand[:] = 0
        for (a, b, turn), best in plies.items():
            if best:
                s.pawn[0], s.pawn[1], s.turn = a, b, turn
                found = int(race.settled(s, 0))
                assert found == 0 or ((found > 0) == (best > 0) and abs(found) >= abs(best)), (walls_there, a, b, turn)
                called += found != 0
        assert called > len(plies) // 3


def corridors(count, seed):
    """Positions with many walls on the board and few in hand, the pawns anywhere."""
    dice, found = random.Random(seed), 0
    while found < count:
        state = (GAME if dice.random() < 0.3 else PLAIN).start()
        while walls := [action for action in state.legal() if action[-1] in "hv"]:
            state = state.play(dice.choice(walls))
        for _ in range(40):
            record = state.record
            s = record[0]
            s.hand[:] = dice.randrange(3), dice.randrange(3)
            s.pawn[:] = [10 * dice.randrange(9) + dice.randrange(1, 8) for _ in range(2)]
            s.turn = dice.randrange(2)
            if s.pawn[0] != s.pawn[1] and max(measured(s, 0), measured(s, 1)) < ways.FAR:
                yield State(state.game, record, -3)
                found += 1


@pytest.mark.slow
def test_a_settled_race_stays_settled_and_gets_nearer_whatever_is_played():
    """The proof of the certificate: the winner has an action that keeps it, and no action of the loser breaks it."""
    seen = [0, 0]
    for state in corridors(1500, 10):
        s = state.record[0]
        left = int(race.settled(s, race.WALLED))
        if left == 0:
            continue
        seen[int(s.hand[1 - s.turn if left > 0 else s.turn] > 0)] += 1
        after = []  # what the other is told then: less than zero, it loses within so many plies; 0, it has lost
        for action in state.actions.values():
            record = state.record
            rules.apply(record[0], action)
            after.append(0 if rules.winner(record[0]) >= 0 else int(race.settled(record[0], race.WALLED)) or None)
        if left > 0:
            assert any(n is not None and 0 >= n >= 1 - left for n in after), str(state)
        else:
            assert all(n is not None and 0 < n < -left for n in after), str(state)
    assert min(seen) > 20, seen


def test_settled_interpreted_is_settled_compiled():
    for state in corridors(40, 11):
        for depth in (0, race.WALLED):
            assert plain(race.settled)(state.record[0], depth) == race.settled(state.record[0], depth)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "plies"), [(GAME, 12), (PLAIN, 9.5)], ids=["turning", "plain"])
def test_little_work_looks_far(game, plies):
    """Late actions are looked at less deeply and near the leaves not at all: without that it would be depth 9.4 and 8.1 on average."""
    depths = []
    for state in positions(24, 13, game):
        *_, found = Deepening("puoribor", 2).think(state.record, None, 20_000, 64, 0, 1)
        if not found.sure:
            depths.append(found.depth)
    assert np.mean(depths) >= plies, np.mean(depths)


def test_it_arrives_when_it_can():
    assert bot(nodes=500).choose(GAME.parse("c8 e4 10 10 - 1")) == "c9"
    assert bot(nodes=500).choose(GAME.parse("c4 h2 10 10 - 2")) == "h1"


def test_it_stops_the_other_who_would_arrive():
    for text, first, second in (("e4 c2 10 10 - 1", 3, 0), ("e3 f2 10 9 e2h 1", 2, 0), ("e8 d6 10 10 - 2", 0, 4)):
        state = with_hands(text, first, second)
        after = state.play(bot(nodes=5_000).choose(state))
        assert not any(after.play(reply).over for reply in after.legal()), text


@pytest.mark.parametrize("case", TURNS, ids=[case["position"].replace(" ", "_") for case in TURNS])
def test_it_turns_the_board_when_that_is_best(case):
    """One case needs more work: there a wall (c3h) looks about as good as the turn, until both are looked at more than eleven plies deep."""
    assert bot(nodes=case.get("nodes", 40_000)).choose(GAME.parse(case["position"])) in case["turns"]


def test_the_same_seed_plays_the_same_action():
    for state in positions(4, 7):
        assert bot(nodes=3_000, seed=5).choose(state) == bot(nodes=3_000, seed=5).choose(state)


@pytest.mark.slow
@pytest.mark.parametrize("rotation", [True, False])
def test_it_beats_a_player_who_looks_two_plies_ahead_at_the_ways(rotation, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    plan = Plan("puoribor", {"rotation": rotation, "max_plies": 300}, ("8@2000", "python:opponents.puoribor_ways:Ways"), None, openings=4, megabytes=16)
    assert play_match(plan, 6).report()["score"] >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["ways:Ways", "rollouts:Rollouts"])
def test_the_players_it_is_measured_against_play_by_the_rules(opponent, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    player = make_player(f"python:opponents.puoribor_{opponent}", "puoribor", 16)
    player.begin(1)
    for game in (GAME, PLAIN):
        state = game.parse("e3 e7 9 8 b2h,d5v,e4h 1")
        assert player.choose(state.view(0), 0.05) in state.legal()
