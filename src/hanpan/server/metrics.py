"""What a server measures of itself, for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from hanpan.server.rooms.house import House

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Times that are measured as they happen."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.action = Histogram("hanpan_action_seconds", "From an action's arrival until it is stored and told.", registry=self.registry, buckets=_SECONDS)
        self.commit = Histogram("hanpan_commit_seconds", "One commit, of however many writes.", registry=self.registry, buckets=_SECONDS)

    def watch(self, house: House) -> None:
        """Count also what a house holds, each time someone asks."""
        self.registry.register(_Holdings(house))

    def text(self) -> bytes:
        """Everything, in Prometheus's own words."""
        return generate_latest(self.registry)


class _Holdings(Collector):
    """What a house holds at this moment."""

    def __init__(self, house: House) -> None:
        self._house = house

    def collect(self) -> Iterator[Metric]:
        """One family a kind of thing."""
        house = self._house
        connections = GaugeMetricFamily("hanpan_connections", "Open sockets, by namespace; bots are streams of the bot API.", labels=["namespace"])
        for namespace, number in house.outbox.connections().items():
            connections.add_metric([namespace], number)
        yield connections
        yield GaugeMetricFamily("hanpan_people_online", "People in the lobby.", len(house.online))
        yield GaugeMetricFamily("hanpan_rooms", "Open rooms.", len(house.rooms))
        running = GaugeMetricFamily("hanpan_games", "Games being played, by kind.", labels=["game"])
        for name, number in sorted(Counter(room.game.name for room in house.rooms.values() if room.playing).items()):
            running.add_metric([name], number)
        yield running
        yield GaugeMetricFamily("hanpan_bot_queue", "Computer players whose turn it is and who think or wait for a thinker.", house.bots.waiting)
