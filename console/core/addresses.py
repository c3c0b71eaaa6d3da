"""The address a request comes from, believing only the proxies that we know."""

import ipaddress
import re
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from console.core.middleware import GetResponse

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# How some proxies write a client: 203.0.113.7:22272, [2001:db8::7]:443 or [2001:db8::7].
_PORT = r":[0-9]{1,5}"
_WITH_PORT = re.compile(rf"([0-9.]+){_PORT}|\[([^\]]+)\](?:{_PORT})?", re.ASCII)


class TrustedProxiesMiddleware:
    """Drops what anybody but a proxy of ours says about the client: Django would believe it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_proxy(request.META.get("REMOTE_ADDR", "")):
            request.META.pop("HTTP_X_FORWARDED_FOR", None)
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        return self.get_response(request)


def client_ip(request: HttpRequest) -> str:
    """Return the client's address for a Django request. See `resolve`."""
    return resolve(
        request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def network(request: HttpRequest) -> str:
    """Return whom tries are counted for. See `network_of`."""
    return network_of(client_ip(request))


@lru_cache(maxsize=4096)
def network_of(ip: str) -> str:
    """Return the address, or the first one of its IPv6 /64.

    One household or machine has a /64 to itself, and with it more addresses than can be counted.
    """
    if ":" not in ip:
        return ip
    return str(ipaddress.ip_network(f"{ip}/64", strict=False).network_address)


def resolve(peer: str, forwarded: str) -> str:
    """Return the peer, or behind a trusted proxy the first address from the right that is none.

    A port behind an address is dropped. A malformed list yields no address, so that its client is
    never taken for the proxy.
    """
    if not forwarded or not is_proxy(peer):
        return normal(peer)
    for part in reversed(forwarded.split(",")):
        hop = _without_port(part.strip())
        if not normal(hop):
            return ""
        if not is_proxy(hop):
            return normal(hop)
    return normal(peer)


def _without_port(hop: str) -> str:
    """Return the address in `192.0.2.1:80`, `[2001:db8::1]:443` or `[2001:db8::1]`."""
    found = _WITH_PORT.fullmatch(hop)
    return (found[1] or found[2]) if found else hop


def is_proxy(peer: str) -> bool:
    """Tell whether this is one of the proxies that we believe."""
    return _is_within(peer, tuple(settings.TRUSTED_PROXIES))


def normal(address: str) -> str:
    """Return the address in its one spelling, IPv4-mapped IPv6 folded; empty when it is none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


@lru_cache(maxsize=4096)
def _is_within(address: str, networks: tuple[str, ...]) -> bool:
    found = normal(address)
    return bool(found) and any(
        ipaddress.ip_address(found) in network for network in _proxies(networks)
    )


@lru_cache(maxsize=4)
def _proxies(networks: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in networks)
