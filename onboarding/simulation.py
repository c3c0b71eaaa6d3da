"""Whether simulated results of checks count: in the demo world alone."""

from django.conf import settings

SIMULATED = "simulated"


def is_allowed() -> bool:
    """Tell whether simulated providers run, and what they said counts."""
    return bool(settings.DEMO) and settings.CHECK_PROVIDERS == SIMULATED
