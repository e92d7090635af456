"""Goita: two against two, attack and block, and secrets that stay secrets."""

import gzip
import itertools
import json
import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hanpan
from hanpan.games.goita import history, rules, solve, table, text, traces
from hanpan.games.goita.koma import ALL
from hanpan.rule import CHANCE, OVER, SPECTATOR, below, plain, rng
from hanpan.words import LANGUAGES, load

TRACES = Path(__file__).parents[1] / "traces"
GOITA = hanpan.game("goita")
OPTIONS = [
    {},
    {"no_yaku": True},
    {"no_goshi": True},
    {"no_yaku": True, "no_goshi": True, "target": 10},
    {"nanashi_double": True, "target": 1000},
    {"target": 55},
]
KINGS = "11334667,11122235,11123445,11455789"  # seat 4 holds both kings
LONE = "12345678,11123459,11123456,11123457"  # seats 1 and 2 hold one each
LONG = "11123456,11123457,11234567,11234589"


def lines(name):
    with gzip.open(TRACES / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def position(hands, dealer, turns="", scores="0-0", **options):
    return hanpan.game("goita", **options).parse(f"{scores} {hands},s{dealer}{turns and ','}{turns} play")


def deal(**hands):
    """A deal with these hands (deal(s1="11111234")); the others get the rest, with the し spread evenly."""
    rest = history.format_hand(ALL - sum(history.read_hand(hand) for hand in hands.values()))
    others = [seat for seat in ("s1", "s2", "s3", "s4") if seat not in hands]
    return ",".join(hands.get(seat) or rest[others.index(seat) :: len(others)] for seat in ("s1", "s2", "s3", "s4"))


def walk(game, plies, seed):
    """The records of random games, wherever a seat is to act."""
    first = game.start().record
    s, out, dice = first.copy(), game.book.actions_buffer(), rng(seed)
    while plies:
        who = rules.mover(s[0])
        if who == OVER:
            s[:] = first
        elif who == CHANCE:
            rules.chance(s[0], dice)
        else:
            yield s.copy()
            rules.apply(s[0], out[below(dice, rules.legal(s[0], out))])
            plies -= 1


def hidden(record, seat):
    record = record.copy()
    rules.hide(record[0], seat)
    return record


def refused(state, action):
    with pytest.raises(hanpan.IllegalAction) as problem:
        state.play(action)
    return problem.value.code, problem.value.message


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
        rules.hand_out(s[0], dice)
        for seat in range(4):
            found[seat] += [int(s[0].dealt[seat]) >> 4 * code & 15 for code in range(10)]
    expected = np.array(rules.TOTAL) * 375.0
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
    assert text.closing(state.record[0], text.read_action("57"), 2)["history"].endswith(",257")
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
        rules.deal_hands(s[0], dice)
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


@pytest.mark.parametrize("options", OPTIONS)
def test_interpreted_is_compiled_on_long_random_games(options):
    game = hanpan.game("goita", **options)
    names = ("mover", "legal", "apply", "chance", "outcome", "forced", "hide", "imagine")
    twin = {name: plain(getattr(rules, name)) for name in names}
    one, other = game.start().record, game.start().record
    out, same = game.book.actions_buffer(), game.book.actions_buffer()
    scores, equal = game.book.scores_buffer(), game.book.scores_buffer()
    dice = rng(8)
    with np.errstate(all="raise"):
        for ply in range(260):
            who = rules.mover(one[0])
            assert who == twin["mover"](other[0])
            assert rules.outcome(one[0], scores) == twin["outcome"](other[0], equal)
            assert (scores == equal).all()
            if who == OVER:
                one, other = game.start().record, game.start().record
                continue
            if who == CHANCE:
                rules.chance(one[0], rng(ply))
                twin["chance"](other[0], rng(ply))
            else:
                n = rules.legal(one[0], out)
                assert twin["legal"](other[0], same) == n
                assert (out[:n] == same[:n]).all()
                assert rules.forced(one[0], rng(ply)) == twin["forced"](other[0], rng(ply))
                seat = ply % 5 - 1
                guess, guessed = hidden(one, seat), other.copy()
                twin["hide"](guessed[0], seat)
                assert guess.tobytes() == guessed.tobytes()
                rules.imagine(guess[0], seat, rng(ply))
                twin["imagine"](guessed[0], seat, rng(ply))
                assert guess.tobytes() == guessed.tobytes()
                action = int(out[below(dice, n)])
                rules.apply(one[0], action)
                twin["apply"](other[0], action)
            assert one.tobytes() == other.tobytes()


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


# --- secrets ---


def test_a_view_tells_its_own_seat_all_it_needs():
    for record in walk(GOITA, 400, 51):
        state = GOITA.parse(text.format_position(record[0]))
        seen = state.view(state.seat)
        assert seen.legal() == state.legal()
        for action in state.legal()[:: max(1, len(state.legal()) // 3)]:
            assert seen.play(action) == state.play(action).view(state.seat)


def test_guesses_look_the_same_and_could_have_been_played():
    dice = rng(6)
    for number, record in enumerate(walk(GOITA, 1500, 61)):
        for seat in range(SPECTATOR, 4):
            view = hidden(record, seat)
            guess = view.copy()
            rules.imagine(guess[0], seat, dice)
            assert hidden(guess, seat).tobytes() == view.tobytes()
            assert hidden(view, seat).tobytes() == view.tobytes()
            if number % 12 == seat + 1:  # parsing is strict: every turn was legal, the deal is possible
                assert GOITA.parse(text.format_position(guess[0])).record.tobytes() == guess.tobytes()


def test_nothing_a_viewer_gets_tells_two_games_apart_that_look_the_same():
    for number, record in enumerate(walk(GOITA, 100, 71)):
        state = GOITA.parse(text.format_position(record[0]))
        viewer = (None, 0, 1, 2, 3)[number % 5]
        seen = state.view(viewer)
        other = seen.imagine(number).view(viewer)
        assert seen == other
        assert str(seen) == str(other)
        assert seen.info() == other.info()
        assert seen.scene(targets=True) == other.scene(targets=True)
        assert seen.svg() == other.svg()


def test_views_of_the_page():
    state = position(KINGS, 4, "481,1p,2p,3p,445,1p,253")
    assert str(state.view(1)) == "0-0 xxxxxxxx,11122235,xxxxxxxx,15xxxxxx,s4,4x1,1p,2p,3p,4x5,1p,253 play"
    assert str(state.view(3)) == "0-0 xxxxxxxx,35xxxxxx,xxxxxxxx,11455789,s4,481,1p,2p,3p,445,1p,253 play"
    assert str(state.view(None)) == "0-0 xxxxxxxx,35xxxxxx,xxxxxxxx,15xxxxxx,s4,4x1,1p,2p,3p,4x5,1p,253 play"
    five = position(deal(s1="11111234"), 1, "111,2p,3p,4p,112")
    assert str(five.view(2)).split()[1].split(",")[0] == "111112xx"
    assert five.view(0).info()["yakuInfo"] == five.view(None).info()["yakuInfo"] == [{"_playerNo": 0, "_yaku": 1, "_score": 0}]


def test_opponents_who_both_hold_five_are_only_taken_from_elsewhere():
    hands = "11111369,11111335,22345678,22444557"
    state = position(hands, 1, "113")
    assert str(state.view(2)) == "0-0 111113xx,11111xxx,22345678,xxxxxxxx,s1,1x3 play"
    assert GOITA.parse(str(state.view(2)), 2) == state.view(2)
    assert state.view(3).imagine(1).view(3) == state.view(3)
    with pytest.raises(ValueError, match="phase: nobody has to decide"):
        GOITA.parse(f"0-0 {hands},s1 goshi")


def guesses(view, viewer):
    """Every open position that looks like a view, with the number of ways to lay the unseen komas that give it: by trying them all."""
    _, middle, _ = view.split()
    fields = middle.split(",")
    hands, dealer, turns = fields[:4], fields[4], fields[5:]
    shown = [Counter() for _ in range(4)]
    covered = []
    for i, turn in enumerate(turns):
        if turn[1] == "x":
            covered.append(i)
        shown[int(turn[0]) - 1].update(turn[1:].replace("x", "").replace("p", ""))
    shown[viewer] = Counter(hands[viewer])
    unseen = Counter("1" * 10 + "2222333344445555667789")
    for seat in shown:
        unseen.subtract(seat)
    slots = [("turn", i) for i in covered]
    for seat in range(4):
        if seat != viewer:
            slots += [("hand", seat)] * (8 - shown[seat].total() - sum(int(turns[i][0]) - 1 == seat for i in covered))
    known = ["".join(seat.elements()) for seat in shown]
    ways = Counter()
    for komas in itertools.permutations(sorted(unseen.elements())):
        full, played = list(known), list(turns)
        for (kind, at), koma in zip(slots, komas, strict=True):
            if kind == "turn":
                played[at] = played[at].replace("x", koma)
            full[int(turns[at][0]) - 1 if kind == "turn" else at] += koma
        ways[",".join([*("".join(sorted(hand)) for hand in full), dealer, *played])] += 1
    scores = view.split()[0]
    return {f"{scores} {line} play": n for line, n in ways.items() if possible(f"{scores} {line} play", view, viewer)}


def possible(line, view, viewer):
    try:
        return str(GOITA.parse(line).view(viewer)) == view
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("viewer", "view"),
    [
        # 玉 attacked before any king lay face up: 王 is in seat 3's hand or its later block, not the earlier one
        (0, "60-120 11345566,111237xx,1129xxxx,133557xx,s3,3x2,4p,1p,221,319,4p,1p,2p,3x1,417,1p,273,3p,435,151,211,3p,4p,116,2p,3p,4p,163,2p,3p,435 play"),
        (1, "0-40 115567xx,11233457,12348xxx,123456xx,s2,221,312,421,115,253,338,4p,1p,2p,3x4,443,1p,237,3p,4p,176,2p,3p,465,151 play"),
    ],
)
def test_guesses_are_uniform(viewer, view):
    expected = guesses(view, viewer)
    total = sum(expected.values())
    state = GOITA.parse(view, viewer)
    record, dice, found, n = state.record, rng(2), Counter(), 4000
    for _ in range(n):
        guess = record.copy()
        rules.imagine(guess[0], viewer, dice)
        found[text.format_position(guess[0])] += 1
    assert set(found) <= set(expected)
    chi = sum((found[line] - n * ways / total) ** 2 / (n * ways / total) for line, ways in expected.items())
    assert chi < len(expected) + 6 * (2 * len(expected)) ** 0.5


def test_guesses_keep_to_the_announced_shi():
    hands = deal(s1="11111234")
    state = position(hands, 2, "223,3p,4p,1p")
    for seed in range(200):
        shi = [hand.count("1") for hand in str(state.view(1).imagine(seed)).split()[1].split(",")[:4]]
        assert shi[0] == 5
        assert max(shi[1:]) <= 4


def test_the_closing_history_shows_the_last_pair_to_everyone():
    state = position(KINGS, 4, "417,1p,2p,3p,414,1p,2p,3p,489,1p,2p,3p")
    last = text.read_action("55")
    for viewer, own in ((0, False), (3, True), (SPECTATOR, False)):
        seen = state.view(None if viewer == SPECTATOR else viewer)
        closing = text.closing(seen.record[0], last, viewer)
        assert closing == text.closing(state.record[0], last, viewer)
        assert closing["history"].endswith(("417,1p,2p,3p,414,1p,2p,3p,489" if own else "4x7,1p,2p,3p,4x4,1p,2p,3p,4x9") + ",1p,2p,3p,455")
        assert closing["info"]["lastAttack"]["describe"] == "x2Finish"
        assert closing["info"]["fields"][3] == "x7x4x955"
    assert text.closing(position(KINGS, 4).record[0], last, 0) is None


def test_others_are_told_of_a_lead_without_its_block():
    assert position(KINGS, 4).told("81", 0) == "x1"
    assert position(KINGS, 4).told("81", 3) == "81"
    assert position(KINGS, 4, "481").told("13", None) == "13"
    assert position(KINGS, 4, "481").told("p", 2) == "p"
    assert position(KINGS, 4, "417,1p,2p,3p,414,1p,2p,3p,489,1p,2p,3p").told("55", 1) == "55"
    assert GOITA.parse("0-0 s1 deal").play("deal " + deal(s2="11111234")).told("proceed", 0) == "proceed"


def test_info_between_rounds_and_for_those_without_a_hand():
    assert GOITA.start().info()["dealer"] is None
    info = GOITA.parse("30-0 s3 deal").info()
    assert (info["turn"], info["dealer"], info["hand"], info["lastAttack"], info["yakuInfo"]) == (2, 2, "00000000", None, [])
    state = position(KINGS, 4, "481,1p")
    assert state.info()["history"] == "481,1p"
    assert state.view(None).info()["history"] == "4x1,1p"
    assert state.view(None).info()["hand"] == state.info()["hand"] == state.view(None).info()["hiddenField"] == "00000000"
    assert state.view(3).info()["hiddenField"] == "81000000"
    assert state.view(3).info()["hand"] == "97554100"


# --- refusals ---

REFUSALS = [
    ("not-in-hand", lambda: position(KINGS, 4), "31", "There is no 馬 left in the hand."),
    ("not-in-hand", lambda: position(KINGS, 4), "12", "There is no 香 left in the hand."),
    ("only-one", lambda: position(KINGS, 4), "77", "There is only one 飛 in the hand."),
    ("must-play", lambda: position(KINGS, 4), "p", "Whoever leads must play a pair; passing is only for answers."),
    ("does-not-block", lambda: position(KINGS, 4, "481"), "31", "馬 does not block し. An equal koma does, and a king stops everything but し and 香."),
    ("does-not-block", lambda: position(KINGS, 3, "331"), "81", "王 does not block し. An equal koma does, and a king stops everything but し and 香."),
    (
        "king-may-not-attack",
        lambda: position(LONE, 1),
        "18",
        "王 may not attack yet: that needs a king face up on the table, both kings in the hand, or the very last koma.",
    ),
    (
        "decide-first",
        lambda: GOITA.parse("0-0 s1 deal").play("deal " + deal(s2="11111234")),
        "p",
        "Seat 2 was dealt five し: first its partner decides whether to play on or to deal again.",
    ),
    ("nothing-to-decide", lambda: position(KINGS, 4), "redeal", "There is no five し to decide about now."),
    ("already-dealt", lambda: position(KINGS, 4), "deal " + LONE, "The komas of this round are dealt already."),
    ("already-dealt", lambda: position(KINGS, 4), "dealer 1", "The komas of this round are dealt already."),
    ("deal-first", lambda: GOITA.parse("0-0 s1 deal"), "13", "First the komas have to be dealt."),
    ("dealer-first", lambda: GOITA.start(), "deal " + LONE, "First the dealer has to be drawn."),
    ("dealer-known", lambda: GOITA.parse("0-0 s3 deal"), "dealer 1", "The dealer is known already: it is seat 3."),
    ("no-such-seat", lambda: GOITA.start(), "dealer 5", "There is no seat 5; the seats are 1 to 4."),
    ("hand-size", lambda: GOITA.parse("0-0 s3 deal"), "deal 1234567,111234598,11123456,11123457", "A hand is eight komas; seat 1 would get 7."),
    ("wrong-set", lambda: GOITA.parse("0-0 s3 deal"), "deal 12345679,11123459,11123456,11123457", "This deal has 0 komas 王; there are 1."),
    (
        "no-yaku",
        lambda: hanpan.game("goita", no_yaku=True).parse("0-0 s3 deal"),
        "deal " + deal(s4="11111123"),
        "Seat 4's hand would win at once, and such hands are switched off.",
    ),
    (
        "no-yaku",
        lambda: hanpan.game("goita", no_yaku=True).parse("0-0 s3 deal"),
        "deal " + deal(s2="11111234", s4="11111567"),
        "Seat 2's hand would win at once, and such hands are switched off.",
    ),
    (
        "no-goshi",
        lambda: hanpan.game("goita", no_goshi=True).parse("0-0 s3 deal"),
        "deal " + deal(s2="11111234"),
        "Seat 2 would get five し, and such hands are switched off.",
    ),
    ("unreadable", lambda: position(KINGS, 4), "1x", "“1x” can't be read as an action of this game."),
    ("unreadable", lambda: GOITA.parse("0-0 s3 deal"), "deal 1234", "“deal 1234” can't be read as an action of this game."),
    ("not-your-turn", lambda: position(KINGS, 4).view(1), "11", "It is seat 4's turn."),
    ("over", lambda: GOITA.parse("0-150 s2 over"), "11", "The game is over."),
]


@pytest.mark.parametrize(("code", "state", "action", "sentence"), REFUSALS, ids=[f"{code}-{action[:4]}" for code, _, action, _ in REFUSALS])
def test_a_refusal_says_why(code, state, action, sentence):
    assert refused(state(), action) == (code, sentence)


def test_every_refusal_is_reached_and_said_in_every_language():
    words = {language: load("hanpan.games.goita", language) for language in LANGUAGES}
    assert set(words["en"]["refusals"]) == {code for code, *_ in REFUSALS} - {"unreadable", "not-your-turn", "over"}

    def shape(value):
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items()}
        return sorted(part.split("}")[0] for part in value.split("{")[1:]) if isinstance(value, str) else len(value)

    assert shape(words["ko"]) == shape(words["ja"]) == shape(words["zh"]) == shape(words["en"])


# --- texts that are not positions ---


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "position: "),
        ("0-0 s1", "position: "),
        ("0-0 s1 sleep", "phase: 'sleep'"),
        ("0-0 s5 deal", "dealer: 's5'"),
        ("0-0 s- over", "scores: 0-0 can't be the end of a game to 150"),
        ("10-0 s- deal", "dealer: it is known once there are points"),
        ("00-0 s1 deal", "scores: '00-0'"),
        ("-1-0 s1 deal", "scores: "),
        ("15-0 s1 deal", "scores: 15 is not a multiple of ten"),
        ("150-0 s1 deal", "scores: 150-0 can't be in a game to 150"),
        ("150-150 s1 over", "scores: 150-150 can't be the end"),
        ("300-0 s1 over", "scores: 300 is not what a last round could bring"),
        ("0-150 s1 over", "dealer: the seat that would deal next belongs to the winners"),
        ("0-60 s1 deal", "dealer: once there are points, the dealer's team has some"),
        (f"0-0 {KINGS} play", "history: "),
        (f"0-0 {KINGS},s0 play", "dealer: 's0'"),
        (f"0-0 {KINGS},s4 goshi", "phase: nobody has to decide"),
        (f"0-0 {KINGS},s4,481,481 play", "turns: '481', but it is seat 1's turn"),
        (f"0-0 {KINGS},s4,4p play", "turns: '4p': Whoever leads must play"),
        (f"0-0 {KINGS},s4,4x1 play", "turns: '4x1' hides what the viewer knows"),
        (f"0-0 {KINGS},s4,421 play", "turns: '421': There is no 香"),
        (f"0-0 {KINGS},s4,481,131 play", "turns: '131': 馬 does not block し"),
        (f"0-0 {KINGS},s4,481,q play", "turns: 'q' is not a turn"),
        (f"0-0 {KINGS},s4,417,1p,2p,3p,415,1p,2p,3p,489,1p,2p,3p,445 play", "turns: '445' goes out, which ends the round"),
        ("0-0 1133466,11122235,11123445,11455789,s4 play", "hands: seat 1's '1133466' is not eight komas"),
        ("0-0 11334667,11122235,11123445,11455788,s4 play", "hands: 2 komas 王, there are 1"),
        ("0-0 11334667,11122235,11123445,xxxxxxxx,s4 play", "hands: seat 4's 'xxxxxxxx' is not eight komas"),
        ("0-0 13134667,11122235,11123445,11455789,s4 play", "position: not in its canonical form"),
        (f"0-0 {deal(s1='11111123')},s4 play", "hands: with these the round would have ended at once"),
        (f"0-0 {deal(s1='11111234', s3='11111567')},s4 play", "hands: with these the round would have ended at once"),
        (f"0-0 {deal(s1='11111234')},s1,112 goshi", "phase: nobody has to decide"),
    ],
)
def test_an_impossible_position_is_named(line, reason):
    with pytest.raises(ValueError, match="^" + re.escape(reason)):
        GOITA.parse(line)


