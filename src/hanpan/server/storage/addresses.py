"""Addresses and ranges of them: reading what an operator writes, what lies in what, and how they are made shorter."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network

from hanpan.core.unfit import Unfit

_WIDEST = {4: 16, 6: 32}  # more than that is no neighbourhood any more
_SHORT = {4: 24, 6: 48}
Network = IPv4Network | IPv6Network


def network(text: str) -> Network | None:
    """An address, or a range of them; None if it is neither."""
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        return None


def barred(text: str) -> str:
    """A range that may be barred, as it is kept: of IPv6 at least the network that one line is given. ValueError says what is wrong with it.

    >>> barred("203.0.113.7"), barred("203.0.113.7/24"), barred("2001:db8:1:2:3:4:5:6")
    ('203.0.113.7/32', '203.0.113.0/24', '2001:db8:1:2::/64')
    """
    found = network(text)
    if found is None:
        raise Unfit("address")
    if found.is_loopback or found.is_unspecified:
        raise Unfit("address-here")
    if found.prefixlen < _WIDEST[found.version]:
        raise Unfit("address-wide", most=_WIDEST[found.version])
    return str(found.supernet(new_prefix=64) if found.version == 6 and found.prefixlen > 64 else found)


def inside(address: str, range: str) -> bool:
    """Whether an address (or the network that stands for one) lies in a range.

    >>> inside("203.0.113.7", "203.0.113.0/24"), inside("2001:db8:1:2::/64", "2001:db8:1::/48"), inside("", "0.0.0.0/0")
    (True, True, False)
    """
    one, whole = network(address), network(range)
    if isinstance(one, IPv4Network) and isinstance(whole, IPv4Network):
        return one.subnet_of(whole)
    return isinstance(one, IPv6Network) and isinstance(whole, IPv6Network) and one.subnet_of(whole)


def shortened(address: str) -> str:
    """What stays of an address after a while: not who, but roughly where.

    >>> shortened("203.0.113.7"), shortened("2001:db8:1:2::/64"), shortened("203.0.0.0/16"), shortened("")
    ('203.0.113.0/24', '2001:db8:1::/48', '203.0.0.0/16', '')
    """
    found = network(address)
    if found is None or found.prefixlen <= _SHORT[found.version]:
        return address
    return str(found.supernet(new_prefix=_SHORT[found.version]))
