"""Checking the kinds of trace lines that only Goita has: special deals, views, solved endgames, and how a round ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hanpan.core.rule import SPECTATOR

from . import solve, text
from .history import read_hand
from .thinking import GOSHI_ALONE, GOSHIGOSHI_OPPOSITE, GOSHIGOSHI_WIN, announced

YAKU = ("", "goshi", "rokushi", "nanashi", "hachishi", "goshigoshi_win", "goshigoshi_opposite")  # the original's names, by its numbers
REPLAY = {"game", "options", "start", "plies", "over", "winner", "scores"}  # what a line of plies says in every game


class Difference(Exception):
    """The first thing in a line that we do not reproduce."""


def check(line: dict[str, Any], game: Callable[..., Any]) -> str | None:
    """None if everything in a deal, view or endgame line is reproduced, else a sentence naming the first difference."""
    kinds = {
        ("finish", "game", "start", "suspended", "yaku"): _check_deal,
        ("open", "seats", "spectator", "thinking", "turn"): _check_views,
        ("history", "remaining", "seat", "values"): _check_endgame,
    }
    if tuple(sorted(line)) not in kinds:
        return f"keys: {', '.join(sorted(line))} are not those of a deal, view or endgame line"
    return _sentence(kinds[tuple(sorted(line))], line, game)


def check_round(line: dict[str, Any], game: Callable[..., Any]) -> str | None:
    """None if the `round` of a line of plies is what its last action brought, else a sentence naming the first difference."""
    unknown = sorted(set(line) - REPLAY - {"round"})
    if unknown:
        return f"keys: {unknown[0]} is not known"
    return _sentence(_check_round, line, game) if "round" in line else None


def _sentence(checks: Callable[..., None], line: dict[str, Any], game: Callable[..., Any]) -> str | None:
    try:
        checks(line, game)
    except Difference as difference:
        return str(difference)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as problem:  # a text that can't be read, or a value of another type
        return f"line: {type(problem).__name__}: {problem}"
    return None


def _same(field: str, expected: object, found: object) -> None:
    # repr tells 1 from true and 1.0, which == does not
    if expected != found or _plainly(expected) != _plainly(found):
        raise Difference(f"{field}: expected {expected!r}, found {found!r}")


def _plainly(value: object) -> str:
    """A value's text, with the keys of objects in order."""
    if isinstance(value, dict):
        return repr({key: _plainly(value[key]) for key in sorted(value, key=str)})
    if isinstance(value, list):
        return repr([_plainly(item) for item in value])
    return repr(value)


def _check_deal(line: dict[str, Any], game: Callable[..., Any]) -> None:
    _same("game", line["game"], "goita")
    hands, _, dealer = line["start"].rpartition(",")
    before = game("goita").parse(f"0-0 {dealer} deal")
    after = before.play(f"deal {hands}")
    dealt = before.record[0]
    for seat, hand in enumerate(hands.split(",")):
        dealt.dealt[seat] = read_hand(hand)
        _same("start", hand, "".join(sorted(hand)))
    special = announced(dealt)
    numbers = {one["_yaku"] for one in special}
    _same("yaku", line["yaku"], [{"seat": one["_playerNo"], "yaku": YAKU[one["_yaku"]], "score": one["_score"]} for one in special])
    _same("suspended", line["suspended"], bool(numbers & {GOSHI_ALONE, GOSHIGOSHI_OPPOSITE}))
    again = {"nextDealerNo": int(dealer[1:]) - 1, "redeal": True, "aborted": False, "wonScore": 0}
    if not special:
        _same("start", str(after), f"0-0 {line['start']} play")
        _same("finish", line["finish"], None)
    elif GOSHI_ALONE in numbers:  # the line may tell either decision of the partner
        _same("start", str(after), f"0-0 {line['start']} goshi")
        _same("seat", after.seat, special[0]["_playerNo"] ^ 2)
        _same("proceed", str(after.play("proceed")), f"0-0 {line['start']} play")
        _same("redeal", str(after.play("redeal")), str(before))
        _same("finish", line["finish"], again if line["finish"] else None)
    elif GOSHIGOSHI_OPPOSITE in numbers:  # we always deal again, the original asks the partners
        _same("start", str(after), str(before))
        _same("finish", line["finish"], again if line["finish"] else None)
    else:
        seat = special[0]["_playerNo"]
        together = GOSHIGOSHI_WIN in numbers
        points = before.game.options["target"] if together else special[0]["_score"]
        _same("scores", after.scores, [points if other % 2 == seat % 2 else 0 for other in range(4)])
        _same("over", after.over, points >= before.game.options["target"])
        won = {"nextDealerNo": int(str(after).split()[1][1:]) - 1, "redeal": False, "aborted": False}
        _same("finish", line["finish"], {**won, "wonScore": special[0]["_score"] if together else after.scores[seat]})