@pytest.mark.parametrize(
    ("line", "viewer", "reason"),
    [
        (f"0-0 {KINGS},s4 play", 0, "hands: "),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,481 play", 0, "turns: '481': the block of a lead"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,1xxxxxxx,s4,4x1,1x3 play", 0, "turns: '1x3' hides what the viewer knows"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,1xxxxxxx,s4,4x1,1p,2x3 play", 0, "turns: '2x3': the block of a lead"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,1xxxxxxx,s4,4x1,1p,283 play", 0, "turns: '283': 王 does not block し"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,4p play", 0, "turns: '4p', but a lead can't be passed"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,4x1 play", 0, "hands: seat 4's 'xxxxxxxx' should be '1xxxxxxx'"),
        ("0-0 11334668,xxxxxxxx,xxxxxxxx,9xxxxxxx,s4,4x9 play", 0, "turns: a king attacked without the right to"),
        ("0-0 11334667,xxxxxxxx,xxxxxxxx,6xxxxxxx,s4,4x6,1p,266 play", 0, "hands: a koma is there more often than it exists"),
        ("0-0 11111234,11111xxx,xxxxxxxx,xxxxxxxx,s4 goshi", 0, "phase: nobody has to decide"),
        ("0-0 111111xx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4 play", None, "hands: with these the round would have ended at once"),
        ("0-0 11111xxx,xxxxxxxx,11111xxx,xxxxxxxx,s4 play", None, "hands: with these the round would have ended at once"),
        ("0-0 11111xxx,xxxxxxxx,xxxxxxxx,xxxxxxxx,s4,4x1 play", None, "hands: seat 4's 'xxxxxxxx' should be '1xxxxxxx'"),
    ],
)
def test_an_impossible_view_is_named(line, viewer, reason):
    with pytest.raises(ValueError, match="^" + re.escape(reason)):
        GOITA.parse(line, viewer)


