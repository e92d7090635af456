"""A history that one order of actions explains is accepted; each way in which none does is found, and the lines that show it are named."""

import copy
import json

import pytest
from commands import hanpan_cli

import hanpan
from hanpan.client.load.check import check

ACTIONS = ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"]
CLOCK = {"kind": "fischer", "main_ms": 60_000, "increment_ms": 1_000}
CHARGED = 200


def left(ply):
    """What each seat has when so much is played: 60 s, less what was charged, with the increments."""
    return [[seat, 60_000 + (1_000 - CHARGED) * ((ply + 1 - seat) // 2), 0, 0] for seat in (0, 1)]


def a_history():
    """A game of two people, with one who watches and comes back once."""
    state = hanpan.game("tictactoe").start()
    lines = [{"e": "load", "plan": {"game": "tictactoe"}}]
    for who, seat in (("0.0", 0), ("0.1", 1), ("0.w0", None)):
        lines.append({"e": "connect", "who": who, "n": 1, "person": f"p{who}", "room": "r", "seat": seat})
    for ply, action in enumerate(ACTIONS):
        who = f"0.{ply % 2}"
        turn = {"who": who, "n": 1, "game": "g", "ply": ply, "action": action}
        lines.append({"e": "sent", **turn})
        state = state.play(action)
        for viewer in ("0.0", "0.1", "0.w0"):
            view = {"who": viewer, "n": 1 if viewer != "0.w0" or ply < 4 else 2, "game": "g", "ply": ply + 1, "over": state.over, "position": str(state)}
            lines.append({"e": "saw", **view, "told": [action], "clock": {"left": left(ply + 1)}})
        lines.append({"e": "answer", **turn, "ok": True})
        if ply == 3:
            lines.append({"e": "lost", "who": "0.w0", "n": 1})
            lines.append({"e": "connect", "who": "0.w0", "n": 2, "person": "p0.w0", "room": "r", "seat": None})
    ratings = {"p0.0": [1300.0, 1300.0], "p0.1": [1300.0, 1300.0]}
    for who in ("0.0", "0.1", "0.w0"):
        lines.append({"e": "over", "who": who, "n": 1, "game": "g", "winner": [], "scores": state.scores, "reason": "rules", "ratings": ratings})
    ledger = [{"seat": ply % 2, "at": 300 * (ply + 1), "charged": CHARGED, "forgiven": 50, "forced": False} for ply in range(len(ACTIONS))]
    result = {"winner": [], "scores": state.scores, "reason": "rules", "last": []}
    game = {"e": "game", "id": "g", "game": "tictactoe", "options": {}, "time": CLOCK, "rated": True, "counted": 1.0, "people": ["p0.0", "p0.1"]}
    lines.append({**game, "result": result, "ended": True, "actions": list(ACTIONS), "ledger": ledger, "hidden": False})
    for person, (before, after) in ratings.items():
        lines.append({"e": "rating", "person": person, "game": "tictactoe", "steps": [{"game_id": "g", "before": before, "after": after}]})
    assert state.over
    return copy.deepcopy(lines)


def find(lines, kind, **fields):
    return next(line for line in lines if line["e"] == kind and fields.items() <= line.items())


def test_what_one_order_explains_is_accepted():
    verdict = check(a_history())
    assert verdict.holds, "\n".join(map(str, verdict.wrong))
    assert (verdict.counts["acknowledged"], verdict.counts["views"], verdict.counts["rating changes"]) == (9, 27, 2)


def lost_at_the_end(lines):
    game = find(lines, "game")
    del game["actions"][8:], game["ledger"][8:]


def another_action(lines):
    find(lines, "game")["actions"][8] = "c9"


def gone(lines):
    game = find(lines, "game")
    for name in ("actions", "ledger"):
        del game[name]


def never_sent(lines):
    for line in [line for line in lines if line["e"] in ("sent", "answer") and line["ply"] == 5]:
        lines.remove(line)


def sent_after_it_was_seen(lines):
    sent = find(lines, "sent", ply=5)
    lines.remove(sent)
    lines.insert(lines.index(find(lines, "answer", ply=5)), sent)


def a_step_back(lines):
    old = copy.deepcopy(find(lines, "saw", who="0.1", ply=3))
    lines.insert(lines.index(find(lines, "saw", who="0.1", ply=6)) + 1, old)


def alive_again(lines):
    after = copy.deepcopy(find(lines, "saw", who="0.1", ply=9))
    after["over"] = False
    lines.insert(lines.index(find(lines, "over", who="0.1")), after)


def an_old_room(lines):
    """Whoever comes back is told less than was acknowledged before they asked: on that connection, and to them, nothing goes backwards."""
    known = find(lines, "saw", who="0.w0", ply=4)
    lines.remove(known)
    old = {**copy.deepcopy(find(lines, "saw", who="0.w0", ply=3)), "n": 2}
    lines.insert(lines.index(find(lines, "connect", who="0.w0", n=2)) + 1, old)


def another_story(lines):
    find(lines, "saw", who="0.w0", ply=3)["told"] = ["c3"]


def another_position(lines):
    view = find(lines, "saw", who="0.w0", ply=3)
    view["position"] = find(lines, "saw", who="0.w0", ply=2)["position"]


def time_given_back(lines):
    find(lines, "saw", who="0.0", ply=4)["clock"]["left"][1][1] += 5_000


def time_taken_away(lines):
    find(lines, "saw", who="0.0", ply=4)["clock"]["left"][1][1] -= 100


def charged_for_nothing(lines):
    find(lines, "game")["ledger"][4]["charged"] = 299


def a_rating_moved_twice(lines):
    line = find(lines, "rating", person="p0.1")
    line["steps"] *= 2


def a_rating_moved_by_nobody(lines):
    find(lines, "rating", person="p0.1")["steps"] = []


def a_rating_that_stands_elsewhere(lines):
    find(lines, "rating", person="p0.0").update({"value": 1310.0, "games": 1})


def told_of_other_ratings(lines):
    find(lines, "over", who="0.1")["ratings"] = {"p0.0": [1300.0, 1310.0], "p0.1": [1300.0, 1290.0]}


def told_of_another_winner(lines):
    find(lines, "over", who="0.1")["winner"] = [1]


WRONG = {
    lost_at_the_end: "lost", another_action: "record", gone: "lost", never_sent: "unsent", sent_after_it_was_seen: "early", a_step_back: "backwards",
    alive_again: "backwards", an_old_room: "stale", another_story: "other", another_position: "other", time_given_back: "clock", time_taken_away: "clock",
    charged_for_nothing: "clock", a_rating_moved_twice: "rating", a_rating_moved_by_nobody: "rating", a_rating_that_stands_elsewhere: "rating",
    told_of_other_ratings: "rating", told_of_another_winner: "result",
}  # fmt: skip


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change.__name__)
def test_what_no_order_explains_is_found(change):
    lines = a_history()
    change(lines)
    verdict = check(lines)
    assert WRONG[change] in verdict.kinds(), verdict
    assert not verdict.holds


def test_a_doubled_action_is_told_from_one_that_nobody_sent():
    """The second player does what the first did, and nobody has sent that: found in a game where both may say the same."""
    lines = a_history()
    for line in lines:
        if line.get("ply") == 5 and line["e"] in ("sent", "answer"):
            line["ply"] = 7
    assert "doubled" in check(lines).kinds()


def test_what_was_refused_or_never_answered_may_have_been_done_or_not():
    lines = a_history()
    lines.remove(find(lines, "answer", ply=8))
    find(lines, "answer", ply=4).update({"ok": False, "code": "our-fault"})
    never = {"who": "0.1", "n": 1, "game": "g", "ply": 9, "action": "a1"}
    lines.insert(lines.index(find(lines, "over")), {"e": "sent", **never})
    assert check(lines).holds


def test_the_command_says_which_lines_are_wrong(tmp_path):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    lines = a_history()
    good.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"e":"sa')  # whoever wrote it was killed
    lost_at_the_end(lines)
    bad.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = hanpan_cli("load", "--check", str(good))
    assert (done.returncode, "one order of actions explains everything" in done.stdout) == (0, True)
    done = hanpan_cli("load", "--check", str(good), str(bad))
    assert done.returncode == 1
    assert "game g, ply 8: 'c3' was acknowledged, and the record has 8 actions" in done.stdout
    assert '"e":"answer"' in done.stdout
    bad.write_text('{"e":"load"}\nnonsense\n{}\n')
    assert "line 2: not JSON" in hanpan_cli("load", "--check", str(bad)).stderr
