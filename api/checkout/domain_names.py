"""Validate and normalise the domain of a site that shows payments."""

import re
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host
from publicsuffixlist import PublicSuffixList

from apikeys.webhooks import addresses
from console.core.refusals import Refused

# The longest domain: twenty of them fit into a header of 4 kB.
LONGEST = 190
_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
#: Letters, digits, hyphens and dots, so that a domain can change nothing else in a header.
A_LABELS = rf"^({_LABEL}\.)+{_LABEL}$"
_SHAPE = "Enter a domain alone, such as shop.example.com, without https://, a path, a port or *."


class DomainRefused(Refused):
    """A business cannot verify this domain. The message says why."""

    code = "domain_refused"
    field = "domain"


def read(given: str) -> str:
    """Return the domain in lower case and as A-labels.

    Refuses IP addresses, public suffixes such as `co.uk`, names that do not exist on the public
    internet, and our own hosts.
    """
    try:
        name = addresses.host_name(given.strip())
    except addresses.AddressRefused as refused:
        # What is no host name at all, or a reason of its own.
        is_name = not re.search(r"[^\w.-]", given.strip())
        raise DomainRefused(str(refused) if is_name else _SHAPE) from None
    # The last label of an IPv4 address, in any notation, starts with a digit; no TLD does.
    if not re.fullmatch(A_LABELS, name) or name.rpartition(".")[2][0].isdigit():
        raise DomainRefused(_SHAPE)
    if len(name) > LONGEST:
        raise DomainRefused(f"Enter a domain of at most {LONGEST} characters.")
    if addresses.is_private(name):
        raise DomainRefused("This domain does not exist on the public internet.")
    if _icann().privatesuffix(name) is None:
        raise DomainRefused("Anyone can register a domain under this one. Enter your own domain.")
    ours = {urlsplit(one).hostname for one in (settings.BASE_URL, settings.CHECKOUT_ORIGIN)}
    if name in ours or validate_host(name, settings.ALLOWED_HOSTS):
        raise DomainRefused("This is one of our own domains. Enter one of yours.")
    return name


def takes_dns(name: str) -> bool:
    """Tell whether a DNS record proves control. On shared hosting, such as github.io, none does."""
    return _icann().publicsuffix(name) == _whole().publicsuffix(name)


@lru_cache(maxsize=1)
def _icann() -> PublicSuffixList:
    return PublicSuffixList(only_icann=True)


@lru_cache(maxsize=1)
def _whole() -> PublicSuffixList:
    return PublicSuffixList()
