"""App config of sanctions screening."""

from django.apps import AppConfig


class ScreeningConfig(AppConfig):
    """Sanctions lists, and screening against them."""

    name = "onboarding.screening"
    label = "screening"
