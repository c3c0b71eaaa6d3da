"""Validate and normalise the URL of a webhook endpoint."""

import ipaddress
import re
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from django.conf import settings

from console.core import egress, outbound
from console.core.links import PLACEHOLDER
from console.core.refusals import Refused

PORTS = frozenset({443, 8443, 8080, 8000, 8008})
LONGEST = 2048
FORBIDDEN = "We do not deliver to this address."
# Timeout of the name lookup, in seconds, since a page waits for it.
_LOOKUP_SECONDS = 2.0
# Domain suffixes that do not exist on the public internet (RFC 6761, 7686, 8375, 9476; ICANN's
# `internal`).
_PRIVATE = frozenset(
    {"alt", "home.arpa", "internal", "invalid", "local", "localdomain", "localhost", "onion"}
)
# Characters that IDNA 2003 and IDNA 2008 encode differently, so they lead to different hosts.
_AMBIGUOUS = re.compile("[\\u00df\\u03c2\\u200c\\u200d]")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9.:\-\[\]]", re.ASCII)
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
# Characters of paths and queries that stay. Others are percent-encoded, so the address is a URI.
_KEPT = "!$%&'()*+,/:;=?@~"
_LONE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_PLAIN = re.compile(r"[\x21-\x7e\u00a1-\U0010ffff]+")


class AddressRefused(Refused):
    """An endpoint cannot have this URL. The message says what is wrong with it."""

    code = "address_refused"
    field = "url"


def read(given: str) -> str:
    """Return the URL as stored: the host in lower case and as A-labels, the rest percent-encoded.

    The URL must be https, with a name that contains a dot or a public address, an allowed port, no
    user and no fragment. Does not look up the name.
    """
    parts, port = _split(given)
    scheme = parts.scheme.lower()
    if scheme != "https" and not (scheme == "http" and settings.WEBHOOK_ALLOW_HTTP):
        raise AddressRefused("The address must begin with https://.")
    if "@" in parts.netloc:
        raise AddressRefused("Remove the user name and password from the address.")
    if "#" in given:
        raise AddressRefused("Remove the part from # onwards. Clients never send it to servers.")
    host = _literal(parts.hostname or "") if "[" in parts.netloc else _host(parts.hostname or "")
    if port is not None and port not in PORTS and not settings.WEBHOOK_ALLOW_HTTP:
        known = ", ".join(str(one) for one in sorted(PORTS))
        raise AddressRefused(f"Use one of the ports {known}.")
    _refuse_ours(host)
    netloc = f"[{host}]" if ":" in host else host
    if port is not None:
        netloc += f":{port}"
    path, query = (quote(part, safe=_KEPT) for part in (parts.path or "/", parts.query))
    url = urlunsplit((scheme, netloc, path, query, ""))
    if len(url) > LONGEST:
        raise AddressRefused(f"Enter an address of at most {LONGEST:,} characters.")
    return url


def _split(given: str) -> tuple[SplitResult, int | None]:
    if not _PLAIN.fullmatch(given) or "\\" in given:
        raise AddressRefused("Remove spaces, line breaks and backslashes.")
    if found := PLACEHOLDER.search(given):
        raise AddressRefused(
            f"We do not fill in placeholders such as {found[0]}. Enter the address as it is: each "
            "event names its objects."
        )
    if _LONE_PERCENT.search(given):
        raise AddressRefused("Write a percent sign as %25.")
    try:
        parts = urlsplit(given)
        return parts, parts.port
    except ValueError:
        raise AddressRefused("This is not a web address.") from None


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def refuse_forbidden(url: str) -> None:
    """Refuse a stored URL whose host resolves to an address that we do not connect to.

    Uses the network, so call it before a transaction. A name that does not resolve is accepted,
    because every connection checks the address again.
    """
    try:
        found = outbound.find(host_of(url), _LOOKUP_SECONDS)
    except OSError:
        return
    if not all(egress.allows(address) for address in found):
        raise AddressRefused(FORBIDDEN)


def host_name(name: str) -> str:
    """Return a host name in lower case and as A-labels, or refuse it."""
    if found := _AMBIGUOUS.search(name):
        letter = found[0] if found[0].isprintable() else "invisible joiner"
        raise AddressRefused(
            f"The letter “{letter}” in a host name can mean two hosts. Write the host in its "
            "ASCII form, which begins with xn--."
        )
    try:
        ascii_name = name.encode("idna").decode().lower() if not name.isascii() else name.lower()
    except UnicodeError:
        raise AddressRefused("This host name does not exist on the internet.") from None
    # A dot at the end is part of a full name, and names the same host.
    ascii_name = ascii_name.removesuffix(".")
    if sign := _NOT_IN_NAMES.search(ascii_name):
        raise AddressRefused(f"A host name cannot contain “{sign[0]}”. Enter another name of it.")
    labels = ascii_name.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels) or len(ascii_name) > 253:
        raise AddressRefused("This host name does not exist on the internet.")
    return ascii_name


def is_private(name: str) -> bool:
    """Tell whether a name, as A-labels, cannot exist on the public internet."""
    labels = name.split(".")
    return bool({labels[-1], ".".join(labels[-2:])} & _PRIVATE)


def _host(name: str) -> str:
    """Return the host as A-labels or a plain address; refuse every other notation."""
    ascii_name = host_name(name)
    # A last label that is numeric or hexadecimal is a disguised address: `127.1`, `0x7f.1`.
    if re.fullmatch(r"\d+|0x[0-9a-f]*", ascii_name.rpartition(".")[2]):
        return _literal(ascii_name)
    if "." not in ascii_name and not settings.WEBHOOK_ALLOW_HTTP:
        raise AddressRefused("Enter a host name with a dot, such as hooks.example.com.")
    if is_private(ascii_name) and not settings.WEBHOOK_ALLOW_HTTP:
        raise AddressRefused(FORBIDDEN)
    return ascii_name


def _literal(name: str) -> str:
    try:
        address = str(ipaddress.ip_address(name))
    except ValueError:
        raise AddressRefused("This host name does not exist on the internet.") from None
    if not egress.allows(address):
        raise AddressRefused(FORBIDDEN)
    return address


def _refuse_ours(host: str) -> None:
    """Refuse our own hosts: an event delivered to ourselves would come back as an API call."""
    ours = {urlsplit(settings.BASE_URL).hostname, *settings.ALLOWED_HOSTS}
    if host in ours and not settings.WEBHOOK_ALLOW_HTTP:
        raise AddressRefused("This is one of our own addresses. Enter one of yours.")
