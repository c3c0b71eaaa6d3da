"""Figures about sanctions lists."""

from collections.abc import Iterator

from console.observability.figures import Figure, age
from onboarding.screening import lists


def read() -> Iterator[Figure]:
    ages = {
        (str(one.kind),): age(one.version.checked_at if one.version else None)
        for one in lists.lists_state()
    }
    about = "Time since the source of a list confirmed it: infinite if it was never imported."
    yield Figure("sanctions_list_age_seconds", about, ages, ("list",))
