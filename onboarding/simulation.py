"""Whether simulated check results are accepted: only in demo mode."""

from django.conf import settings


def is_allowed() -> bool:
    """Tell whether simulated providers run and their results are accepted."""
    return bool(settings.DEMO)
