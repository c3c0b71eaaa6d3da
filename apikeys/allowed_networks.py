"""Networks of an allowlist: read from text, measured, and matched against an address.

A network is kept as canonical CIDR text. Matching is on the way of every API request: the texts of
a list are parsed once, and an address once.
"""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from apikeys.lifecycle import Environment
from console.core.refusals import Refused

ParsedNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

# The widest that a business allows itself; a wider one is asked for.
WIDEST = {4: 16, 6: 32}
MOST = 50
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")


class UnusableNetwork(Refused):
    """This text is no network, or none that an allowlist takes."""

    code = "unusable_network"


class AddressRange(NamedTuple):
    """A network as two numbers, with its own text."""

    version: int
    first: int
    last: int
    text: str


def parse(text: str, environment: str) -> ParsedNetwork:
    """Read a network or a single address, or say in words why it cannot stand in the list."""
    given = text.strip()
    if "%" in given:
        raise UnusableNetwork(f"Leave out the zone of {given}: everything from the % on.")
    try:
        network = ipaddress.ip_network(given, strict=False)
    except ValueError:
        raise UnusableNetwork(
            _("%(given)s is not a network. Enter one such as 203.0.113.7 or 203.0.113.0/24.")
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


def _is_public(network: ParsedNetwork) -> bool:
    return network.network_address.is_global and network.broadcast_address.is_global


def _is_excepted(network: ParsedNetwork) -> bool:
    """Demonstrations call live from this machine; `check --deploy` refuses the setting."""
    allowed = map(ipaddress.ip_network, settings.LIVE_NETWORKS_ALLOW_CIDRS)
    return any(
        one.version == network.version and network.subnet_of(one)  # type: ignore[arg-type]
        for one in allowed
    )


def is_wide(network: ParsedNetwork) -> bool:
    """Tell whether it is wider than a business may allow itself."""
    return network.prefixlen < WIDEST[network.version]


def covers(text: str) -> int:
    """Return how many addresses a kept network holds."""
    return ipaddress.ip_network(text).num_addresses


def match(address: str, networks: tuple[str, ...]) -> str | None:
    """Return the network of the list that holds the address; None when none does."""
    version, number = _number(address)
    for network in ranges(networks):
        if network.version == version and network.first <= number <= network.last:
            return network.text
    return None


def refusing(
    address: str, *, environment: str, business: tuple[str, ...], key: tuple[str, ...]
) -> str:
    """Return which list refuses an address: `business`, `key`, or `missing`; empty for none.

    Both must hold. An empty list allows every address, but live needs one list at least.
    """
    if business and match(address, business) is None:
        return "business"
    if key and match(address, key) is None:
        return "key"
    if not business and not key and environment == Environment.LIVE:
        return "missing"
    return ""


@lru_cache(maxsize=4096)
def ranges(networks: tuple[str, ...]) -> tuple[AddressRange, ...]:
    return tuple(_range(ipaddress.ip_network(text)) for text in networks)


def in_order(networks: Iterable[ParsedNetwork]) -> list[str]:
    """Return networks as kept: each once, IPv4 first, by address."""
    found = sorted(map(_range, set(networks)))
    return [network.text for network in found]


def _range(network: ParsedNetwork) -> AddressRange:
    first, last = int(network.network_address), int(network.broadcast_address)
    return AddressRange(network.version, first, last, str(network))


@lru_cache(maxsize=4096)
def _number(address: str) -> tuple[int, int]:
    """Return the address as a number; one that cannot be read is in no network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return 0, 0
    return parsed.version, int(parsed)
