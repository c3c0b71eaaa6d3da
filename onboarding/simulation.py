"""Whether simulated results of checks count: in the demo world alone."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

SIMULATED = "simulated"


def is_allowed() -> bool:
    """Tell whether simulated providers run, and what they said counts."""
    return bool(settings.DEMO) and settings.CHECK_PROVIDERS == SIMULATED


@register(Tags.security)
def only_in_the_demo_world(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """Simulated providers pass whoever applies. Every part asks this before it starts."""
    if not settings.CHECK_PROVIDERS or is_allowed():
        return []
    said = f"CHECK_PROVIDERS is {settings.CHECK_PROVIDERS!r}, which no installation can use."
    hint = "Leave it empty: a reviewer then decides each check. “simulated” is for DEMO=1 alone."
    return [Error(said, hint=hint, id="onboarding.E001")]