VIEWS = [(text.format_position(hidden(record, seat)[0]), None if seat < 0 else seat) for record in walk(GOITA, 120, 81) for seat in (SPECTATOR, 0, 2)]


@given(st.sampled_from(VIEWS), st.integers(0, 200), st.sampled_from("x123456789p,s -"), st.integers(0, 2))
@settings(max_examples=400, deadline=None)
def test_a_damaged_view_is_a_named_error_or_a_right_view(view, at, letter, kind):
    line, viewer = view
    at %= len(line)
    damaged = line[:at] + (letter if kind < 2 else "") + line[at + (kind > 0) :]
    try:
        state = GOITA.parse(damaged, viewer)
    except ValueError as reason:
        assert ":" in str(reason)
    else:
        assert str(state) == damaged
        assert state.imagine(1).view(viewer) == state


def test_an_option_out_of_range_is_named():
    for options, reason in (({"target": 9}, "target: 9 is not in 10…1000"), ({"no_yaku": 1}, "no_yaku: 1 is neither"), ({"hand_gap": True}, "hand_gap: ")):
        with pytest.raises(ValueError, match=reason):
            hanpan.game("goita", **options)


@pytest.mark.parametrize(("score", "target"), [(150, 150), (240, 150), (290, 150), (10, 10), (100, 10), (70, 55), (105, 55)])
def test_the_end_of_a_game_is_one_that_a_last_round_can_bring(score, target):
    assert hanpan.game("goita", target=target).parse(f"{score}-0 s1 over").winner == [0, 2]


