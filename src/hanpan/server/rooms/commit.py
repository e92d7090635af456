"""The one place where what has happened in a room is stored, and only then told."""

from __future__ import annotations

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.chat import Chat
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.happened import Changed, Ended, GoesOn, Happened, News, Next, Show, ShowGame, Spoken, TakenBack
from hanpan.server.rooms.publisher import Publisher, RoomList
from hanpan.server.rooms.saving import Saving
from hanpan.server.rooms.state import RoomState
from hanpan.server.rooms.turns import Turns
from hanpan.server.storage.store import Store


class Commit:
    """Stores and tells for one room. Whoever lets it do so holds the room's lock, except for what is said in the chat."""

    def __init__(
        self, room: RoomState, store: Store, saved: Saving, publisher: Publisher, rooms: RoomList, chat: Chat, finisher: Finisher, turns: Turns
    ) -> None:
        self._room, self._store, self._saved, self._publisher, self._registry = room, store, saved, publisher, rooms
        self._chat, self._finisher, self._turns = chat, finisher, turns

    async def __call__(self, happened: Happened) -> None:
        """One after the other: store it if it is to be stored, else tell it, or let it come."""
        for fact in happened:
            match fact:
                case Changed(players):
                    await (self._saved.save_players() if players else self._saved.save())
                case Spoken(message, since):
                    await self._store.chat.add(message, since)
                    await self(self._chat.heard(message))
                case TakenBack():
                    await self._take_back(fact)
                case Ended(ending, result, news):
                    await self._finisher.end_with(ending, result, news)
                case News() | ShowGame() | Show():
                    await self._tell(fact)
                case GoesOn(since):
                    await self._turns.after_action(since)
                case Next.BEGIN:
                    await self._turns.begin()
                case Next.VANISH:
                    await self._registry.remove_room(self._room.id)

    async def _tell(self, fact: News | ShowGame | Show) -> None:
        match fact:
            case News(event, payload, to, skip):
                await (self._publisher.tell(event, payload, skip) if to is None else self._publisher.tell_one(to, event, payload))
            case ShowGame(person):
                await self._publisher.tell_game(person)
            case Show.PLAYERS:
                await self._publisher.tell_players()
            case Show.CLOCK:
                await self._publisher.tell_clock()
            case Show.HISTORY:
                await self._publisher.tell_history()
            case Show.LOBBY:
                await self._registry.room_changed(self._room.id)
            case Show.ROOM:
                await self._publisher.tell_room("room updated")
            case Show.CONFIG:
                await self._publisher.tell_room("config updated")

    async def _take_back(self, back: TakenBack) -> None:
        # The shorter ledger does not tell what the asker has used: stored with it, or not at all.
        kept = self._room.json() | {"base": [back.ply, back.clock.json()]}
        if not await self._store.take_back(back.match.id, back.ply, back.match.ply, (self._room.id, kept)):
            await self._finisher.load_again(back.match)
            raise Refused("stale-ply", ply=back.ply, now=back.match.ply)
        back.match.take_back(back.ply, back.clock)
        self._room.offers.offer = None
