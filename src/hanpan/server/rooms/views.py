"""What a viewer is told of a match: pure functions of the match and of whose eyes see it. Everything is made from what that viewer may know."""

from __future__ import annotations

from typing import Any

from hanpan.core.scene import Board
from hanpan.server.rooms.match import Match


def board(match: Match, since: int | None = None, paused: bool = False) -> dict[str, Any]:
    """What everyone may see of the game; with a ply, also the actions since then."""
    seen = match.view(None)
    told: dict[str, Any] = {"game_id": match.id, "ply": match.ply, "position": str(seen), "seat": match.seat}
    told |= {"scores": seen.scores, "over": match.result is not None}
    recent = [] if since is None else match.told(None, since)
    latest = recent or (match.told(None, match.ply - 1) if match.ply else [])
    told |= {"winner": None if match.result is None else match.result.winner, "last": latest[-1]["action"] if latest else None}
    if since is not None:
        told["recent"] = recent
    if match.draft:
        told["draft"] = list(match.draft)
    if paused:
        told["paused"] = True
    return told


def private(match: Match, seat: int, pictured: bool, known: Board | None = None) -> dict[str, Any]:
    """What only that seat may see, and what it may do. Without secrets everyone sees the same picture."""
    seen = match.view(seat)
    legal = seen.legal() if match.result is None else []
    told: dict[str, Any] = {"seat": seat, "ply": match.ply, "position": str(seen), "legal": legal, "info": (seen.closing or seen).info()}
    if pictured:
        told["clicks"] = {text: list(seen.clicks(text)) for text in legal}
    if pictured and match.secret:
        told["scene"] = match.scene(seat).json(known)
    return told


def board_before(match: Match, since: int, seat: int | None) -> Board | None:
    """The still part of the picture that everyone with these eyes has seen at that ply; None after a takeback."""
    return match.scene(seat, since).board if since < match.ply else None


def history(match: Match, seat: int | None) -> dict[str, Any]:
    """The actions so far, as a viewer may know them."""
    told: dict[str, Any] = {"game_id": match.id, "start": match.started_at, "actions": match.told(seat)}
    rounds, closing = match.rounds(seat), match.closing(seat)
    return told | ({"rounds": rounds} if rounds else {}) | ({"closing": closing} if closing else {})


def clock(match: Match, now: int, ledger: bool = False) -> dict[str, Any]:
    """The remaining times."""
    left = [{"main": r.main_ms, "byoyomi": r.byoyomi_ms, "turn": r.turn_ms} for r in match.clock.remaining(now)]
    deadline = match.clock.deadline() if match.result is None else None
    told: dict[str, Any] = {"now": now, "seat": match.seat, "deadline": deadline, "remaining": left}
    return told | ({"ledger": match.ledger()} if ledger else {})


def decision(match: Match) -> dict[str, Any] | None:
    """The decision that is pending, where the game has such decisions."""
    shorthands = match.game.book.text.SHORTHANDS
    seat = match.seat
    if not shorthands or seat is None:
        return None
    choices = match.view(seat).legal()
    if not choices or not set(choices) <= set(shorthands.values()):
        return None
    return {"seat": seat, "ply": match.ply, "choices": choices}


def over(match: Match, moved: dict[str, dict[str, float]], counted: dict[str, Any] | None) -> dict[str, Any]:
    """The end: who won and why, and how ratings moved; `counted`: how much a rated game was worth."""
    assert match.result is not None
    told = {"game_id": match.id, "winner": match.result.winner, "scores": match.state.scores, "reason": match.result.reason, "ratings": moved}
    return told if counted is None else told | {"counted": counted}
