"""Records: out, in, the same again; a wrong one is refused by name."""

import json
import random
from dataclasses import replace

import pytest
from variants import every_variant, random_states

import hanpan
from hanpan.record import GameRecord
from hanpan.replay import check_file, check_record
from hanpan.result import MOST_ACTIONS, Result, endless, judged


def random_record(game, seed, plies=40):
    dice = random.Random(seed)
    record, state = GameRecord.begin(game, people={0: "한판 Ann"}), game.start()
    for ply in range(plies):
        if state.over:
            break
        action = state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal())
        state, record = state.play(action), record.add(action, forced=ply % 7 == 3)
    return record, state


@every_variant()
def test_a_record_survives_both_forms(game):
    record, last = random_record(game, 1)
    assert record.final() == last
    assert GameRecord.from_json(record.to_json()) == record
    assert GameRecord.from_text(record.to_text()) == record
    assert GameRecord.from_json(record.to_json()).forced == record.forced


@every_variant()
def test_a_record_may_begin_at_any_position(game):
    *_, middle = random_states(game, 2, 10)
    record = GameRecord.begin(game, middle)
    if middle.seat is not None:
        record = record.add(middle.legal()[0])
    assert GameRecord.from_text(record.to_text()) == record
    assert GameRecord.from_json(record.to_json()).final() == record.final()


@pytest.mark.slow
def test_a_damaged_record_never_passes_for_another_game_in_silence():
    record, last = random_record(hanpan.game("puoribor"), 3)
    dice = random.Random(4)
    for text in (record.to_json(), record.to_text()):
        for _ in range(300):
            at = dice.randrange(len(text))
            broken = text[:at] + dice.choice('abcdefgh123456789hrv[]{}:," \n') + text[at + 1 :]
            difference = check_record(broken)
            if difference is None:  # one name, one mark, or one action that is just as legal is another, at most
                form = GameRecord.from_json if broken.startswith("{") else GameRecord.from_text
                found = form(broken)
                others = sum(action != was for action, was in zip(found.actions, record.actions, strict=True))
                assert (found.name, found.options) == (record.name, record.options)
                assert others + (found.people != record.people) + (found.forced != record.forced) <= 1
                assert (found.final() == last) == (others == 0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "'chess' is not a game"),
        ({"hanpan": 99}, "hanpan: 99 is not a format known here"),
        ({"options": {"size": 3}}, "size: puoribor has no such option"),
        ({"options": []}, "options: "),
        ({"actions": ["e2", "e2"]}, "ply 2: 'e2'"),
        ({"actions": "e2"}, "actions: not a list of texts"),
        ({"actions": [5]}, "actions: not a list of texts"),
        ({"forced": [7]}, "forced: there is no action 7"),
        ({"forced": ["a"]}, "forced: not a list of plies"),
        ({"people": {"3": "Ann"}}, "people: there is no seat 3"),
        ({"people": ["Ann"]}, "people: "),
        ({"start": "nonsense"}, ""),
        ({"start": 5}, "start: 5 is not a text"),
        ({"over": True}, "over: True is written, but the actions give False"),
        ({"colour": 1}, "colour: a record has no such field"),
        ({"hanpan": "match", "format": 1, "even": None}, "record: this is a file of another kind ('match')"),
    ],
)
def test_what_is_wrong_is_named(change, reason):
    data = json.loads(GameRecord.begin(hanpan.game("puoribor")).add("e2").to_json())
    with pytest.raises(ValueError, match=r".") as refused:
        GameRecord.from_json(json.dumps(data | change))
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("1  seat 1  e2", "1  seat 2  e2"), "line 8: seat 2 is written, but it was the turn of seat 1"),
        (("2  seat 2  e8", "2  chance  e8"), "line 9: chance is written, but it was the turn of seat 2"),
        (("1  seat 1  e2", "1  seat ١  e2"), "line 8: "),
        (("1  seat 1  e2", "١  seat 1  e2"), "line 8: "),
        (("seat 1: Ann\n", "seat 1: Ann\nseat 1: Bea\n"), "line 6: 'seat 1' is there already, in line 5"),
        (("game: puoribor\n", "game: kulami\ngame: puoribor\n"), "line 2: 'game' is there already, in line 1"),
        (("option walls", "option walls: 9\noption walls"), "'option walls' is there already"),
        (("seat 1: Ann", "seat 1:  "), "line 5: a name is not empty"),
        (("seat 1: Ann", "seat 1: \ud800"), "record: not a text"),
    ],
)
def test_a_text_record_is_refused_with_the_line(change, reason):
    text = GameRecord.begin(hanpan.game("puoribor"), people={0: "Ann"}).add("e2").add("e8").to_text()
    assert change[0] in text
    with pytest.raises(ValueError, match=r".") as refused:
        GameRecord.from_text(text.replace(*change))
    assert reason in str(refused.value)


@every_variant()
def test_a_record_is_read_as_editors_keep_it(game, tmp_path):
    record, _ = random_record(game, 5, 12)
    for text in (record.to_text(), record.to_json()):
        kept = "\ufeff" + text.replace("\n", "\r\n")
        assert GameRecord.read(kept) == GameRecord.read(text) == record
        (tmp_path / "kept.txt").write_bytes(kept.encode())
        assert check_file(tmp_path / "kept.txt") == (1, None)


@pytest.mark.parametrize("read", [GameRecord.read, GameRecord.from_text, GameRecord.from_json])
def test_what_is_no_text_is_no_record(read):
    for given in (GameRecord.begin(hanpan.game("kulami")).to_json().encode(), b"", None, 5, {}, ["game: kulami"]):
        with pytest.raises(ValueError, match="record: not a text"):
            read(given)


