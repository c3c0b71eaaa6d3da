"""IP allowlists: parse networks from text, and match an address against them.

Networks are stored as canonical CIDR text. Every API request is matched against a list, so parsed
lists and addresses are cached.
"""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from django.utils.translation import gettext as _

from apikeys.lifecycle import Environment
from console.core.refusals import Refused

ParsedNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

# Prefix lengths of the widest network a business may add itself; a wider one needs a request.
WIDEST = {4: 16, 6: 32}
MOST = 50
# Ranges of IPv6 that contain IPv4 addresses, and where in the 128 bits those are. Translators and
# tunnels write them: a call reaches us from the IPv4 address.
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
_LAST = 0
_CONTAINING_IPV4 = {
    ipaddress.IPv6Network(network): place
    for network, place in {
        "::/96": _LAST,  # IPv4-compatible
        "::ffff:0:0:0/96": _LAST,  # stateless translation
        "64:ff9b::/96": _LAST,  # NAT64
        "64:ff9b:1::/48": None,  # NAT64 of one network
        "2002::/16": 80,  # 6to4
        "2001::/32": None,  # Teredo
    }.items()
}


class UnusableNetwork(Refused):
    """The text is not a network, or an allowlist cannot contain it."""

    code = "unusable_network"


def parse(text: str, environment: str) -> ParsedNetwork:
    """Return the network or single address in `text`, or raise UnusableNetwork with the reason."""
    given = text.strip()
    if "%" in given:
        raise UnusableNetwork(f"Leave out the zone of {given}: everything from the % on.")
    try:
        network = ipaddress.ip_network(given, strict=False)
    except ValueError:
        raise UnusableNetwork(
            _("%(given)s is not a network. Enter one in the form 203.0.113.7 or 203.0.113.0/24.")
            % {"given": given}
        ) from None
    _check_text(given, network)
    if network.prefixlen == 0:
        raise UnusableNetwork(
            _("%(network)s covers every address. Enter only your own networks.")
            % {"network": network}
        )
    if network.is_multicast or network.is_unspecified:
        raise UnusableNetwork(_("Calls cannot come from %(network)s.") % {"network": network})
    if isinstance(network, ipaddress.IPv6Network) and not network.is_loopback:
        _refuse_translated(network)
    if environment == Environment.LIVE and not (_is_public(network) or _is_excepted(network)):
        raise UnusableNetwork(
            _("%(network)s is not a public network. You can use it only in the sandbox.")
            % {"network": network}
        )
    return network


def _check_text(given: str, network: ParsedNetwork) -> None:
    if isinstance(network, ipaddress.IPv6Network) and network.subnet_of(_MAPPED):
        raise UnusableNetwork(_("Enter %(given)s as an IPv4 address.") % {"given": given})
    if ipaddress.ip_address(given.partition("/")[0]) != network.network_address:
        raise UnusableNetwork(
            _("%(given)s is not the start of a network. Did you mean %(network)s?")
            % {"given": given, "network": network}
        )


def _refuse_translated(network: ipaddress.IPv6Network) -> None:
    """Refuse networks that contain addresses of IPv4, and name those where they can be read."""
    ranges = [one for one in _CONTAINING_IPV4 if network.overlaps(one)]
    if not ranges:
        return
    place = _CONTAINING_IPV4[ranges[0]]
    bits = 0 if place is None else min(network.prefixlen + place - 96, 32)
    if place is None or bits <= 0:
        raise UnusableNetwork(
            _(
                "%(network)s contains IPv4 addresses as a translator or tunnel writes them. Calls "
                "reach us from the IPv4 address itself. Enter that."
            )
            % {"network": network}
        )
    address = int(network.network_address) >> place & 0xFFFFFFFF
    inside = str(ipaddress.ip_network((address, bits), strict=False)).removesuffix("/32")
    raise UnusableNetwork(
        _(
            "%(network)s is an IPv4 address as a translator or tunnel writes it. Calls reach us "
            "from the IPv4 address itself. Enter %(inside)s."
        )
        % {"network": network, "inside": inside}
    )


def _is_public(network: ParsedNetwork) -> bool:
    return network.network_address.is_global and network.broadcast_address.is_global


def _is_excepted(network: ParsedNetwork) -> bool:
    """Tell whether a demonstration may call live from it; `check --deploy` refuses the setting."""
    allowed = map(ipaddress.ip_network, settings.LIVE_NETWORKS_ALLOW_CIDRS)
    return any(
        one.version == network.version and network.subnet_of(one)  # type: ignore[arg-type]
        for one in allowed
    )


def is_wide(network: ParsedNetwork) -> bool:
    """Tell whether the network is wider than a business may add itself."""
    return network.prefixlen < WIDEST[network.version]


def covers(text: str) -> int:
    """Return the number of addresses in a stored network."""
    return ipaddress.ip_network(text).num_addresses


def match(address: str, networks: tuple[str, ...]) -> str | None:
    """Return the network of the list that contains the address, or None."""
    if (found := _address(address)) is None:
        return None
    return next((str(network) for network in _parsed(networks) if found in network), None)


def refusing(
    address: str, *, environment: str, business: tuple[str, ...], key: tuple[str, ...]
) -> str:
    """Return which list refuses the address: `business`, `key`, `missing`, or "" for none.

    The address must match both lists. An empty list allows every address, except in live if both
    lists are empty.
    """
    if business and match(address, business) is None:
        return "business"
    if key and match(address, key) is None:
        return "key"
    if not business and not key and environment == Environment.LIVE:
        return "missing"
    return ""


def in_order(networks: Iterable[ParsedNetwork]) -> list[str]:
    """Return the networks as stored: unique, IPv4 first, sorted by address."""
    return [str(network) for network in sorted(set(networks), key=_place)]


def _place(network: ParsedNetwork) -> tuple[int, int, int]:
    return network.version, int(network.network_address), int(network.broadcast_address)


@lru_cache(maxsize=4096)
def _parsed(networks: tuple[str, ...]) -> tuple[ParsedNetwork, ...]:
    return tuple(map(ipaddress.ip_network, networks))


@lru_cache(maxsize=4096)
def _address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None
