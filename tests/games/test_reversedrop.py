"""Reverse Drop Chess, in sentences."""

import gzip
import json
import random

import pytest
from reversedrop_table import CELLS, EMPTY, moves_by_the_page, position, refused, rows, signs

import hanpan
from hanpan import loops
from hanpan.core.rule import rng
from hanpan.games.reversedrop import rules
from hanpan.games.reversedrop.traces import check


def random_states(game, seed, plies=10_000):
    dice = random.Random(seed)
    state = game.start()
    yield state
    for _ in range(plies):
        if state.over:
            return
        state = state.play(state.draw(dice.getrandbits(30)) if state.chance else dice.choice(state.legal()))
        yield state


# --- The rules read from their page, slowly: a board is a dict, a landing is looked at side by side ---


def over_by_the_page(board):
    return any(list(board.values()).count(own) < 2 or not moves_by_the_page(board, own) for own in "bw")


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"black": 30, "white": 30}, {"black": 2, "white": 20}, {"black": 30, "white": 2}])
def test_the_fast_rules_are_the_rules_of_the_page(options):
    for seed in range(3):
        for state in random_states(hanpan.game("reversedrop", max_plies=0, **options), seed, 120):
            if state.chance:
                continue
            board = signs(state)
            assert state.over == over_by_the_page(board)
            if not state.over:
                known = moves_by_the_page(board, "bw"[state.seat])
                assert state.legal() == sorted(known)
                text = random.Random(str(state)).choice(state.legal())
                assert signs(state.play(text)) == known[text]


# --- The original's games ---


def lines(folder, name):
    with gzip.open(folder / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def difference(line):
    return check(line, hanpan.game)


@pytest.mark.slow
def test_games_of_the_original_are_reproduced(traces):
    for line in lines(traces, "reversedrop")[::8]:
        state = hanpan.game("reversedrop", **line["options"]).parse(line["start"])
        assert str(state) == line["start"]
        for ply in line["plies"]:
            legal = state.legal()
            assert (state.seat, len(legal)) == (ply["seat"], ply["n"])
            assert legal == ply.get("legal", legal)
            state = state.play(ply["action"])
            assert str(state) == ply["after"]
        assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])


@pytest.mark.parametrize(("name", "number"), [("reversedrop-cases", 480), ("reversedrop-ends", 300)])
def test_every_landing_and_every_end_of_the_original_is_reproduced(traces, name, number):
    known = lines(traces, name)
    assert len(known) == number
    for line in known:
        assert difference(line) is None


def test_an_altered_landing_is_noticed(traces):
    dice = random.Random(1)
    for line in dice.sample(lines(traces, "reversedrop-cases"), 60):
        text = json.dumps(line)
        at = dice.choice([i for i, sign in enumerate(text) if sign in ".BWEXO#0123456789"])
        group = next(group for group in (".BW", "EXO#", "0123456789") if text[at] in group)
        broken = text[:at] + dice.choice([sign for sign in group if sign != text[at]]) + text[at + 1 :]
        assert difference(json.loads(broken)), broken


def test_an_altered_end_is_noticed(traces):
    dice = random.Random(2)
    for line in dice.sample(lines(traces, "reversedrop-ends"), 60):
        at = dice.choice([i for i, sign in enumerate(line["board"]) if sign != "/"])
        sign = dice.choice([sign for sign in ".bw" if sign != line["board"][at]])
        changes = [
            {"board": line["board"][:at] + sign + line["board"][at + 1 :]},
            {"over": not line["over"]},
            {"over": int(line["over"])},
            {"winner": [0] if line["winner"] == [1] else [1]},
            {"winner": None if line["over"] else []},
            {"scores": [line["scores"][0] + 1, line["scores"][1]]},
            {"scores": [float(score) for score in line["scores"]]},
            {"to_move": "-"},
            {"game": "kulami"},
            {"more": 1},
        ]
        for change in changes:
            assert difference({**line, **change}), change
        assert difference({key: value for key, value in line.items() if key != "scores"})


@pytest.mark.parametrize(
    "change",
    [
        {"mover": "X"},
        {"from": [5]},
        {"to": [5, 10]},
        {"to": [5.0, 5]},
        {"from": None},
        {"sides": "EEX"},
        {"board": None},
        {"board": EMPTY},
        {"results": []},
        {"results": [{"choice": None}]},
        {"results": None},
        {"more": 1},
    ],
)
def test_a_landing_line_that_is_nonsense_is_answered_with_a_sentence(traces, change):
    line = lines(traces, "reversedrop-cases")[0]
    assert isinstance(difference({**line, **change}), str)
    doubled = {**line, "results": [*line["results"], line["results"][0]]}
    assert "twice" in difference(doubled)


# --- A turn ---


FAR = {"black": "a10 c10", "white": "a8 c8"}  # so that the game is not over


def step(black, white, text):
    """Black plays in a position that has some spare pieces in a corner."""
    return signs(position(f"{black} {FAR['black']}", f"{white} {FAR['white']}").play(text))


