"""The client's IP address, read from forwarding headers only behind a trusted proxy."""

import ipaddress
import re
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from console.core.middleware import GetResponse

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Client addresses as some proxies write them: 203.0.113.7:22272, [2001:db8::7]:443, [2001:db8::7].
_PORT = r":[0-9]{1,5}"
_WITH_PORT = re.compile(rf"([0-9.]+){_PORT}|\[([^\]]+)\](?:{_PORT})?", re.ASCII)


class TrustedProxiesMiddleware:
    """Remove forwarding headers that no trusted proxy sent, because Django would believe them."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_proxy(request.META.get("REMOTE_ADDR", "")):
            request.META.pop("HTTP_X_FORWARDED_FOR", None)
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        return self.get_response(request)


def client_ip(request: HttpRequest) -> str:
    """Return the client's address for a Django request. See `resolve`."""
    return resolve(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR"))


def network(request: HttpRequest) -> str:
    """Return the network whose attempts are counted together. See `network_of`."""
    return network_of(client_ip(request))


@lru_cache(maxsize=4096)
def network_of(ip: str) -> str:
    """Return an IPv4 address, or the first address of an IPv6 address's /64.

    One household or machine usually has a whole /64 to itself, so limits count the /64 as one
    client.
    """
    if ":" not in ip:
        return ip
    return str(ipaddress.ip_network(f"{ip}/64", strict=False).network_address)


def resolve(peer: str, forwarded: str | None) -> str:
    """Return the peer or, behind a trusted proxy, the last forwarded address that is not a proxy.

    Ports are dropped. `forwarded` is None without the header. Return "" for a malformed or empty
    list, so that its client is never taken for the proxy.
    """
    if forwarded is None or not is_proxy(peer):
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
    """Tell whether the peer is a trusted proxy (`TRUSTED_PROXIES`)."""
    return is_within(peer, tuple(settings.TRUSTED_PROXIES))


def normal(address: str) -> str:
    """Return the address in canonical form, IPv4-mapped IPv6 as IPv4; "" if it is invalid."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


@lru_cache(maxsize=4096)
def is_within(address: str, networks: tuple[str, ...]) -> bool:
    """Tell whether an address is valid and in one of these networks."""
    found = normal(address)
    return bool(found) and any(
        ipaddress.ip_address(found) in network for network in _parsed(networks)
    )


@lru_cache(maxsize=4)
def _parsed(networks: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(network) for network in networks)
