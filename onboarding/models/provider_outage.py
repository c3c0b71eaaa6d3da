"""ProviderOutage: a check provider that has failed since its last answer."""

from django.db import models


class ProviderOutage(models.Model):
    """How often a provider failed in a row, and until when we do not ask it."""

    provider = models.CharField(max_length=60, unique=True)
    failures = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.provider}: {self.failures} failures"
