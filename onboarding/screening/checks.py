"""System check: the sanctions lists in the settings are known, and have an address."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from onboarding.screening import sources
from onboarding.screening.models import ListKind


@register
def lists_in_the_settings_are_known(
    app_configs: Sequence[AppConfig] | None, **_: Any
) -> list[CheckMessage]:
    """Check SCREENING_LISTS, which names kinds of lists and URLs."""
    hint = f"Write kind=https://…, with one of the kinds {', '.join(ListKind.values)}."
    return [
        Error(f"SCREENING_LISTS says “{kind}={url}”.", hint=hint, id="screening.E001")
        for kind, url in settings.SCREENING_LISTS.items()
        if kind not in ListKind.values or not sources.is_url(url)
    ]
