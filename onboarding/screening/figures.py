"""Figures about sanctions lists."""

from collections.abc import Iterator

from console.observability.figures import Figure, age
from onboarding.screening.models import ListVersion


def read() -> Iterator[Figure]:
    rows = ListVersion.objects.in_force().values_list("kind", "checked_at")
    ages = {(kind,): age(at) or 0.0 for kind, at in rows}
    about = "Time since the source of a list in force confirmed it."
    yield Figure("sanctions_list_age_seconds", about, ages, ("list",))
