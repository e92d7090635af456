"""Goita: two against two, attack and block, and secrets that stay secrets."""

import gzip
import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from goita_table import GOITA, KINGS, LONE, OPTIONS, deal, position, walk

import hanpan
from hanpan.core.rule import plain, rng
from hanpan.games.goita import rules, solve, table, text, traces
from hanpan.games.goita.deal import deal_hands, hand_out
from hanpan.games.goita.koma import ALL, TOTAL

TRACES = Path(__file__).parents[1] / "traces"


LONG = "11123456,11123457,11234567,11234589"


def lines(name):
    with gzip.open(TRACES / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


# --- the games of the original program ---


def test_rounds_of_the_original_are_replayed():
    for line in lines("goita")[::6]:
        game = hanpan.game("goita", **line["options"])
        state = game.parse(line["start"])
        for ply in line["plies"]:
            assert state.seat == ply["seat"]
            assert state.legal() == ply["legal"]
            state = state.play(ply["action"])
            assert str(state) == ply["after"]
        assert (state.over, state.winner, state.scores) == (line["over"], line["winner"], line["scores"])
        assert traces.check_round(line, hanpan.game) is None


@pytest.mark.parametrize(("name", "step"), [("goita-deals", 1), ("goita-views", 8), ("goita-endgames", 1)])
def test_deals_views_and_endgames_of_the_original_are_reproduced(name, step):
    for line in lines(name)[::step]:
        assert traces.check(line, hanpan.game) is None


@pytest.mark.slow
def test_every_view_of_the_original_is_reproduced():
    for line in lines("goita-views"):
        assert traces.check(line, hanpan.game) is None


def alterations(value, path=()):
    """All ways to change one letter, number or truth in a JSON value, as (path, new value)."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from alterations(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from alterations(item, (*path, i))
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield path, value + 1
        yield path, float(value)
    elif isinstance(value, str):
        for i, letter in enumerate(value):
            yield path, value[:i] + ("2" if letter != "2" else "3") + value[i + 1 :]
    elif value is None:
        yield path, 0


def altered(line, path, new):
    copy = json.loads(json.dumps(line))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("name", ["goita-deals", "goita-views", "goita-endgames"])
def test_a_changed_trace_line_is_noticed(name):
    dice = random.Random(1)
    for line in dice.sample(lines(name), 12):
        for path, new in dice.sample(list(alterations(line)), 8):
            if path == ("history",) or (path == ("start",) and new[:-1] == line["start"][:-1]):
                continue  # what is asked, not what is answered: another history, or another dealer, can have the same answer
            assert traces.check(altered(line, path, new), hanpan.game), (path, new)
        assert "keys" in traces.check({**line, "more": 1}, hanpan.game)
        assert "keys" in traces.check({key: line[key] for key in list(line)[1:]}, hanpan.game)


def test_a_changed_round_is_noticed():
    for line in lines("goita")[::40]:
        for path, new in alterations(line["round"], ("round",)):
            assert traces.check_round(altered(line, path, new), hanpan.game)
        assert traces.check_round({**line, "more": 1}, hanpan.game) == "keys: more is not known"
        assert "round" in traces.check_round({**line, "plies": line["plies"][:-1]}, hanpan.game)


# --- before the first deal ---


def test_chance_draws_the_dealer_and_then_the_deal():
    state = GOITA.start()
    assert (str(state), state.chance, state.seat, state.legal(), state.scores) == ("0-0 s- deal", True, None, [], [0, 0, 0, 0])
    assert {state.draw(seed) for seed in range(60)} == {"dealer 1", "dealer 2", "dealer 3", "dealer 4"}
    state = state.play("dealer 3")
    assert (str(state), state.chance) == ("0-0 s3 deal", True)
    dealt = state.play("deal " + LONE)
    assert (str(dealt), dealt.seat) == (f"0-0 {LONE},s3 play", 2)


def test_a_hand_may_be_dealt_in_any_order():
    shuffled = ",".join(hand[::-1] for hand in LONE.split(","))
    state = GOITA.parse("0-0 s1 deal")
    assert state.play("deal " + shuffled) == state.play("deal " + LONE)


def test_a_seeded_start_waits_for_a_seat():
    for seed in range(30):
        state = GOITA.start(seed)
        assert state.seat is not None
        assert state == GOITA.start(seed)


def test_every_koma_is_dealt_as_often_to_every_seat():
    s = GOITA.parse("0-0 s1 deal").record
    dice, found = rng(3), np.zeros((4, 10))
    for _ in range(1500):
        hand_out(s[0], dice)
        for seat in range(4):
            found[seat] += [int(s[0].dealt[seat]) >> 4 * code & 15 for code in range(10)]
    expected = np.array(TOTAL) * 375.0
    assert (abs(found - expected)[:, 1:] < 6 * np.sqrt(expected[1:])).all()
    assert (found.sum(axis=1) == 12000).all()


# --- a round ---


def test_who_leads_plays_any_two_komas_and_must_not_pass():
    assert position(LONE, 4).legal() == [f"{a}{b}" for a in "123457" for b in "123457" if a != b or a == "1"]


def test_an_answer_blocks_with_an_equal_koma_or_passes():
    state = position(KINGS, 4, "481")  # seat 4 attacks with し
    assert state.legal() == ["11", "13", "14", "16", "17", "p"]
    assert state.play("p").seat == 1
    assert state.play("13").play("35").seat == 2


def test_a_king_blocks_everything_but_shi_and_lance():
    for turns, dealer, stopped in (("134", 1, True), ("137", 1, True), ("143", 1, True), ("131", 1, False), ("232", 2, False)):
        state = position(KINGS, dealer, turns)
        while state.seat != 3:
            state = state.play("p")
        assert {action[0] for action in state.legal()} >= set("89") if stopped else not {action[0] for action in state.legal()} & set("89")


def test_when_all_pass_the_attacker_leads_again():
    state = position(KINGS, 4, "481,1p,2p,3p")
    assert state.seat == 3
    assert "p" not in state.legal()
    assert str(state.play("45").view(0)) == "0-0 11334667,xxxxxxxx,xxxxxxxx,15xxxxxx,s4,4x1,1p,2p,3p,4x5 play"


def test_a_king_attacks_when_both_are_in_the_hand():
    assert {"18", "19", "89", "98"} <= set(position(KINGS, 4).legal())
    assert not {action for action in position(LONE, 1).legal() if action[1] == "8"}


def test_a_king_attacks_once_a_king_lies_face_up():
    assert "58" in position(LONE, 1, "176,295,3p,4p").legal()
    assert "29" not in position(LONE, 1, "182").legal()  # 王 lies face down: that gives no right


def test_a_king_attacks_as_the_eighth_koma():
    assert position(LONE, 1, "123,2p,3p,4p,145,2p,3p,4p,167,2p,3p,4p").legal() == ["18", "81"]


def test_both_kings_are_separate_actions():
    assert {"41", "81", "91", "89", "98"} <= set(position(KINGS, 1, "134,2p,3p").legal())


def test_the_eighth_koma_counts_and_led_equals_count_double():
    for turns, last, after in (("415", "45", "0-30"), ("415", "54", "0-30"), ("414", "55", "0-60")):
        state = position(KINGS, 4, f"417,1p,2p,3p,{turns},1p,2p,3p,489,1p,2p,3p").play(last)
        assert str(state) == f"{after} s4 deal"
    kings = position(KINGS, 4, "417,1p,2p,3p,414,1p,2p,3p,455,1p,2p,3p")
    assert str(kings.play("89")) == str(kings.play("98")) == "0-100 s4 deal"


def test_equals_of_an_answer_do_not_count_double():
    state = position(LONG, 1, "123,2p,3p,4p,145,2p,3p,4p,161,2p,3p,412,1p,2p,3p,451")
    assert state.legal() == ["11", "p"]
    assert str(state.play("11")) == "10-0 s1 deal"


def test_the_target_wins_the_game():
    turns = "417,1p,2p,3p,415,1p,2p,3p,489,1p,2p,3p"
    state = position(KINGS, 4, turns, "120-120").play("45")
    assert (str(state), state.over, state.winner, state.seat, state.legal()) == ("120-150 s4 over", True, [1, 3], None, [])
    assert state.scores == [120, 150, 120, 150]
    state = position(KINGS, 4, turns, "120-120", target=160).play("45")
    assert (str(state), state.over, state.winner) == ("120-150 s4 deal", False, None)


def test_the_longest_round_has_46_turns():
    turns = "123,2p,3p,4p,145,2p,3p,4p,161,2p,3p,412,1p,2p,3p,434,1p,2p,3p,451,1p,2p,312,4p,1p,2p,334,4p,1p,2p,351,4p,1p,212,3p,4p,1p,213,3p,4p,1p,214,3p,4p,1p"
    state = position(LONG, 1, turns)
    assert state.record[0].count == 45 == table.MOST_TURNS - 1
    assert str(state.play("57").view(2).closing).endswith(",257 closed")
    assert str(state.play("57")) == "0-40 s2 deal"


# --- hands full of し ---


@pytest.mark.parametrize(
    ("hands", "options", "after"),
    [
        (deal(s2="11111123"), {}, "0-20 s2 deal"),
        (deal(s2="11111124"), {}, "0-30 s2 deal"),
        (deal(s2="11111122"), {}, "0-40 s2 deal"),
        (deal(s3="11111177"), {}, "80-0 s3 deal"),
        (deal(s3="11111189"), {}, "100-0 s3 deal"),
        (deal(s3="11111179"), {}, "50-0 s3 deal"),
        (deal(s4="11111113"), {}, "0-20 s4 deal"),
        (deal(s4="11111113"), {"nanashi_double": True}, "0-40 s4 deal"),
        (deal(s4="11111119"), {"nanashi_double": True}, "0-100 s4 deal"),
        (deal(s4="11111122"), {"nanashi_double": True}, "0-40 s4 deal"),
        (deal(s1="11111111"), {}, "100-0 s1 deal"),
        (deal(s1="11111111"), {"target": 100}, "100-0 s1 over"),
        (deal(s2="11111234", s4="11111567"), {}, "0-150 s2 over"),
        (deal(s1="11111234", s3="11111567"), {"target": 70}, "70-0 s1 over"),
        (deal(s1="11111234", s2="11111567"), {}, "0-0 s1 deal"),
        (deal(s2="11111234", s3="11111567"), {}, "0-0 s1 deal"),
        (deal(s1="11111234", s4="11111567"), {}, "0-0 s1 deal"),
    ],
)
def test_what_many_shi_bring(hands, options, after):
    state = hanpan.game("goita", **options).parse("0-0 s1 deal").play("deal " + hands)
    assert str(state) == after
    assert state.over == after.endswith("over")


@pytest.mark.parametrize("holder", [0, 1, 2, 3])
def test_five_shi_are_the_partners_to_decide(holder):
    hands = deal(**{f"s{holder + 1}": "11111234"})
    state = GOITA.parse("30-20 s1 deal").play("deal " + hands)
    assert str(state) == f"30-20 {hands},s1 goshi"
    assert (state.seat, state.legal()) == ((holder + 2) % 4, ["proceed", "redeal"])
    assert str(state.play("proceed")) == f"30-20 {hands},s1 play"
    assert state.play("proceed").seat == 0
    assert str(state.play("redeal")) == "30-20 s1 deal"
    assert state.forced(1) == "redeal"
    for viewer in (0, 1, 2, 3, None):
        seen = state.view(viewer)
        assert str(seen).split()[1].split(",")[holder] == ("11111234" if viewer == holder else "11111xxx")
        assert seen.legal() == (["proceed", "redeal"] if viewer == state.seat else [])
        assert GOITA.parse(str(seen), viewer) == seen


@pytest.mark.parametrize("options", OPTIONS)
def test_draws_obey_the_options(options):
    game = hanpan.game("goita", **options)
    s, dice = game.parse("0-0 s2 deal").record, rng(4)
    most, fives = 0, 0
    for _ in range(3000):
        deal_hands(s[0], dice)
        shi = sorted(int(hand) >> 4 & 15 for hand in s[0].dealt)
        most, fives = max(most, shi[-1]), fives + (5 in shi)
    assert (most > 5) == (not options.get("no_yaku"))
    assert (fives > 0) == (not options.get("no_goshi"))


def test_what_chance_did_has_a_text_that_does_it_again():
    for options in OPTIONS:
        game = hanpan.game("goita", **options)
        before = game.parse("0-0 s3 deal")
        ended = 0
        for seed in range(100):
            record = before.record
            action = text.draw_chance(record[0], rng(seed))
            assert before.play(action).record.tobytes() == record.tobytes()
            again = before.record
            rules.chance(again[0], rng(seed))
            assert again.tobytes() == record.tobytes()
            assert before.draw(seed) == action
            ended += record[0].phase in (table.DEAL, table.ENDED)
        assert ended or options.get("no_yaku")


# --- what random games keep to ---


def test_nothing_is_lost_on_the_table():
    for record in walk(GOITA, 700, 21):
        s = record[0]
        laid = [Counter() for _ in range(4)]
        for i, pair in enumerate(int(turn) for turn in s.turns[: s.count]):
            if pair:
                laid[(s.dealer + i) % 4].update([pair // 10, pair % 10])
        for seat in range(4):
            dealt = Counter({code: int(s.dealt[seat]) >> 4 * code & 15 for code in range(1, 10)})
            now = Counter({code: int(s.hand[seat]) >> 4 * code & 15 for code in range(1, 10)})
            assert +dealt == +(now + laid[seat])
            assert dealt.total() == 8
            assert laid[seat].total() == s.placed[seat] < 8
        assert sum(int(hand) for hand in s.dealt) == ALL
        assert not s.turns[s.count :].any()
        assert max(s.score) < s.target


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_positions_and_views_parse_back(options):
    game = hanpan.game("goita", **options)
    for number, record in enumerate(walk(game, 60, 31)):
        state = game.parse(text.format_position(record[0]))
        assert state.record.tobytes() == record.tobytes()
        for viewer in (number % 4, None):
            seen = state.view(viewer)
            assert game.parse(str(seen), viewer) == seen
            assert hash(game.parse(str(seen), viewer)) == hash(seen)


def test_time_out_passes_if_it_can():
    leads = set()
    for number, record in enumerate(walk(GOITA, 600, 41)):
        out = GOITA.book.actions_buffer()
        actions = out[: rules.legal(record[0], out)].tolist()
        forced = rules.forced(record[0], rng(number))
        assert forced in actions
        if rules.PASS in actions:
            assert forced == rules.PASS
        elif rules.PROCEED in actions:
            assert forced == rules.REDEAL
        else:
            leads.add(forced)
    assert len(leads) > 20
    state = position(LONE, 1)
    assert {state.forced(seed) for seed in range(1000)} == set(state.legal())


# --- the solver ---


def best(s, known):
    """What a position is worth to the team 1+3, and what each of its actions is, by trying everything."""
    key = s.tobytes()[32:64] + bytes([s[0].turn, s[0].attacker, s[0].attack, s[0].king])  # hands and what stands: the way there does not matter
    if key not in known:
        out = GOITA.book.actions_buffer()
        worths = {}
        for action in out[: rules.legal(s[0], out)].tolist():
            after = s.copy()
            rules.apply(after[0], action)
            if after[0].phase == table.PLAY:
                worths[action] = best(after, known)[0]
            else:
                worths[action] = int(after[0].score[0] - s[0].score[0]) - int(after[0].score[1] - s[0].score[1])
        known[key] = ((max if s[0].turn % 2 == 0 else min)(worths.values()), worths)
    return known[key]


def test_the_solver_agrees_with_trying_everything():
    solved = 0
    for record in walk(hanpan.game("goita", target=1000), 6000, 91):
        s = record[0]
        if s.phase == table.PLAY and s.placed.sum() == 16 and s.placed.max() == 4 and s.turn == s.attacker:
            sign = 1 - 2 * (int(s.turn) % 2)
            assert solve.values(s) == {action: sign * worth for action, worth in best(record, {})[1].items()}
            solved += 1
            if solved == 6:
                return
    pytest.fail("no endgames met")


def test_a_hard_position_is_solved():
    state = position("11244556,12234569,11123378,11113457", 3, "371,411,115,2p,3p,4p,145,252,3p,4p,124,2p")
    values = solve.values(state.record[0])
    assert {text.format_action(None, action): value for action, value in values.items()} == {"p": -40, "81": -40, "82": -50, "83": -40}
    assert solve.values(state.record[0], budget=100) is None
    with pytest.raises(ValueError, match="no round is being played"):
        solve.values(GOITA.start().record[0])


def test_the_solver_interpreted_is_the_solver_compiled():
    twin = plain(solve.solve)
    for line in lines("goita-endgames")[:15]:
        s = position(*line["history"].split(",s")[:1], line["history"].split(",s")[1][0], line["history"].split(",s")[1][2:]).record[0]
        out = np.zeros((4, rules.MOST_LEGAL), np.int32)
        *shapes, (_, columns) = solve.SOLVE_ROOM
        one, other = ([*(np.zeros(shape, np.int64) for shape in [*shapes, (1 << 10, columns)]), np.array([0, 10**6])] for _ in range(2))
        with np.errstate(all="raise"):
            assert solve.solve(s, out[0], out[1], *one) == twin(s, out[2], out[3], *other)
        assert (out[:2] == out[2:]).all()
        assert all((a == b).all() for a, b in zip(one, other, strict=True))
