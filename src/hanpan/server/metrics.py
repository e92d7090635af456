"""What a server measures of itself, for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Holdings(NamedTuple):
    """What a server holds at a moment."""

    connections: dict[str, int]  # open ones, by namespace
    online: int  # people in the lobby
    rooms: int
    playing: Counter[str]  # running games, by name
    bot_queue: int  # computer players whose turn it is
    tasks: int  # of the event loop


class Metrics:
    """Times that are measured as they happen."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # processor time, memory, open files, start
        self.action = Histogram("hanpan_action_seconds", "From an action's arrival until it is stored and told.", registry=self.registry, buckets=_SECONDS)
        self.commit = Histogram("hanpan_commit_seconds", "One commit, of however many writes.", registry=self.registry, buckets=_SECONDS)

    def watch(self, count: Callable[[], Holdings]) -> None:
        """Count also what a server holds, each time someone asks."""
        self.registry.register(_Gauges(count))

    def text(self) -> bytes:
        """Everything, in Prometheus's own words."""
        return generate_latest(self.registry)


class _Gauges(Collector):
    """What a server holds, in Prometheus's own words."""

    def __init__(self, count: Callable[[], Holdings]) -> None:
        self._count = count

    def collect(self) -> Iterator[Metric]:
        """One family a kind of thing."""
        held = self._count()
        connections = GaugeMetricFamily("hanpan_connections", "Open sockets, by namespace; bots are streams of the bot API.", labels=["namespace"])
        for namespace, number in held.connections.items():
            connections.add_metric([namespace], number)
        yield connections
        yield GaugeMetricFamily("hanpan_people_online", "People in the lobby.", held.online)
        yield GaugeMetricFamily("hanpan_rooms", "Open rooms.", held.rooms)
        running = GaugeMetricFamily("hanpan_games", "Games being played, by kind.", labels=["game"])
        for name, number in sorted(held.playing.items()):
            running.add_metric([name], number)
        yield running
        yield GaugeMetricFamily("hanpan_tasks", "Things that run side by side in the server's loop; they end with what they are for.", held.tasks)
        yield GaugeMetricFamily("hanpan_bot_queue", "Computer players whose turn it is and who think or wait for a thinker.", held.bot_queue)
