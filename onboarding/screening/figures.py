"""Figures about sanctions lists."""

import math
from collections.abc import Iterator

from console.observability.figures import Figure, age
from onboarding.screening import lists


def read() -> Iterator[Figure]:
    ages = {
        (str(one.kind),): (age(one.version.checked_at) or 0.0) if one.version else math.inf
        for one in lists.lists_state()
    }
    about = "Time since the source of a list confirmed it: infinite if it was never imported."
    yield Figure("sanctions_list_age_seconds", about, ages, ("list",))
