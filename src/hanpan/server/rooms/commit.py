"""The one place where what has happened in a room is stored, and only then told."""

from __future__ import annotations

from hanpan.server.faults import faults_logged, log_fault
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.chat import Chat
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.happened import Acted, Changed, Ended, GoesOn, Happened, News, Next, Show, ShowGame, ShownOut, Spoken, TakenBack
from hanpan.server.rooms.match import Match
from hanpan.server.rooms.presence import Presence
from hanpan.server.rooms.publisher import Publisher, RoomList
from hanpan.server.rooms.room_store import RoomStore
from hanpan.server.rooms.state import RoomState
from hanpan.server.rooms.turns import Turns


class Commit:
    """Stores and tells for one room. Whoever lets it do so holds the room's lock, except for what is said in the chat."""

    __slots__ = ("_chat", "_finisher", "_presence", "_publisher", "_registry", "_room", "_store", "_turns")

    def __init__(
        self, room: RoomState, store: RoomStore, publisher: Publisher, rooms: RoomList, chat: Chat, finisher: Finisher, turns: Turns, presence: Presence
    ) -> None:
        self._room, self._store, self._publisher, self._registry = room, store, publisher, rooms
        self._chat, self._finisher, self._turns, self._presence = chat, finisher, turns, presence

    async def __call__(self, happened: Happened) -> None:
        """One after the other: store it if it is to be stored, else tell it, or let it come."""
        for fact in happened:
            match fact:
                case Acted(game):
                    since = game.ply
                    await self._append(fact)
                    await self._go_on(since, self._turns.acted(fact))
                case Changed(players):
                    await self._save(players)
                case News() | ShowGame() | ShownOut() | Show():
                    await self._tell(fact)
                case Ended():
                    await self._end(fact)
                case TakenBack():
                    await self._take_back(fact)
                case Spoken(message, since):
                    await self._store.say(message, since)
                    await self(self._chat.heard(message))
                case GoesOn(since):
                    await self._go_on(since, [])
                case Next.BEGIN:
                    await self.begin()
                case Next.VANISH:
                    await self._registry.remove_room(self._room.id)
                case Refused():
                    raise fact

    async def _tell(self, fact: News | ShowGame | ShownOut | Show) -> None:
        match fact:
            case News(event, payload, None, skip):
                await self._publisher.tell(event, payload, skip)
            case News(event, payload, str(person)):
                await self._publisher.tell_one(person, event, payload)
            case ShowGame(person):
                await self._publisher.tell_game(person)
            case ShownOut(person, why):
                await self._publisher.show_out(person, why)
            case Show.PLAYERS:
                await self._publisher.tell_players()
            case Show.CLOCK:
                await self._publisher.tell_clock()
            case Show.HISTORY:
                await self._publisher.tell_history()
            case Show.OVER:
                await self._finisher.move_ratings(self._room.changes)
                await self._publisher.tell("game over", self._publisher.over())
            case Show.LOBBY:
                await self._registry.room_changed(self._room.id)
            case Show.ROOM:
                await self._publisher.tell_room("room updated")
            case Show.CONFIG:
                await self._publisher.tell_room("config updated")

    async def _save(self, players: bool) -> None:
        """Store the room; with `players`, also who holds the seats of the running game."""
        await self._store.save(self._room.json())
        if players and self._room.match is not None and self._room.match.result is None:
            await self._store.set_people(self._room.match.id, self._room.seating.people())

    # --- a game from its beginning to its end ---

    async def begin(self, waiting: bool = False) -> None:
        """A new game. With `waiting`, people are still on their way here, and clocks wait for them."""
        begun = self._turns.begin()
        await self._store.add_game(begun.row)
        self._turns.begun(begun, waiting)
        self._presence.missed()
        await self._let_chance_act()
        await self._each("beginning", [Changed(), *self._presence.show_out_spectators(), Show.ROOM, Show.PLAYERS])
        await self._each("beginning", [ShowGame(member) for member in self._room.members])
        await self._next_turn()

    async def _each(self, what: str, happened: Happened) -> None:
        """After something that is stored, and that nothing which goes wrong now may undo: if the room can't be stored at this moment, everyone is told all
        the same."""
        for fact in happened:
            with faults_logged(f"room {self._room.id}, {what}"):
                await self([fact])

    async def take_up(self) -> None:
        """The server is back: go on with the game that is played, or recall how the last one ended."""
        if self._room.playing:
            await self._let_chance_act()
            await self._next_turn()
        else:
            await self._recall_ratings()

    async def _append(self, acted: Acted) -> None:
        """Store an action, with the end if it is one, where the game still stands as we thought; then it counts."""
        match, following = acted.match, acted.following
        result = match.ending(following)
        finish = None if result is None else await self._finisher.finish(match, result, following.scores)
        if not await self._store.append(match.id, match.ply, acted.row, finish):
            await self._load_again(match)
            raise Refused("stale-ply", ply=match.ply, now=self._room.match.ply if self._room.match is not None else 0)
        match.put(acted.row, following, acted.clock)
        if result is not None and finish is not None:
            self._finisher.end(match, result, finish)

    async def _let_chance_act(self) -> None:
        """Store what chance decides, until a seat can act or a part of the game has ended; a fault of ours makes everyone wait, but charges nobody.
        Then the turn begins."""
        match = self._room.last_game()
        try:
            while (drawn := self._turns.chance(match)) is not None:
                await self._append(drawn)
        except Exception as fault:
            log_fault(f"room {self._room.id}, chance", fault)
            self._turns.let_chance_wait(match.ply)
        self._turns.begin_turn()

    async def _go_on(self, since: int, news: Happened) -> None:
        """Chance's part, the news, and the next turn or the end. What was played is stored: nothing that goes wrong here may undo that."""
        await self._let_chance_act()
        with faults_logged(f"room {self._room.id}, telling"):
            await self(news)
            await self._publisher.tell_position(since)
        await self._next_turn()

    async def _next_turn(self) -> None:
        """The next turn; or the end, which chance alone can bring as well."""
        if self._room.last_game().result is None:
            self._turns.go_on()
            return
        await self._each("after the end", self._finisher.ended())

    async def _end(self, ended: Ended) -> None:
        """A result that no action brought."""
        match = ended.match
        finish = await self._finisher.finish(match, ended.result, match.state.scores)
        if not await self._store.append(match.id, match.ply, None, finish):
            await self._load_again(match)
            raise Refused("game-over")
        self._finisher.end(match, ended.result, finish)
        with faults_logged(f"room {self._room.id}, telling"):
            await self([*ended.news])
            await self._publisher.tell_position(match.ply)
        await self._next_turn()

    async def _take_back(self, back: TakenBack) -> None:
        # The shorter ledger does not tell what the asker has used: stored with it, or not at all.
        kept = self._room.json() | {"base": [back.ply, back.clock.json()]}
        if not await self._store.take_back(back.match.id, back.ply, back.match.ply, kept):
            await self._load_again(back.match)
            raise Refused("stale-ply", ply=back.ply, now=back.match.ply)
        back.match.take_back(back.ply, back.clock)
        self._room.offers.offer = None

    # --- where something goes wrong ---

    async def not_charged(self, match: Match, fault: Exception, soonest: float = 0.0) -> None:
        """A fault of ours: the turn begins anew, and rings after so many seconds at the soonest."""
        log_fault(f"room {self._room.id}, game {match.id}, ply {match.ply}", fault)
        if match.result is None:
            self._turns.begin_turn()
            self._turns.set_alarm(soonest)
            await self._publisher.tell_clock()

    async def _load_again(self, match: Match) -> None:
        """The storage stands elsewhere than we thought: it is the truth, so take the game from there."""
        row = await self._store.game(match.id)
        if row is None or self._room.match is not match:
            return
        self._room.match = self._room.match_of(row, match.base)
        self._room.match.resigned, self._room.counted = match.resigned, row.counted
        self._room.sat = row.people if row.result is not None else []
        await self._recall_ratings()
        for member in list(self._room.members):
            await self._publisher.tell_game(member)

    async def _recall_ratings(self) -> None:
        """A game that had ended before: how it moved ratings is stored."""
        if self._room.match is not None and self._room.match.result is not None:
            await self._finisher.move_ratings(await self._store.changes_of(self._room.match.id))
