"""Deployment checks (`check --deploy`): TLS to other hosts, a large pool, no misspelt setting."""

import ipaddress
import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from console import env

# Other services are asked at addresses that must begin with https://.
_ADDRESSES = ("OIDC_ISSUER", "SCREENING_URL", "COMPANIES_HOUSE_URL", "GLEIF_URL", "VIES_URL")
# Of OpenSSL, and nearly a setting of ours.
_OF_OTHERS = {"SSL_CERT_FILE"}
_SAFE_MODES = ("require", "verify-ca", "verify-full")


@register(Tags.security, deploy=True)
def tls_to_other_hosts(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Require TLS for links in e-mails, and on the way to services on other hosts."""
    hint = (
        "Use TLS; see docs/settings.md. Services on this host, and containers beside it, are free."
    )
    return [Error(one, hint=hint, id="console.E020") for one in _without_tls()]


def _without_tls() -> Iterator[str]:
    if urlsplit(settings.BASE_URL).scheme != "https":
        yield "BASE_URL is not https."
    if _is_elsewhere(settings.EMAIL_HOST) and not settings.EMAIL_USE_TLS:
        yield "E-mails are sent without TLS: set EMAIL_USE_TLS=1."
    broker = urlsplit(settings.BROKER_URL)
    is_checked = parse_qs(broker.query).get("ssl_cert_reqs", [""])[0].lower().endswith("required")
    if _is_elsewhere(broker.hostname) and not (broker.scheme == "rediss" and is_checked):
        yield "BROKER_URL is not rediss:// with ssl_cert_reqs=required."
    database = settings.DATABASES["default"]
    if _is_elsewhere(database["HOST"]) and database["OPTIONS"].get("sslmode") not in _SAFE_MODES:
        yield "DATABASE_URL has no sslmode=verify-full."
    store = settings.STORAGES["documents"].get("OPTIONS", {}).get("endpoint_url")
    addresses = {name: getattr(settings, name) for name in _ADDRESSES} | {"DOCUMENT_STORE": store}
    addresses |= {f"SCREENING_LISTS: {kind}": url for kind, url in settings.SCREENING_LISTS.items()}
    for name, address in addresses.items():
        parts = urlsplit(address or "")
        if parts.scheme == "http" and _is_elsewhere(parts.hostname):
            yield f"{name} is not https."


def _is_elsewhere(host: str | None) -> bool:
    """Tell whether a host is neither this one nor a container beside it: a name without a dot."""
    if not host or host.startswith("/") or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return "." in host


@register(Tags.security, deploy=True)
def known_names(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse variables that are almost a setting: a misspelt one has no effect."""
    known = {*env.names, *map(env.file_of, env.names), *_OF_OTHERS}
    found = {
        name: get_close_matches(name, env.names, 1, 0.85)
        for name in sorted(os.environ.keys() - known)
    }
    return [
        Error(f"There is no setting {name}.", hint=f"Did you mean {like[0]}?", id="console.E021")
        for name, like in found.items()
        if like
    ]


@register(Tags.security, deploy=True)
def large_pool(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse a pool that is smaller than what a web process needs, which uses more anyway."""
    needed = settings.WEB_THREADS + 1
    if not 0 < settings.DB_POOL < needed:
        return []
    said = f"DB_POOL is {settings.DB_POOL}, and a web process needs {needed} connections."
    hint = "Set DB_POOL to 0 or to at least one more than WEB_THREADS."
    return [Error(said, hint=hint, id="console.E022")]
