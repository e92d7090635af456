"""Where this machine is found by others in its network."""

from __future__ import annotations

import socket
from contextlib import suppress
from ipaddress import ip_address

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
