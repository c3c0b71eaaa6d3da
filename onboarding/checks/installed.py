"""Check providers of installed packages, by the entry point `access_console.check_providers`."""

from functools import cache
from importlib.metadata import entry_points

from django.core.exceptions import ImproperlyConfigured

from onboarding.checks.providers import CheckProvider

GROUP = "access_console.check_providers"


def names() -> list[str]:
    """Return the names of the providers that installed packages offer."""
    return sorted({point.name for point in entry_points(group=GROUP)})


@cache
def provider(name: str) -> CheckProvider | None:
    """Return the installed provider of that name, or None. It is made once in each process.

    Raises ImproperlyConfigured if it cannot be used.
    """
    found = entry_points(group=GROUP, name=name)
    if not found:
        return None
    packages = ", ".join(sorted(point.dist.name if point.dist else "?" for point in found))
    if len(found) > 1:
        raise ImproperlyConfigured(f"Several packages have the check provider {name}: {packages}.")
    (point,) = found
    try:
        made = point.load()()
    except Exception as error:  # whatever a package raises while it is loaded
        said = f"{type(error).__name__}: {error}"
        raise ImproperlyConfigured(f"The check provider {name} of {packages}: {said}.") from error
    if not isinstance(made, CheckProvider) or made.name != name:
        raise ImproperlyConfigured(
            f"{point.value} of {packages} is not a check provider called {name}."
        )
    return made