def test_in_the_open_a_piece_copies_itself_where_its_owner_chooses():
    state = position(f"e5 {FAR['black']}", FAR["white"])
    assert [text for text in state.legal() if text.startswith("e5-e4")] == ["e5-e4+d4", "e5-e4+e3", "e5-e4+f4"]
    after = state.play("e5-e4+d4")
    assert (signs(after)["e5"], signs(after)["e4"], signs(after)["d4"]) == (".", "b", "b")
    assert after.scores == [4, 2]
    assert after.seat == 1


def test_one_enemy_beside_the_landing_is_assimilated_and_a_new_piece_comes():
    state = position(f"e5 {FAR['black']}", f"e3 {FAR['white']}")
    assert [text for text in state.legal() if text.startswith("e5-e4")] == ["e5-e4+d4", "e5-e4+f4"]
    after = state.play("e5-e4+f4")
    assert [signs(after)[name] for name in ("e3", "e4", "f4", "d4")] == ["b", "b", "b", "."]
    assert after.scores == [5, 2]


def test_between_two_enemies_nothing_happens():
    after = step("e5", "e3 d4", "e5-e4")
    assert [after[name] for name in ("e5", "e4", "e3", "d4", "f4")] == [".", "b", "w", "w", "."]


def test_among_three_enemies_the_piece_becomes_one_of_them():
    after = step("e5", "e3 d4 f4", "e5-e4")
    assert [after[name] for name in ("e5", "e4", "e3", "d4", "f4")] == [".", "w", "w", "w", "w"]


@pytest.mark.parametrize(("black", "white"), [("e5 e3", ""), ("e5 d4 f4", ""), ("e5 e3", "d4 f4"), ("e5 e3", "d4"), ("e5 e3 d4 f4", "")])
def test_beside_an_own_piece_nothing_happens(black, white):
    after = step(black, white, "e5-e4")
    assert "".join(after.values()).count("b") == len(black.split()) + 2


@pytest.mark.parametrize(
    ("black", "white", "text"), [("e2", "", "e2-e1"), ("e2", "d1", "e2-e1"), ("b5", "a4 a6", "b5-a5"), ("j1", "i2", "j1-i1"), ("j2", "", "j2-j1")]
)
def test_a_landing_on_the_rim_does_nothing(black, white, text):
    after = step(black, white, text)
    assert ["".join(after.values()).count(sign) for sign in "bw"] == [3, len(white.split()) + 2]


def test_there_are_no_chain_reactions():
    after = step("e5", "e3 e2 d3 f3", "e5-e4+d4")
    assert [after[name] for name in ("e3", "e2", "d3", "f3")] == ["b", "w", "w", "w"]


def test_nobody_may_pass():
    state = position("e5 g7", "a1 c1")
    assert "" not in state.legal()
    assert refused(state, "pass")[0] == "unreadable"
    assert refused(state, "")[0] == "unreadable"


# --- The end ---


def test_the_game_is_over_with_one_piece_or_none():
    assert position("e5", "a1 c1", "-").winner == [1]
    assert position("e5 a1", "", "-").winner == [0]
    assert position("", "", "-").winner == []
    assert not position("e5 e6", "a1 c1").over


def test_the_game_is_over_when_a_side_is_stuck_even_if_it_is_not_to_move():
    state = position("a1 b1 a2 e5 g5", "c1 b2 d1 c3 a4")
    assert not state.over  # a2 can still go to a3
    for side in "bw":
        with pytest.raises(ValueError, match=f"side: it is '{side}', but the game is over here: '-'"):
            position("a1 b1 a2", "c1 b2 a3", side)


def test_a_stuck_side_with_more_pieces_wins():
    stuck = position("a1 b1 c1 a2 b2 a3", "d1 c2 b3 a4", "-")
    assert (stuck.winner, stuck.scores, stuck.legal(), stuck.seat) == ([0], [6, 4], [], None)


def test_the_game_may_end_by_a_move():
    state = position("e5 a1", "e3 d4 f4", "b", 7)
    after = state.play("e5-e4")
    assert str(after).endswith(" - 8")
    assert (after.over, after.winner, after.scores) == (True, [1], [1, 4])
    assert refused(after, "a1-a2") == ("over", "The game is over.")


def test_after_max_plies_the_pieces_are_counted():
    state = position("e5 g7 i9", "a1 c1", "b", 9, max_plies=10)
    after = state.play("e5-e6+d6")
    assert (str(after).split()[1:], after.winner) == (["-", "10"], [0])
    equal = position("e5 g7", "a1 c1 c3", "b", 9, max_plies=10).play("e5-e6+d6")
    assert equal.winner == []
    assert not position("e5 g7", "a1 c1", "b", 100_000, max_plies=0).over


# --- Set-up ---


def test_chance_scatters_the_pieces():
    game = hanpan.game("reversedrop", black=4, white=7)
    first = game.start()
    assert (str(first), first.chance, first.seat, first.legal(), first.over) == (f"{EMPTY} b setup", True, None, [], False)
    drawn = first.draw(5)
    assert drawn == first.draw(5) != first.draw(6)
    state = first.play(drawn)
    assert drawn == f"setup {str(state).split()[0]}"
    assert (state.scores, state.seat) == ([4, 7], 0)
    assert game.start(seed=5) == state
    assert game.parse(str(first)) == first


