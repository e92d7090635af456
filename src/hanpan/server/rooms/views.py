"""What a viewer is told of a match: pure functions of the match and of whose eyes see it. Everything is made from what that viewer may know."""

from __future__ import annotations

import base64
import zlib

from hanpan.core.scene import Board, plain
from hanpan.server.protocol.messages import (
    BoardInfo,
    ClockInfo,
    Counted,
    Decision,
    EndSeat,
    GameOver,
    HistoryInfo,
    Moved,
    Ply,
    PrivateBoardInfo,
    Remaining,
)
from hanpan.server.rooms.match import Match

FARTHEST, LONGEST = 31, 7  # bytes between two pieces, and of a piece: both are told in one byte


def board(match: Match, since: int | None = None, paused: bool = False) -> BoardInfo:
    """What everyone may see of the game; with a ply, also the actions since then."""
    seen = match.view(None)
    recent = [] if since is None else match.told(None, since)
    latest = recent or (match.told(None, match.ply - 1) if match.ply else [])
    told = BoardInfo(
        game_id=match.id, ply=match.ply, position=str(seen), seat=match.seat, scores=seen.scores, over=match.result is not None,
        winner=None if match.result is None else match.result.winner, last=latest[-1]["action"] if latest else None,
    )  # fmt: skip
    if since is not None:
        told["recent"] = recent
    if match.draft:
        told["draft"] = list(match.draft)
    if paused:
        told["paused"] = True
    return told


def ply(match: Match, seat: int | None, since: int, now: int) -> Ply:
    """What has happened since a ply, told briefly to whoever sees with these eyes; where there are secrets, with what changes in the record that went
    through `hide` for them."""
    recent = match.lines(seat, since)
    seen = match.view(seat)
    record = seen.record.tobytes()
    told = Ply(
        ply=match.ply, actions=[line["action"] for line in recent], at=[line["at"] for line in recent], sum=zlib.crc32(record)
    )  # fmt: skip
    if forced := [number for number, line in enumerate(recent) if "forced" in line]:
        told["forced"] = forced
    if match.control.kind != "none":
        remaining, deadline, to_act = match.clock.remaining(now), match.clock.deadline(), match.seat
        told["now"] = now - match.started_at - recent[-1]["at"]
        acting = {to_act, *(line["seat"] for line in recent)} - {None}
        told["clock"] = [_bare([seat, r.main_ms, r.byoyomi_ms, r.turn_ms]) for seat, r in enumerate(remaining) if seat in acting]
        ends = None if deadline is None else deadline - now
        if to_act is None or ends != sum(remaining[to_act]):
            told["deadline"] = ends
    if match.secret:
        told["seen"] = _changes(match.at(since).view(seat).record.tobytes(), record)
        if seen.trail:
            told["trail"] = list(seen.trail)
        if seen.motions:
            told["motions"] = [plain(motion) for motion in seen.motions]
    return told


def _bare(times: list[int]) -> list[int]:
    """Without the zeros at the end."""
    while len(times) > 1 and not times[-1]:
        times.pop()
    return times


def _changes(before: bytes, after: bytes) -> str:
    """The pieces of a record that have changed: how far behind the last one, how long, and what is there now; a gap of one byte is told along."""
    pieces: list[list[int]] = []
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new and pieces and at - pieces[-1][1] < 2 and at - pieces[-1][0] < LONGEST:
            pieces[-1][1] = at + 1
        elif old != new:
            pieces.append([at, at + 1])
    told, last = bytearray(), 0
    for first, end in pieces:
        skipped, distance = divmod(first - last, FARTHEST)
        told += bytes([FARTHEST << 3]) * skipped + bytes([distance << 3 | end - first]) + after[first:end]
        last = end
    return base64.b64encode(told).decode()


def private(match: Match, seat: int, pictured: bool, known: Board | None = None) -> PrivateBoardInfo:
    """What only that seat may see, and what it may do. Without secrets everyone sees the same picture."""
    seen = match.view(seat)
    legal = seen.legal() if match.result is None else []
    told = PrivateBoardInfo(seat=seat, ply=match.ply, position=str(seen), legal=legal, info=(seen.closing or seen).info())
    if pictured:
        told["clicks"] = {text: list(seen.clicks(text)) for text in legal}
    if pictured and match.secret:
        told["scene"] = match.scene(seat).json(known)
    return told


def board_before(match: Match, since: int, seat: int | None) -> Board | None:
    """The still part of the picture that everyone with these eyes has seen at that ply; None after a takeback."""
    return match.scene(seat, since).board if since < match.ply else None


def history(match: Match, seat: int | None) -> HistoryInfo:
    """The actions so far, as a viewer may know them."""
    told = HistoryInfo(game_id=match.id, start=match.started_at, actions=match.told(seat))
    if rounds := match.rounds(seat):
        told["rounds"] = rounds
    if closing := match.closing(seat):
        told["closing"] = closing
    return told


def clock(match: Match, now: int, ledger: bool = False) -> ClockInfo:
    """The remaining times."""
    left = [Remaining(main=r.main_ms, byoyomi=r.byoyomi_ms, turn=r.turn_ms) for r in match.clock.remaining(now)]
    told = ClockInfo(now=now, seat=match.seat, deadline=match.clock.deadline() if match.result is None else None, remaining=left)
    if ledger:
        told["ledger"] = match.ledger()
    return told


def decision(match: Match) -> Decision | None:
    """The decision that is pending, where the game has such decisions."""
    shorthands = match.game.book.text.SHORTHANDS
    seat = match.seat if shorthands else None
    if seat is None:
        return None
    choices = match.view(seat).legal()
    if not choices or not set(choices) <= set(shorthands.values()):
        return None
    return Decision(seat=seat, ply=match.ply, choices=choices)


def over(match: Match, seats: list[EndSeat], moved: dict[str, Moved], counted: Counted | None) -> GameOver:
    """The end: who won and why, who sat where, and how ratings moved; `counted`: how much a rated game was worth."""
    assert match.result is not None
    told = GameOver(game_id=match.id, seats=seats, winner=match.result.winner, scores=match.state.scores, reason=match.result.reason, ratings=moved)
    if counted is not None:
        told["counted"] = counted
    return told
