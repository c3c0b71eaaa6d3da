"""Figures about checks of applications, by provider."""

from collections import Counter
from collections.abc import Iterator

from console.observability.figures import MOST, Figure
from onboarding.models import Check
from onboarding.models.provider_outage import ProviderOutage


def read() -> Iterator[Figure]:
    newest = Check.objects.order_by("-pk").values_list("provider", "status")[:MOST]
    counts = Counter((provider or "none", status) for provider, status in newest)
    about = f"The newest {MOST} checks by provider and status."
    yield Figure("checks", about, counts, ("provider", "status"))
    rows = ProviderOutage.objects.values_list("provider", "failures")
    failures = {(provider,): float(number) for provider, number in rows}
    about = "How often a provider failed since its last answer."
    yield Figure("check_provider_failures", about, failures, ("provider",))
