"""Where this machine is found by others in its network."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address

from hanpan.server.settings import Settings

_ANYWHERE = ("198.51.100.1", 9)  # an address of nobody's; nothing is sent to it


def own_address() -> str | None:
    """The address by which this machine reaches others, and they it; None if it is in no network.

    >>> own_address() == "127.0.0.1"
    False
    """
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ANYWHERE)  # only asks this machine by which way it would send
        found = str(probe.getsockname()[0])
        return None if ip_address(found).is_loopback else found
    return None


def others_open(settings: Settings) -> str | None:
    """What others in this network open to come to a server; None where they can't, or nobody knows."""
    address = own_address() if settings.everywhere else None
    return None if address is None else f"http://{address}:{settings.port}"


def linked(settings: Settings) -> str:
    """Where links in mails lead: the public address, or what others in this network open, or where the server is found on its own machine."""
    return settings.url or others_open(settings) or settings.own