def _check_views(line: dict[str, Any], game: Callable[..., Any]) -> None:
    goita = game("goita")
    before, comma, last = line["open"].rpartition(",")
    closing = None
    if comma and last[:1] != "s" and last[1:] != "p":
        state = goita.parse(f"0-0 {before} play")
        closing = state.play(last[1:]).closing if last[1:] in state.legal() else None
    if closing is None:
        state = goita.parse(f"0-0 {line['open']} play")
        _same("turn", line["turn"], state.seat)
    else:
        _same("open", line["open"], _history(closing))
        _same("turn", line["turn"], closing.info()["turn"])
    _same("seats", len(line["seats"]), 4)
    _same("thinking", len(line["thinking"]), 4)
    for viewer in (0, 1, 2, 3, SPECTATOR):
        view = state.view(None if viewer == SPECTATOR else viewer)
        _same("view", goita.parse(str(view), None if viewer == SPECTATOR else viewer) == view, True)
        seen = view if closing is None else closing.view(view.viewer)
        history, info = _history(seen), seen.info()
        _same("spectator" if viewer == SPECTATOR else f"seats.{viewer}", line["spectator"] if viewer == SPECTATOR else line["seats"][viewer], history)
        if viewer != SPECTATOR:
            expected = dict(line["thinking"][viewer])
            for key in sorted(set(expected) | set(info)):
                if key not in expected or key not in info:
                    raise Difference(f"thinking.{viewer}.{key}: {'unknown' if key in expected else 'missing'}")
                if key == "hand":  # the original keeps hands in the order of the draw
                    _same(f"thinking.{viewer}.hand", "".join(sorted(expected["hand"])), "".join(sorted(info["hand"])))
                else:
                    _same(f"thinking.{viewer}.{key}", expected[key], info[key])


def _history(state: Any) -> str:
    return str(state).split()[1]


def _check_endgame(line: dict[str, Any], game: Callable[..., Any]) -> None:
    state = game("goita").parse(f"0-0 {line['history']} play")
    s = state.record[0]
    _same("seat", line["seat"], state.seat)
    _same("remaining", line["remaining"], 32 - int(s.placed.sum()))
    values = solve.values(s)
    _same("values", line["values"], None if values is None else {text.format_action(s, a): value for a, value in values.items()})


def _check_round(line: dict[str, Any], game: Callable[..., Any]) -> None:
    plies = line["plies"]
    state = game(line["game"], **line["options"]).parse(plies[-2]["after"] if len(plies) > 1 else line["start"])
    action = plies[-1]["action"]
    after = state.play(action)
    if after.closing is None:
        raise Difference("round: the last action does not go out")
    team = state.seat % 2
    found = {"points": after.scores[team] - state.scores[team], "team": team, "double": after.closing.info()["lastAttack"]["doubleUp"]}
    _same("round", line["round"], {**found, "next_dealer": int(str(after).split()[1][1:])})
