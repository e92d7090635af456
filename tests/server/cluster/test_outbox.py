"""The way out to connections of other processes keeps nothing of those who have gone."""

from types import SimpleNamespace

from hanpan.server.protocol.refusals import Refused
from hanpan.server.rooms.mirror import Mirror
from hanpan.server.transport.cluster_outbox import ClusterOutbox, Remote


async def test_a_room_whose_last_visitor_was_shown_out_is_not_kept():
    passed = []
    bus = SimpleNamespace(on=lambda kind, hear: None, send=lambda node, kind, body: passed.append((node, body["call"])))
    outbox = ClusterOutbox(SimpleNamespace(manager=SimpleNamespace(get_participants=lambda namespace, room: [])), bus, Mirror())
    outbox.remote["room"] = {("node", "1"): Remote("ann", "full", False), ("other", "2"): Remote("bob", "full", False)}
    await outbox.show_out("room", "ann", Refused("no-spectators"))
    assert list(outbox.remote["room"]) == [("other", "2")]
    for person in ("bob", "ann"):
        await outbox.show_out("room", person, Refused("no-spectators"))
    assert outbox.remote == {}
    assert passed == [("node", "show_out"), ("other", "show_out")]
