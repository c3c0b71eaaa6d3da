"""App config, console modules, event subscriptions."""

from django.apps import AppConfig


class OnboardingConfig(AppConfig):
    """Wires this package to the building."""

    name = "onboarding"
