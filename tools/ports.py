"""Ports for servers that tests and benchmarks start: claimed, so that nobody else gets them before their server listens, or between two starts of it."""

import random
import socket

_PORTS = range(20_000, 32_000)  # the system gives other ports to whoever connects, here as elsewhere, so no client of anyone's sits on one of these
_claims: list[socket.socket] = []  # held until this process ends


def free_port() -> int:
    """A port of loopback that nobody listens on, claimed for as long as this process lives.

    The claim is the same number for UDP, which no server of ours uses: other processes that ask here see that it is taken, and the system forgets it with us.
    """
    chance = random.SystemRandom()
    for _ in range(20 * len(_PORTS)):
        port = chance.choice(_PORTS)
        claim = socket.socket(type=socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        return port
    raise OSError(f"no port from {_PORTS.start} to {_PORTS.stop - 1} is free")
