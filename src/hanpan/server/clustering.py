"""The parts that make many processes one server, put together."""

from __future__ import annotations

from hanpan.server.cluster.bus import Body
from hanpan.server.cluster.nodes import NodeObserver, Nodes, SharedClock
from hanpan.server.cluster.redis_bus import RedisBus, prefix_of
from hanpan.server.cluster.tasks import Tasks
from hanpan.server.people.identity import People
from hanpan.server.people.limits import Limits
from hanpan.server.people.shared_people import SharedPeople
from hanpan.server.people.speech import Speech
from hanpan.server.protocol.messages import Interrupted, PersonInfo
from hanpan.server.rooms.bot_pool import BotPool
from hanpan.server.rooms.lobby import Lobby
from hanpan.server.rooms.matchmaking import Matchmaking
from hanpan.server.rooms.mirror import Mirror
from hanpan.server.rooms.registry import Registry
from hanpan.server.rooms.shared_matchmaking import SharedMatchmaking
from hanpan.server.rooms.shared_rooms import SharedRooms
from hanpan.server.rooms.thinking_queue import ThinkingQueue
from hanpan.server.settings import Settings
from hanpan.server.storage.store import Store
from hanpan.server.transport.cluster_gateway import ClusterGateway
from hanpan.server.transport.cluster_outbox import ClusterOutbox
from hanpan.server.transport.gateway import OwnRooms
from hanpan.server.transport.socket_server import Sockets

_ASKED = 64  # computer players of one process that others may think for at the same time


class Cluster(NodeObserver):
    """This process as one of many."""

    def __init__(self, settings: Settings, store: Store, sio: Sockets, mirror: Mirror, node: str, clock: SharedClock) -> None:
        assert settings.redis is not None
        self.bus, self._mirror = RedisBus(node, settings.redis, prefix_of(settings.database_url)), mirror
        self._thinking, self._thinkers = ThinkingQueue(self.bus, self.bus.jobs), settings.thinkers
        self.nodes = Nodes(store.leases, self.bus, clock)
        self.outbox = ClusterOutbox(sio, self.bus, mirror)
        self._leases = store.leases
        self._tasks = Tasks()
        self.rooms: SharedRooms
        self._lobby: Lobby
        self.nodes.subscribe(self)
        self.bus.changed, self.bus.lost = self.nodes.way, self._lost
        self.bus.on("gone", self._hear_gone)
        self.bus.on("resend", self._hear_resend)

    def matchmaking(self, own: Matchmaking, people: People) -> SharedMatchmaking:
        """Quick match across processes."""
        return SharedMatchmaking(own, people, self.nodes, self.bus)

    def share(self, people: People, speech: Speech, limits: Limits, registry: Registry, lobby: Lobby, own: OwnRooms) -> ClusterGateway:
        """Rooms, people and limits across processes; the way into rooms."""
        self._lobby = lobby
        self.rooms = SharedRooms(registry, lobby, self._leases, self.nodes, self.bus)
        self.rooms.listed, self.rooms.left = self._list, self._left
        SharedPeople(people, speech, people.bans, limits, self.bus).changed_here = registry.person_changed_here
        return ClusterGateway(own, registry, self.rooms, people, self.nodes, self.bus, self.outbox)

    async def open(self, bots: BotPool) -> None:
        """Be one of them."""
        await self.bus.open()
        await self.nodes.open()
        self.rooms.open()
        bots.share(self._thinking.ask, _ASKED)
        for _ in range(self._thinkers):
            self._tasks.spawn(self._thinking.work(bots.think))

    async def close_room(self, id: str) -> None:
        """An operator closes a room, of whichever process."""
        await self.rooms.close_room(id)

    async def hand_over(self) -> bool:
        """Give all rooms to other processes; whether there are any."""
        await self.rooms.hand_over()
        return bool(self.nodes.others - self.nodes.draining)

    async def close(self) -> None:
        """Be gone."""
        self._tasks.close()
        self.rooms.close()
        await self.nodes.close()
        await self.bus.close()

    def lapsed(self) -> None:
        """Everyone here is told that play pauses."""
        self._tasks.spawn(self.outbox.to_all("interrupted", Interrupted(yes=True)))

    def recovered(self) -> None:
        """Everyone here is told that it goes on."""
        self._tasks.spawn(self.outbox.to_all("interrupted", Interrupted(yes=False)))

    def _lost(self, node: str) -> None:
        """Something that a process has sent has not arrived."""
        self.bus.send(node, "resend", {})
        self.nodes.came(node)

    async def _hear_resend(self, sender: str, body: Body) -> None:
        self.nodes.came(sender)

    async def _hear_gone(self, sender: str, body: Body) -> None:
        self.nodes.heard_gone(sender)

    def _list(self) -> None:
        self.outbox.told_lobby += 1
        self._tasks.spawn(self.outbox.to_lobby_here("info", self._lobby.listing()))

    def _left(self, gone: list[PersonInfo]) -> None:
        for info in gone:
            self._tasks.spawn(self.outbox.to_lobby_here("user left", info))
