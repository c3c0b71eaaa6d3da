"""Deployment checks (`check --deploy`): no demo data, TLS on, named hosts, a least-privilege role.

Webhooks to our own networks, or without TLS, too. It warns where no support address is set.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, register
from django.db import connections
from django.http.request import validate_host

from console import env
from console.core import blobs, database_privileges, isolation

# Tables owned by the connected role, or by a role it can become.
_OWNED = """
SELECT tablename FROM pg_tables
WHERE schemaname = 'public' AND pg_has_role(current_user, tableowner, 'MEMBER')
ORDER BY tablename
"""


@register(Tags.security, deploy=True)
def no_demo_world(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse demo mode: its passwords are fixed, and everybody can read its e-mails."""
    if not settings.DEMO:
        return []
    return [Error("The demo world is on.", hint="Take DEMO=1 away.", id="console.E001")]


@register(Tags.security, deploy=True)
def no_webhooks_within(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse webhooks to private networks: their URLs could reach internal services."""
    found: list[CheckMessage] = []
    if settings.WEBHOOK_EGRESS_ALLOW_CIDRS:
        hint = "Take WEBHOOK_EGRESS_ALLOW_CIDRS away."
        found.append(Error("Webhooks reach networks of ours.", hint=hint, id="console.E007"))
    if settings.WEBHOOK_ALLOW_HTTP:
        hint = "Take WEBHOOK_ALLOW_HTTP away."
        found.append(Error("Webhooks are sent without TLS.", hint=hint, id="console.E008"))
    return found


@register(Tags.security, deploy=True)
def no_live_calls_here(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse live keys from private networks: any local program could be made to use one."""
    if not settings.LIVE_NETWORKS_ALLOW_CIDRS:
        return []
    hint = "Take LIVE_NETWORKS_ALLOW_CIDRS away."
    return [Error("Live keys can be used within our networks.", hint=hint, id="console.E009")]


@register(Tags.security, deploy=True)
def only_https(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse to run without HTTPS, because the session cookie would be sent unencrypted."""
    if settings.HTTPS:
        return []
    return [Error("HTTPS is off.", hint="Take HTTPS=0 away.", id="console.E002")]


@register(Tags.security, deploy=True)
def named_hosts(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Refuse a wildcard host, which would let attackers forge links in e-mails or poison caches."""
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    hint = "Name the hosts that the console is reached under."
    return [Error("Every host name is answered.", hint=hint, id="console.E005")]


@register(Tags.security, deploy=True)
def checkout_host(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Require a host for payment pages that the server answers, with TLS and without the console.

    Sites may show these pages in a frame, and scripts there must not reach a session.
    """
    origin = urlsplit(settings.CHECKOUT_ORIGIN)
    host = origin.hostname or ""
    said = []
    if origin.scheme != "https":
        said.append("CHECKOUT_ORIGIN is not https.")
    if not validate_host(host, settings.ALLOWED_HOSTS):
        said.append("The host of CHECKOUT_ORIGIN is not in ALLOWED_HOSTS.")
    if host == urlsplit(settings.BASE_URL).hostname:
        said.append("CHECKOUT_ORIGIN and BASE_URL have the same host.")
    hint = "Give the payment pages a host name of their own; see docs/operations.md."
    return [Error(one, hint=hint, id="console.E013") for one in said]


@register(Tags.security, deploy=True)
def known_proxies(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Require a named proxy to end TLS and buffer slow clients, which would each occupy a thread.

    Behind an unknown proxy all clients share one address, and redirects to HTTPS loop.
    """
    if not settings.HTTPS or settings.TRUSTED_PROXIES:
        return []
    hint = "Name the network of the proxy that ends TLS and waits for slow clients."
    return [Error("TRUSTED_PROXIES is empty.", hint=hint, id="console.E006")]


@register(deploy=True)
def support_address(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Without it, pages and e-mails say “write to us” and do not say where."""
    if settings.SUPPORT_EMAIL:
        return []
    hint = "Set SUPPORT_EMAIL to the address that answers questions."
    return [Info("No support address is set.", hint=hint, id="console.I001")]


@register(Tags.security, deploy=True)
def isolated_files(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Tell whether the processes that read files of strangers can give up the network."""
    if not (said := isolation.problem()):
        return []
    hint = "Allow user namespaces; see “Isolation” in docs/operations.md."
    return [Info(said, hint=hint, id="console.I002")]


@register(Tags.security, deploy=True)
def two_roles(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Require different database roles for serving requests and for migrating.

    Only `prepare` knows the owner's URL. Elsewhere `the_site_owns_nothing` asks the database.
    """
    site = settings.DATABASES["default"]["USER"]
    hint = (
        "Name a second role in DATABASE_OWNER_URL, which `migrate` alone uses; "
        "see docs/operations.md."
    )
    if not settings.DATABASE_OWNER_URL:
        return []
    if env.database(settings.DATABASE_OWNER_URL)["USER"] == site:
        return [Error(f"The role {site} runs and migrates.", hint=hint, id="console.E003")]
    return []


@register(Tags.database, deploy=True)
def the_site_owns_nothing(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse a site role that owns tables: owners can disable the audit log's triggers.

    Runs with `--database default`.
    """
    owned = []
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute(_OWNED)
            owned += [name for (name,) in cursor.fetchall()]
    if not owned:
        return []
    return [
        Error(
            f"The role of DATABASE_URL owns {len(owned)} tables, {owned[0]} among them.",
            hint="Migrate with DATABASE_OWNER_URL, and run with a role that owns nothing.",
            id="console.E004",
        )
    ]


@register(Tags.database, deploy=True)
def the_site_creates_nothing(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse a site role that may create tables, temporary ones too: a restore allows it again.

    Runs with `--database default`.
    """
    found: set[str] = set()
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute(database_privileges.HELD)
            found.update(name for name, held in cursor.fetchall() if held)
    hint = "Run `systemctl restart access-console-prepare`, or `database_privileges` as the owner."
    return [
        Error(f"The role of DATABASE_URL may {one}.", hint=hint, id="console.E019")
        for one in sorted(found)
    ]


@register(Tags.database, deploy=True)
def documents_can_be_stored(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Store, read and delete a file. Runs with `--database default`, like other real tests."""
    try:
        if databases:
            blobs.check_writable()
    except (blobs.BlobDamaged, blobs.StoreUnavailable) as fault:
        hint = "Look at DOCUMENT_STORE, the rights on the bucket, or the space in DATA_DIR."
        return [Error(str(fault), hint=hint, id="console.E014")]
    return []
