"""Read TXT records of user-supplied names: one name server, bounded time."""

import dns.exception
import dns.name
import dns.resolver
from django.conf import settings


def txt(name: str, seconds: float) -> list[str]:
    """Return the TXT records of a name, or none if there is no answer in time."""
    try:
        records = _resolver().resolve(dns.name.from_text(name), "TXT", lifetime=seconds)
    except (dns.exception.DNSException, OSError):
        return []
    return [b"".join(record.strings).decode(errors="replace") for record in records]


def _resolver() -> dns.resolver.Resolver:
    if not settings.DNS_SERVER:
        return dns.resolver.Resolver()
    resolver = dns.resolver.Resolver(configure=False)
    host, _, port = settings.DNS_SERVER.rpartition(":")
    resolver.nameservers, resolver.port = [host], int(port)
    return resolver