def test_a_field_that_is_there_twice_is_named():
    text = GameRecord.begin(hanpan.game("puoribor")).add("e2").to_json()
    assert "'game' is there twice" in check_record(text.replace('"game"', '"game": "kulami", "game"', 1))


def test_a_line_of_a_file_may_hold_signs_that_end_lines_elsewhere(tmp_path):
    record = GameRecord.begin(hanpan.game("puoribor"), people={0: "A\u2028B"}).add("e2")
    (tmp_path / "two.jsonl").write_text(f"{record.to_json()}\n{record.to_json()}\n", "utf-8")
    assert check_file(tmp_path / "two.jsonl") == (2, None)


def test_a_missing_or_binary_file_is_named(tmp_path):
    assert "can't be read" in check_file(tmp_path / "none.json")[1]
    (tmp_path / "x.jsonl.gz").write_bytes(b"\x00\x01")
    assert "not a text" in check_file(tmp_path / "x.jsonl.gz")[1]


@pytest.mark.parametrize("result", [Result([1], "resigned"), Result([1], "time"), Result([0], "claim"), Result([], "agreed"), Result([], "abandoned")])
def test_a_game_that_no_action_ended_keeps_result_and_reason(result, tmp_path):
    record = replace(GameRecord.begin(hanpan.game("puoribor")).add("e2").add("e8"), result=result)
    for text in (record.to_json(), record.to_text()):
        assert GameRecord.read(text) == record
        assert GameRecord.read(text).outcome() == result
        (tmp_path / "kept.txt").write_text(text, "utf-8")
        assert check_file(tmp_path / "kept.txt") == (1, None)
    assert f"({result.reason})" in record.to_text()


def test_a_game_that_went_on_for_too_long_has_no_winner_and_its_record_says_so(tmp_path):
    record = GameRecord("puoribor", dict(hanpan.game("puoribor").options), ("e2", "e8", "e1", "e9") * (MOST_ACTIONS // 4), result=endless(MOST_ACTIONS))
    assert record.result == Result([], "length")
    for text in (record.to_json(), record.to_text()):
        assert GameRecord.read(text, MOST_ACTIONS) == record
        (tmp_path / "kept.txt").write_text(text, "utf-8")
        assert check_file(tmp_path / "kept.txt") == (1, None)
    assert "no winner, " in record.to_text()


def test_partners_win_together_and_who_gave_up_among_three_is_last():
    goita, _ = random_record(hanpan.game("goita"), 6, 5)
    won = replace(goita, result=Result([1, 3], "resigned"))
    assert "seat 2 and 4 won" in won.to_text()
    assert GameRecord.from_text(won.to_text()) == won
    three, last = random_record(hanpan.game("wallgo", players=3, size=5, pieces=2), 7, 400)
    assert last.over
    over = replace(three, result=judged(last, (1,)))
    assert 1 not in over.outcome().winner
    assert "rules, seat 2 last" in over.to_text()
    assert GameRecord.from_text(over.to_text()) == over == GameRecord.from_json(over.to_json())
    left, _ = random_record(hanpan.game("wallgo", players=3, size=5, pieces=2), 7, 9)
    alone = replace(left, result=Result([2], "resigned", (0, 1)))
    assert GameRecord.from_text(alone.to_text()) == alone == GameRecord.from_json(alone.to_json())


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (Result([0], "bored"), "reason: 'bored' is not one of rules, resigned"),
        (Result([0], "rules", (1,)), "last: where there are two sides"),
        (Result([5], "resigned"), "result: there is no seat 6"),
        (Result([0, 1], "resigned"), "all others have won"),
        (Result([], "time"), "winner: nobody is written, but when one side has lost (time)"),
        (Result([0], "time"), "it was the turn of seat 1, whose time ran out"),
        (Result([0], "agreed"), "winner: seat 1 is written, but a game that ends as 'agreed' has no winner"),
        (Result([], "length"), "reason: 'length' is written, but a game ends so after 2000 actions, not after 2"),
    ],
)
def test_a_result_that_contradicts_the_game_is_refused(result, reason):
    record = replace(GameRecord.begin(hanpan.game("puoribor")).add("e2").add("e8"), result=result)
    for text in (record.to_json(), record.to_text()):
        with pytest.raises(ValueError, match=r".") as refused:
            GameRecord.read(text)
        assert reason in str(refused.value)


def test_what_was_played_for_a_seat_is_marked_and_the_mark_of_old_is_read():
    record = GameRecord.begin(hanpan.game("puoribor")).add("e2").add("e8", forced=True)
    assert record.to_text().endswith("   1  seat 1  e2\n   2  seat 2  e8  (forced)\n")  # nothing says whether time was up, or the seat had resigned
    assert GameRecord.from_text(record.to_text().replace("(forced)", "(time)")) == record


@pytest.mark.slow
def test_what_is_over_by_its_rules_was_not_resigned():
    record, last = random_record(hanpan.game("reversedrop"), 8, 400)
    assert last.over
    assert GameRecord.read(record.to_text()).outcome() == judged(last)
    with pytest.raises(ValueError, match="'resigned' is written, but the game has ended by its rules"):
        GameRecord.read(replace(record, result=Result([0], "resigned")).to_text())
    data = json.loads(record.to_json())
    assert data["reason"] == "rules"
    with pytest.raises(ValueError, match="winner: is missing"):
        GameRecord.from_json(json.dumps({key: value for key, value in data.items() if key != "winner"} | {"reason": "time"}))
    with pytest.raises(ValueError, match="winner: "):
        GameRecord.from_json(json.dumps(data | {"winner": [1 - data["winner"][0]] if data["winner"] else [0]}))
