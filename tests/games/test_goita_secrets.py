"""Goita: secrets."""

import itertools
from collections import Counter

import pytest
from goita_table import GOITA, KINGS, deal, hidden, position, walk

from hanpan.core.rule import SPECTATOR, rng
from hanpan.games.goita import rules, text


def test_a_view_tells_its_own_seat_all_it_needs():
    for record in walk(GOITA, 400, 51):
        state = GOITA.parse(text.format_position(record[0]))
        seen = state.view(state.seat)
        assert seen.legal() == state.legal()
        for action in state.legal()[:: max(1, len(state.legal()) // 3)]:
            assert seen.play(action) == state.play(action).view(state.seat)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    ended = state.play("55")
    for viewer, own in ((0, False), (3, True), (None, False)):
        closing = ended.view(viewer).closing
        assert closing == ended.closing.view(viewer)
        history = "417,1p,2p,3p,414,1p,2p,3p,489" if own else "4x7,1p,2p,3p,4x4,1p,2p,3p,4x9"
        assert str(closing).endswith(history + ",1p,2p,3p,455 closed")
        assert closing.info()["lastAttack"]["describe"] == "x2Finish"
        assert closing.info()["fields"][3] == "x7x4x955"
        assert ended.view(viewer).scene().look == closing.scene().look
    assert state.view(3).play("55").closing == ended.view(3).closing, "whoever went out knows it from their own view, too"
    assert position(KINGS, 4).play("81").closing is None


SHI_HANDS = {  # what a deal brings, and why
    "11111123,11234567,12344568,12345579": ([20, 0, 20, 0], ["East was dealt 6 し.", "The best other koma counts: 馬, 20."]),
    "11234567,11111144,12234568,12335579": ([0, 60, 0, 60], ["South was dealt 6 し.", "The best other koma counts: 銀, 30.", "Doubled to 60."]),
    "11234456,11111189,12234557,12334567": ([0, 100, 0, 100], ["South was dealt 6 し.", "The best other koma counts: 玉, 50.", "Doubled to 100."]),
    "12234557,11111117,12334568,12344569": ([0, 40, 0, 40], ["South was dealt 7 し.", "The best other koma counts: 飛, 40."]),
    "12334567,12344568,11111111,22345579": ([100, 0, 100, 0], ["West was dealt 8 し.", "Nothing but し: 100 points."]),
    "11111234,22344568,11111567,23345579": ([150, 0, 150, 0], ["East and West are partners and were dealt five し each: that wins the game."]),
    "11111234,11111567,22344568,23345579": ([0] * 4, ["East and South were dealt five し each: no points, the komas are dealt again."]),
}


@pytest.mark.parametrize(("hands", "brings"), SHI_HANDS.items())
def test_hands_of_many_shi_are_seen_by_everyone_and_the_others_by_nobody(hands, brings):
    start = GOITA.parse("0-0 s2 deal")
    ended, dealt = start.play(f"deal {hands}"), hands.split(",")
    shown = [seat for seat in range(4) if dealt[seat].count("1") >= 5]
    others = [seat for seat in range(4) if seat not in shown]
    exchanged = list(dealt)
    exchanged[others[0]], exchanged[others[1]] = dealt[others[1]], dealt[others[0]]
    twin = start.play(f"deal {','.join(exchanged)}")
    for viewer in (0, 1, 2, 3, None):
        one, two = ended.view(viewer), twin.view(viewer)
        seen = str(one.closing).split()[1].split(",")
        assert seen[:4] == [dealt[seat] if seat in (viewer, *shown) else "xxxxxxxx" for seat in range(4)]
        assert (one.scores, [GOITA.book.say(phrase) for phrase in one.account().why]) == brings
        assert {each["_playerNo"] for each in one.closing.info()["yakuInfo"]} == set(shown)
        told = [(str(world.closing), world.closing.info(), world.scene(), world.svg(), world.account()) for world in (one, two)]
        assert (told[0] == told[1]) == (viewer not in others[:2]), "only who holds an exchanged hand sees the difference"


def test_five_shi_alone_end_nothing():
    assert GOITA.parse("0-0 s1 deal").play("deal 11111234,11223345,11234567,14556789").closing is None


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