@pytest.mark.parametrize(("score", "options"), [(300, {}), (155, {}), (250, {"no_yaku": True}), (250, {"no_goshi": True}), (56, {"target": 55})])
def test_the_end_of_a_game_is_not_one_that_no_last_round_can_bring(score, options):
    with pytest.raises(ValueError, match=f"scores: {score} is not what a last round could bring"):
        hanpan.game("goita", **options).parse(f"{score}-0 s1 over")


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
        one, other = solve.workspace(10**6, 10), solve.workspace(10**6, 10)
        with np.errstate(all="raise"):
            assert solve.solve(s, out[0], out[1], *one) == twin(s, out[2], out[3], *other)
        assert (out[:2] == out[2:]).all()
        assert all((a == b).all() for a, b in zip(one, other, strict=True))


# --- what one sees ---


def test_the_viewer_sits_below_and_the_next_seat_to_the_right():
    for viewer in (0, 1, 2, 3):
        places = {place.id: place for place in position(KINGS, 4).view(viewer).scene().board.places}
        own, after, partner = (places[f"field{(viewer + i) % 4 + 1}-4"] for i in (0, 1, 2))
        assert own.y > partner.y
        assert after.x > own.x
        assert {"pass", "proceed", "redeal", *(f"hand{n}" for n in range(8))} <= set(places)
    assert "hand0" not in {place.id for place in position(KINGS, 4).view(None).scene().board.places}


