"""The way out to people at sockets: whom it reaches there, and who is shown out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial

from hanpan.server.faults import log_fault
from hanpan.server.protocol.messages import OUTBOUND, Payload
from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.outbox import Telling
from hanpan.server.rooms.pace import Pace
from hanpan.server.transport.socket_server import Sockets


class SocketOutbox:
    """The way out through Socket.IO's groups: the lobby, each room, and each person in them."""

    def __init__(self, sio: Sockets) -> None:
        self._sio = sio
        self.pictured: dict[str, dict[str, int]] = {}  # room → person → connections that want scenes
        self.lags: dict[str, int] = {}  # person → milliseconds
        self.pace = Pace()  # of coming, going and asking for everything
        self.ending: set[str] = set()  # connections that are being closed: no request of theirs is answered any more
        self._leaving: set[asyncio.Task[None]] = set()

    async def tell(self, namespace: str, group: str, event: str, payload: Payload, skip: Iterable[str] = ()) -> None:
        """Tell a group, but for those who are in some others."""
        try:
            skipped = [sid for other in skip for sid, _ in self._sio.manager.get_participants(namespace, other)]
            await self._sio.manager.emit(event, payload, namespace, group, skipped)
        except Exception as fault:  # what can't be told to someone must not keep the server from going on
            log_fault(f"telling {event!r}", fault)

    def hears(self, room: str, by: Telling) -> bool:
        """Whether someone there is told things in this way."""
        return bool(self._sio.manager.rooms.get("/room", {}).get(f"{by} room {room}".lstrip()))

    async def to_all(self, event: str, payload: Payload) -> None:
        """Tell everyone, wherever they are."""
        for namespace in OUTBOUND:
            await self._sio.emit(event, payload, namespace=namespace)

    def all_sent(self) -> bool:
        """Whether everything that was told is on its way."""
        return not self._sio.fast or all(socket.queue.empty() for socket in list(self._sio.eio.sockets.values()))

    def connections(self) -> dict[str, int]:
        """How many connections are open, by namespace."""
        return {namespace: sum(1 for _ in self._sio.manager.get_participants(namespace, None)) for namespace in OUTBOUND}

    def opened_by(self) -> set[str]:
        """The sessions and tokens by which connections were opened."""
        return self._rooms_of("by ")

    def people(self) -> set[str]:
        """Everyone who has an open connection."""
        return self._rooms_of("person ")

    def _rooms_of(self, kind: str) -> set[str]:
        rooms = self._sio.manager.rooms
        return {name.removeprefix(kind) for namespace in OUTBOUND for name in rooms.get(namespace, ()) if name is not None and name.startswith(kind)}

    async def show_out(self, room: str, person: str, why: Refused) -> None:
        """Tell one person in a room why they can't stay, and nothing more."""
        for sid, _ in list(self._sio.manager.get_participants("/room", f"room {room} {person}")):
            for by in ("", "brief ", "full "):
                await self._sio.leave_room(sid, f"{by}room {room}", namespace="/room")
                await self._sio.leave_room(sid, f"{by}room {room} {person}", namespace="/room")
            await self._end(sid, "/room", why)

    async def disconnect(self, person: str, why: Refused) -> None:
        """Tell one person why they can't stay, wherever they are, and close their connections."""
        for namespace in OUTBOUND:
            for sid, _ in list(self._sio.manager.get_participants(namespace, f"person {person}")):
                await self._end(sid, namespace, why)

    async def disconnect_key(self, key: str, why: Refused) -> None:
        """Close the connections that were opened with one session or token, and say why."""
        for namespace in OUTBOUND:
            for sid, _ in list(self._sio.manager.get_participants(namespace, f"by {key}")):
                await self._end(sid, namespace, why)

    async def _end(self, sid: str, namespace: str, why: Refused) -> None:
        self.ending.add(sid)
        heard = "unauthorized" if why.code == "unauthorized" and namespace != "/room" else "invalid action"
        await self._sio.emit(heard, why.json(""), to=sid, namespace=namespace)
        task = asyncio.create_task(self._sio.disconnect(sid, namespace=namespace))  # apart: it comes back to the room, which may be busy with us
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def wants_scenes(self, room: str, person: str | None = None) -> bool:
        """Whether someone there (or that person) wants pictures with the positions."""
        wanted = self.pictured.get(room, {})
        return bool(wanted) if person is None else person in wanted

    def picture(self, room: str, person: str, more: int) -> None:
        """One connection more, or less, that wants scenes."""
        wanted = self.pictured.setdefault(room, {})
        wanted[person] = wanted.get(person, 0) + more
        if wanted[person] <= 0:
            del wanted[person]
        if not wanted:
            del self.pictured[room]

    def lag(self, person: str | None) -> int:
        """How many milliseconds a message to a person and the answer to it travel, by the last ping."""
        return self.lags.get(person, 0) if person is not None else 0

    def forget_lags(self) -> None:
        """Keep nothing of those who have gone."""
        here = self.people()
        self.lags = {person: lag for person, lag in self.lags.items() if person in here}

    def measure_lag(self, eio_sid: str, person: str) -> None:
        """Note it from now on, whenever they answer a ping."""
        socket = self._sio.eio.sockets.get(eio_sid)
        if socket is not None and self._sio.fast:
            socket.lag = partial(self._note_lag, person)

    def _note_lag(self, person: str, seconds: float) -> None:
        self.lags[person] = max(0, int(seconds * 1000))
