"""A game being played: the open position, its actions with their times, the clock. Nothing here knows of people or sockets.

Of the past only what can't be found out quickly is kept: an earlier position follows from the actions, and is played anew for the few who ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import hide_nothing
from hanpan.core.scene import Scene
from hanpan.game import Game, State
from hanpan.record import GameRecord
from hanpan.result import Result, endless, judged, lost_by, sides
from hanpan.server.protocol.messages import LedgerLine, RoundInfo, Told, phrase, put_words
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.chance import Chance
from hanpan.server.rooms.clock import Clock, TimeControl
from hanpan.server.rooms.ledger import Ledger
from hanpan.server.rooms.seats import NOBODY
from hanpan.server.storage.models import ActionRow

KEPT = 8  # positions, the last one among them: further back goes hardly any takeback
QUICK = 64  # actions that are played anew within a millisecond or two


class Part(NamedTuple):
    """A part of the game that has ended: the scores before the action that ended it, and the position after it."""

    ply: int
    before: list[int]
    after: State


class Match:
    """One game from its first action to its result. `base` is the clock at a ply that the ledger alone doesn't give: after a takeback."""

    __slots__ = (
        "_masked", "_parts", "_recent", "_scenes", "base", "clock", "control", "draft", "game", "id", "played", "resigned", "result", "secret", "started_at",
    )  # fmt: skip

    def __init__(
        self, game_id: str, game: Game, control: TimeControl, started_at: int, played: Iterable[ActionRow] = (), base: tuple[int, Clock] | None = None
    ) -> None:
        self.id, self.game, self.control, self.started_at = game_id, game, control, started_at
        self.secret: bool = game.book.rules.hide is not hide_nothing  # whether some may know more than others
        self.played = Ledger()
        self._recent: list[State] = [game.start()]  # the last positions; none, while nobody looks on
        self._parts: list[Part] = []
        self._masked: list[str] = []  # where there are secrets: each action as it is told to others than whoever played it
        self.result: Result | None = None
        self.resigned: frozenset[int] = NOBODY
        self.draft: tuple[str, ...] = ()
        self._scenes: dict[tuple[int, int | None], Scene] = {}  # by ply and seat, those used last at the end
        for action in played:
            self._add(action, self.state.play(action.text))
        self.base = base if base is not None and base[0] <= self.ply else None
        self.clock = self._clock()

    @property
    def state(self) -> State:
        """The open position. Nothing made from it leaves the server: see `view`."""
        if not self._recent:
            self._recent = [self.at(self.ply)]
        return self._recent[-1]

    def at(self, ply: int) -> State:
        """The open position after so many actions, which is played anew if it was long ago."""
        since = self.ply - len(self._recent) + 1
        if ply >= since:
            return self._recent[ply - since]
        state = self.game.start()
        for text in self.played.texts(ply):
            state = state.again(text)
        return state

    @property
    def ply(self) -> int:
        """How many actions are recorded, chance included."""
        return len(self.played)

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the game has ended."""
        return None if self.result is not None else self.state.seat

    def view(self, seat: int | None) -> State:
        """What a seat, or a spectator, may know."""
        return self.state.view(seat)

    def scene(self, seat: int | None, ply: int | None = None) -> Scene:
        """What a seat, or a spectator, sees; now, or at a ply. The last pictures are kept: whoever comes is shown the same as those who are here, and the still
        part of the picture before is needed at the next action."""
        at = self.ply if ply is None else ply
        scene = self._scenes.pop((at, seat), None) or self.at(at).view(seat).scene()
        self._scenes[at, seat] = scene
        while len(self._scenes) > 2 * (self.game.seats + 1):
            del self._scenes[next(iter(self._scenes))]
        return scene

    def sides(self) -> list[int]:
        """The side that each seat plays for."""
        return sides(self.game)

    # --- acting ---

    def read(self, action: str) -> State:
        """The position after an action of the seat to act. Why not is said from what that seat may know, and nothing else."""
        try:
            following = self.state.play(action)
            if following.seat is not None:
                following.legal()  # whatever is wrong with the rules is to come out before the action counts
            return following
        except IllegalAction:
            try:
                self.view(self.state.seat).play(action)
            except IllegalAction as refused:
                raise Refused.by_rules(refused, self.game.book.package) from None
            raise

    def timed(self, text: str, at: int, started_at: int, following: State, lag: int = 0, forced: bool = False) -> tuple[ActionRow, Clock]:
        """An action of the seat to act, or of chance, with what the clock says of it; nothing is changed yet."""
        clock, row = self.clock.act(at, following.seat, text=text, lag_ms=lag, started_at=started_at, forced=forced)
        return row, clock

    def put(self, played: ActionRow, following: State, clock: Clock) -> None:
        """Record an action that has been stored."""
        self._add(played, following)
        self.clock, self.draft = clock, ()

    def _add(self, played: ActionRow, following: State) -> None:
        """One action more."""
        before = self.state
        if self.secret:
            self._masked.append(played.text if played.seat is None else before.told(played.text, None))
        self.played.append(played)
        if following.closing is not None:
            self._parts.append(Part(self.ply, before.scores, following))
        before.forget()  # of what is over, only the position itself is kept
        self._recent.append(following)
        del self._recent[:-KEPT]

    def rest(self) -> None:
        """Nobody looks on: keep what can't be made anew, and the open position if that would take long."""
        self._scenes.clear()
        del self._recent[: None if self.ply <= QUICK else -1]
        for state in self._recent:
            state.forget()

    def end(self, result: Result) -> None:
        """Record an end that has been stored."""
        self.result = result

    def drawn(self, chance: Chance, at: int) -> tuple[ActionRow, State, Clock]:
        """What chance decides now; nothing is changed yet."""
        text = chance.draw(self.state)
        following = self.state.play(text)
        played, clock = self.timed(text, at, at, following)
        return played, following, clock

    def set_draft(self, clicks: list[str]) -> None:
        """The steps of an unfinished action: they must be the beginning of a legal one, and may be shown to everyone."""
        wanted = tuple(clicks)
        if self.secret or (wanted and not any(self.state.clicks(text)[: len(wanted)] == wanted for text in self.state.legal())):
            raise Refused("bad-draft")
        self.draft = wanted

    def check_plays(self, seat: int) -> None:
        """Refuse what only a seat may do that has not resigned."""
        if seat in self.resigned:
            raise Refused("has-resigned")

    def time_out_loses(self) -> bool:
        """Whether a time-out loses this game (else an action is forced)."""
        return self.game.book.rules.TIME_OUT == "loses"

    def leaving_resigns(self) -> bool:
        """Whether whoever leaves this game resigns (else the seat waits for them, or for someone who sits in)."""
        return self.game.book.rules.LEAVING == "resigns"

    def clock_taken_back(self, ply: int, asker: int, now: int) -> Clock:
        """The clock if the game went back to an earlier ply: the asker's used time stays used. Nothing is changed yet."""
        return self.clock.take_back(self._clock(ply), asker, now, now)

    def take_back(self, ply: int, clock: Clock) -> None:
        """Go back to an earlier ply, as it has been stored."""
        self._recent = self._recent[: ply - self.ply] or [self.at(ply)]
        self._parts = [part for part in self._parts if part.ply <= ply]
        self._scenes.clear()  # another way may lead on from here
        self.played.cut(ply)
        del self._masked[ply:]
        self.draft, self.clock, self.base = (), clock, (ply, clock)

    # --- the clock ---

    def stop_clock(self) -> None:
        """The running turn is to begin anew: what was used of it is not charged."""
        if self.clock.since is not None:
            self.clock = self.clock.suspend(self.clock.since)

    def restart_clock(self, now: int) -> None:
        """The running turn begins anew now."""
        self.clock = self.clock.restart(now)

    def pause_clock(self, now: int) -> None:
        """The running turn stands still; what was used of it stays used."""
        self.clock = self.clock.suspend(now)

    def start_clock(self, now: int) -> None:
        """Time runs, if it stood still in someone's turn."""
        self.clock = self.clock.resume(now)

    def _clock(self, ply: int | None = None) -> Clock:
        """The clock, from the record alone, up to a ply if told so."""
        rows = list(self.played)
        seats = [*(row.seat for row in rows), self.state.seat]  # to act at each ply
        timed = list(islice(zip(rows, seats[1:], strict=True), ply))
        if self.base is not None and self.base[0] <= len(timed):
            return self.base[1].then(timed[self.base[0] :])
        return Clock.replay(self.control, self.game.seats, self.started_at, timed, first_seat=seats[0])

    # --- the end ---

    def ending(self, following: State) -> Result | None:
        """The result, if the game ends with the next action: by its rules, where who left finishes last; or because it has gone on for long enough."""
        return judged(following, tuple(sorted(self.resigned))) if following.over else endless(self.ply + 1)

    def lost_by(self, seat: int, reason: str) -> Result:
        """The result when a seat's side has lost."""
        return lost_by(self.game, seat, reason)

    # --- what is told ---

    def told(self, seat: int | None, since: int = 0) -> list[Told]:
        """The actions as a viewer may know them, with what the game has to say of each."""
        words = self.game.book.text
        return [put_words(line, words.spoken(line["action"]), words.heard(line["action"])) for line in self.lines(seat, since)]

    def lines(self, seat: int | None, since: int = 0) -> list[Told]:
        """The actions as a viewer may know them, without words. Everything is open once the game has ended."""
        words, told = self.game.book.text, []
        for number, (text, actor, at, forced) in enumerate(self.played.lines(since), since):
            if self.result is None:
                if actor is None:
                    text = words.told_chance(text)
                elif self.secret and actor != seat:
                    text = self._masked[number]
            line = Told(action=text, seat=actor, at=at - self.started_at)
            if forced:
                line["forced"] = True
            told.append(line)
        return told

    def rounds(self, seat: int | None) -> list[RoundInfo]:
        """The parts of the game that have ended: who began and who ended each, its points and the scores; `why` is made from what a viewer may know."""
        told = []
        for part in self._parts:
            ended = part.after.view(seat).account()
            assert ended is not None
            line = RoundInfo(
                ply=part.ply, dealer=ended.dealer, out=ended.out, points=ended.points, why=[phrase(why) for why in ended.why],
                before=part.before, scores=part.after.scores,
            )  # fmt: skip
            told.append(line)
        return told

    def closing(self, seat: int | None) -> dict[str, object] | None:
        """How the last part of the game that ended lay, to a viewer, until a seat acts again: as text, and as plain data for programs."""
        if not self._parts or any(self.played[ply].seat is not None for ply in range(self._parts[-1].ply, self.ply)):
            return None
        ended = self._parts[-1].after.closing
        assert ended is not None
        seen = ended.view(seat)
        return {"position": str(seen), "info": seen.info()}

    def record(self, ply: int | None = None) -> GameRecord:
        """The game as it is recorded, open to nobody but the server; with a ply, up to there."""
        return GameRecord(self.game.name, self.game.options, self.played.texts(ply))

    def ledger(self) -> list[LedgerLine]:
        """When every action arrived, what was charged for it and what was forgiven."""
        return ledger_of(self.played, self.started_at)


def ledger_of(played: Iterable[ActionRow], started_at: int) -> list[LedgerLine]:
    """When every action arrived, what was charged for it and what was forgiven; of a running game or a stored one."""
    return [
        LedgerLine(ply=ply, seat=each.seat, at=each.at - started_at, charged=each.charged, forgiven=each.forgiven, forced=each.forced)
        for ply, each in enumerate(played)
    ]
