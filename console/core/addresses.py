"""The address a request comes from, believing only the proxies that we know."""

import ipaddress
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def client_ip(request: HttpRequest) -> str:
    """Return the client's address for a Django request. See `resolve`."""
    return resolve(
        request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def resolve(peer: str, forwarded: str) -> str:
    """Return the peer, or behind a trusted proxy the first address from the right that is none.

    A malformed list is not believed at all: the peer's own address is the answer.
    """
    proxies = _proxies(tuple(settings.TRUSTED_PROXIES))
    if not forwarded or not _within(peer, proxies):
        return normal(peer)
    for hop in reversed([part.strip() for part in forwarded.split(",")]):
        if not normal(hop):
            return normal(peer)
        if not _within(hop, proxies):
            return normal(hop)
    return normal(peer)


def normal(address: str) -> str:
    """Return the address in its one spelling, IPv4-mapped IPv6 folded; empty when it is none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


def _within(address: str, networks: tuple[Network, ...]) -> bool:
    found = normal(address)
    return bool(found) and any(ipaddress.ip_address(found) in network for network in networks)


@lru_cache(maxsize=4)
def _proxies(networks: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in networks)
