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
        if settings.SEAL_KEY_FILE or settings.SEAL_CERT_FILE:
            seal_keys.seal()
    except seal_keys.SealMissing as missing:
        said.append(str(missing))
    if settings.SEAL_LIST_FILE and not revocation.current().checked:
        said.append(revocation.UNREADABLE)
    hint = "Put the files in place that SEAL_… and TSA_ROOT_FILE name; the service must read them."
    return [Error(one, hint=hint, id="console.E011") for one in said]
