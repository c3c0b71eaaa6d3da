"""Denylist for outbound connections to user-supplied hosts: private and special-purpose networks.

`ipaddress.is_global` is not sufficient: it allows multicast and some IPv4 addresses embedded in
IPv6, and its results differ between Python versions.
"""

import ipaddress

from django.conf import settings

from console.core import addresses

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
    if not (plain := addresses.normal(address)):
        return False
    # Exceptions are for demos and tests only; `check --deploy` refuses them.
    is_excepted = addresses.is_within(plain, tuple(settings.WEBHOOK_EGRESS_ALLOW_CIDRS))
    return is_excepted or not _denied(ipaddress.ip_address(plain))


def _denied(address: IPAddress) -> bool:
    if isinstance(address, ipaddress.IPv4Address):
        return any(address in network for network in _DENIED_V4)
    return address not in _GLOBAL_V6 or any(address in network for network in _DENIED_V6)
