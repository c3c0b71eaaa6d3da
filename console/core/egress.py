"""Denylist for outbound connections to user-supplied hosts: private and special-purpose networks.

`ipaddress.is_global` is not sufficient: it allows multicast and some IPv4 addresses embedded in
IPv6, and its results differ between Python versions.
"""

import ipaddress
from functools import lru_cache

from django.conf import settings

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_DENIED_V4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
# For IPv6, allow only global unicast, without tunnelling and documentation ranges.
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_DENIED_V6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
        "2620:4f:8000::/48",
    )
)


class DestinationRefused(Exception):
    """We do not connect to this address. Deliberately reveals nothing about what is there."""


def allows(address: str) -> bool:
    """Tell whether we may connect to an address, given as text without brackets."""
    if "%" in address:
        return False  # a zone, which selects one of our interfaces: `fe80::1%eth0`
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    return _excepted(parsed) or not _denied(parsed)


def _denied(address: IPAddress) -> bool:
    if isinstance(address, ipaddress.IPv4Address):
        return any(address in network for network in _DENIED_V4)
    return address not in _GLOBAL_V6 or any(address in network for network in _DENIED_V6)


def _excepted(address: IPAddress) -> bool:
    """Tell whether settings allow it (demos and tests only; `check --deploy` refuses that)."""
    return any(
        address in network for network in _networks(tuple(settings.WEBHOOK_EGRESS_ALLOW_CIDRS))
    )


@lru_cache(maxsize=8)
def _networks(
    words: tuple[str, ...],
) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    return tuple(ipaddress.ip_network(word) for word in words)