def test_clicks_are_the_block_and_then_the_attack_in_the_sorted_hand():
    state = position(KINGS, 4).view(3)  # 11455789
    assert state.clicks("14") == ("hand0", "hand2")
    assert state.clicks("11") == ("hand0", "hand1")
    assert state.clicks("98") == ("hand7", "hand6")
    komas = {(piece.x, piece.y): piece.text for piece in state.scene().look.pieces}
    spots = [place for place in state.scene().board.places if place.id.startswith("hand")]
    assert "".join(komas[spot.x, spot.y] for spot in spots) == "しし銀金金飛王玉"
    assert position(KINGS, 4, "481").view(0).clicks("p") == ("pass",)


def test_only_the_owner_sees_a_face_down_block():
    state = position(KINGS, 4).play("81").view
    for viewer in (0, 1, 2, 3, None):
        scene = state(viewer).scene()
        place = next(place for place in scene.board.places if place.id == "field4-1")
        piece = next(piece for piece in scene.look.pieces if (piece.x, piece.y) == (place.x, place.y))
        assert piece.face_down
        assert piece.text == ("王" if viewer == 3 else "")
        marks = {(mark.kind, mark.place) for mark in scene.look.marks}
        assert ("attack", "field4-2") in marks
        assert ("last", "field4-1") in marks
        assert {place for kind, place in marks if kind == "partner"} == ({f"field{(viewer + 2) % 4 + 1}-1"} if viewer is not None else set())
        face_up = sum(not piece.face_down for piece in scene.look.pieces)
        assert face_up == {None: 1, 3: 7}.get(viewer, 9)


def test_a_koma_keeps_its_name_from_the_hand_to_the_field():
    for viewer in (0, 3):
        before, after = position(KINGS, 4).view(viewer), position(KINGS, 4, "441").view(viewer)
        assert {piece.id for piece in before.scene().look.pieces} == {piece.id for piece in after.scene().look.pieces}
    names = {piece.id: piece.text for piece in position(KINGS, 4).view(3).scene().look.pieces if piece.text}
    for piece in position(KINGS, 4, "441,1p,2p,3p,457").view(3).scene().look.pieces:
        assert piece.text in ("", names.get(piece.id))