def test_chance_may_put_a_piece_anywhere():
    seen = {"b": set(), "w": set()}
    for seed in range(300):
        for name, sign in signs(hanpan.game("reversedrop").start(seed=seed)).items():
            seen.get(sign, set()).add(name)
    assert len(seen["b"]) == len(seen["w"]) == 100


def test_seat_1_places_all_black_pieces_then_all_white_ones_and_play_begins_by_itself():
    game = hanpan.game("reversedrop", setup="manual", black=2, white=2)
    state = game.start(seed=1)
    assert str(state) == f"{EMPTY} b setup"
    assert state.legal() == sorted(CELLS)
    for number, name in enumerate(("c3", "e5", "g7", "i9")):
        assert (state.seat, state.scores) == (0, [min(number, 2), max(number - 2, 0)])
        assert len(state.legal()) == 100 - number
        assert str(state).endswith(" b setup")
        assert game.parse(str(state)) == state
        state = state.play(name)
    assert str(state) == f"{rows('c3 e5', 'g7 i9')} b 0"
    assert state.seat == 0
    assert "c3-c4+d4" in state.legal()


def test_the_game_may_be_over_before_it_begins():
    assert hanpan.game("reversedrop", black=1).start(seed=3).winner == [1]
    state = hanpan.game("reversedrop", setup="manual", black=1, white=1).start().play("a1").play("j10")
    assert str(state) == f"{rows('a1', 'j10')} - 0"
    assert (state.over, state.winner) == (True, [])


# --- Random games ---


@pytest.mark.parametrize("options", [{}, {"setup": "manual", "black": 4, "white": 6}, {"black": 30, "white": 30, "max_plies": 90}, {"black": 2, "white": 2}])
def test_in_a_random_game_the_books_are_kept(options):
    game = hanpan.game("reversedrop", **options)
    for seed in range(3):
        before = None
        for state in random_states(game, seed, 150):
            board = signs(state)
            assert state.scores == [list(board.values()).count(sign) for sign in "bw"]
            assert game.parse(str(state)) == state
            if before is not None and before.seat is not None and not str(before).endswith("setup"):
                gained = [now - then for now, then in zip(state.scores, before.scores, strict=True)]
                mine, other = gained[before.seat], gained[1 - before.seat]
                assert (mine, other) in {(0, 0), (1, 0), (2, -1), (-1, 1)}
                assert int(str(state).split()[2]) == int(str(before).split()[2]) + 1
                assert state.over or state.seat == 1 - before.seat
            before = state


def lead(state):
    return state.scores[0] - state.scores[1]


def test_greedy_play_crushes_random_play():
    """The piece difference one ply ahead is a good guide, as the original's computer shows."""
    dice = random.Random(4)
    for seed in range(2):
        state = hanpan.game("reversedrop", black=5, max_plies=120).start(seed=seed)
        while not state.over:
            legal = state.legal()
            tried = dice.sample(legal, min(8, len(legal))) if state.seat == 0 else [dice.choice(legal)]
            state = max((state.play(text) for text in tried), key=lead)
        assert state.winner == [0]


def test_a_hundred_thousand_plies_stay_within_the_bounds():
    """Legal lists never reach their bound, and what is kept about the pieces always follows from them."""
    game = hanpan.game("reversedrop", black=20, white=20, max_plies=0)
    first, out, dice = game.start().record, game.book.actions_buffer(), rng(5)
    s = first.copy()
    play = loops.random_play("reversedrop")
    for _ in range(100):
        play(first, s, out, dice, 1000)
        if rules.mover(s[0]) >= 0:
            n = rules.legal(s[0], out)
            assert 0 < n <= rules.MOST_LEGAL
            assert len(set(out[:n].tolist())) == n
            assert 0 <= out[:n].min() <= out[:n].max() < rules.PLACE
            text = game.book.text.format_position(s[0])
            assert game.parse(text).record.tobytes() == s.tobytes()


def test_the_record_has_no_gaps():
    assert sum(rules.State[name].itemsize for name in rules.State.names) == rules.State.itemsize


def test_the_most_crowded_landings_fit_into_the_list():
    """Every cell of a chessboard's colour is a landing with four own neighbours."""
    board = ["b" if (x + y) % 2 else "." for y in range(10) for x in range(10)]
    board[98] = board[78] = "w"
    field = "/".join("".join(board[i : i + 10]) for i in range(0, 100, 10))
    state = hanpan.game("reversedrop").parse(f"{field} b 0")
    assert len(state.legal()) == len(moves_by_the_page(signs(state), "b")) > 150


def test_forced_actions_reach_every_legal_one():
    state = position("e5 g7", "a1 c1")
    assert {state.forced(seed) for seed in range(600)} == set(state.legal())
    by_hand = hanpan.game("reversedrop", setup="manual").start().play("c3")
    assert {by_hand.forced(seed) for seed in range(1500)} == set(by_hand.legal())
