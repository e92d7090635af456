"""The games of the original programs are reproduced, line by line; one altered character is noticed."""

import gzip
import json
import random
from pathlib import Path

import pytest

import hanpan
from hanpan.record import GameRecord
from hanpan.replay import check_file, check_line

TRACES = sorted((Path(__file__).parent / "traces").glob("*.jsonl.gz"))


@pytest.mark.slow
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_every_line_is_reproduced(path):
    games, difference = check_file(path)
    assert difference is None
    assert games == len(gzip.decompress(path.read_bytes()).splitlines())


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_some_lines_are_reproduced(path):
    with gzip.open(path, "rt") as file:
        lines = file.readlines()
    for line in random.Random(1).sample(lines, 3):
        assert check_line(line, path.name) is None


def altered(line, dice):
    """The line with one character of a value changed into another that could stand there."""
    while True:
        at = dice.randrange(len(line))
        old = line[at]
        for group in ("0123456789", "abcdefghij", ".bwr", "hv", "ud", "tf"):
            if old in group:
                return line[:at] + dice.choice([c for c in group if c != old]) + line[at + 1 :], at


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_one_altered_character_is_noticed(path):
    dice = random.Random(2)
    with gzip.open(path, "rt") as file:
        lines = [line for line in file if len(line) < 60_000]
    for _ in range(25):
        line = dice.choice(lines)
        broken, at = altered(line, dice)
        difference = check_line(broken, path.name)
        options = line.find('"options":')
        if options <= at <= line.find("}", options) and options >= 0:
            continue  # another value of an option may describe the same game
        assert difference is not None, line[max(0, at - 30) : at + 30]


def test_the_line_and_the_ply_are_named(tmp_path):
    path = next(path for path in TRACES if path.name == "puoribor.jsonl.gz")
    with gzip.open(path, "rt") as file:
        lines = [next(file) for _ in range(3)]
    data = json.loads(lines[2])
    data["plies"][4]["after"] = data["plies"][4]["after"].replace("e", "f", 1)
    (tmp_path / "broken.jsonl").write_text("".join([*lines[:2], json.dumps(data)]))
    games, difference = check_file(tmp_path / "broken.jsonl")
    assert games == 2
    assert "line 3: ply 5: after: " in difference


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "game: '' is not one of"),
        ('{"game":"kulami"}', "not a kind of line that kulami knows"),
        ('{"game":"kulami","plies":[]}', "not a trace line (KeyError"),
        ('{"game":"kulami","options":{"level":7},"start":"","plies":[]}', "level: 7 is not in 0…2"),
        ('{"game":"kulami","options":null,"start":"","plies":[]}', "not a trace line"),
        ('{"game":["kulami"],"plies":[]}', "game: "),
    ],
)
def test_nonsense_is_named(line, reason):
    assert reason in check_line(line)


def test_a_line_of_an_archive_is_its_record_and_the_result_that_this_gives():
    game = hanpan.game("tictactoe")
    won = GameRecord.begin(game)
    for action in ("a1", "b1", "a2", "b2", "a3"):
        won = won.add(action)
    scores = won.final().scores
    result = {"winner": [0], "reason": "rules", "scores": scores, "last": []}
    line = {"id": "9p59", "record": json.loads(won.to_json()), "seats": [], "result": result, "times": []}
    assert check_line(json.dumps(line), "old.jsonl") is None
    for key, other in (("winner", [1]), ("reason", "time"), ("scores", [7, 7])):
        told = check_line(json.dumps(line | {"result": result | {key: other}}))
        assert told is not None
        assert told.startswith(f"result: {key}: ")
    assert "result: None is written" in str(check_line(json.dumps(line | {"result": None})))
    for broken in (None, 7, [], {}, {"hanpan": 1}, line["record"] | {"actions": ["a1", "a1"]}):
        assert check_line(json.dumps(line | {"record": broken})) is not None
    given_up = {"hanpan": 1, "game": "tictactoe", "options": game.options, "actions": ["a1"], "over": True, "winner": [1], "reason": "resigned", "last": []}
    ended = {"winner": [1], "reason": "resigned", "scores": game.start().play("a1").scores, "last": []}
    assert check_line(json.dumps(line | {"record": given_up, "result": ended})) is None
