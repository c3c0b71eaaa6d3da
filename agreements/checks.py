"""Deployment checks: the seal, the withdrawal list and the roots named in settings are readable."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from agreements.pki import revocation, seal_keys
from agreements.verification.trust import trust


@register(Tags.security, deploy=True)
def files_of_settings_are_readable(
    app_configs: Sequence[AppConfig] | None, **_: Any
) -> list[CheckMessage]:
    """Check that the seal configuration works before any pack needs it."""
    said = []
    try:
        trust()
        if seal_keys.is_named():
            seal_keys.seal()
    except (OSError, seal_keys.SealMissing) as fault:
        said.append(str(fault))
    if settings.SEAL_LIST_FILE and not revocation.current().checked:
        said.append(revocation.UNREADABLE)
    hint = "Put the files in place that SEAL_… and TSA_ROOT_FILE name; the service must read them."
    return [Error(one, hint=hint, id="console.E011") for one in said]


@register(Tags.database, deploy=True)
def hosts_share_a_seal(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse seals and lists that a host makes for itself: others would not know them.

    Runs with `--database default`.
    """
    said = []
    if settings.SELF_MADE_SEAL:
        said.append("This machine may make its own seal. Take SELF_MADE_SEAL=1 away.")
    if databases and not seal_keys.is_named():
        said.append(seal_keys.NONE)
    if databases and not settings.SEAL_LIST_FILE:
        said.append("The settings name no list of withdrawn seals. Set SEAL_LIST_FILE.")
    hint = "`access-console make_seal` makes the files; every host needs the same ones."
    return [Error(one, hint=hint, id="console.E015") for one in said]
