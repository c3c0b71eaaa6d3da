"""Classes of installed packages that connect outside services, found by their entry point."""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from django.core.exceptions import ImproperlyConfigured


def names(group: str) -> list[str]:
    """Return the names that installed packages offer in a group of entry points."""
    return sorted({point.name for point in entry_points(group=group)})


@cache
def made(group: str, name: str, interface: type) -> Any:
    """Return an object of the class that a package offers under this name, or None.

    It is made once in each process. Raises ImproperlyConfigured if it does not have the interface,
    a runtime-checkable protocol, and this name.
    """
    found = entry_points(group=group, name=name)
    if not found:
        return None
    packages = ", ".join(sorted(point.dist.name if point.dist else "?" for point in found))
    if len(found) > 1:
        raise ImproperlyConfigured(f"Several packages have {name} in {group}: {packages}.")
    (point,) = found
    try:
        one = point.load()()
    except Exception as error:  # whatever a package raises while it is loaded
        said = f"{type(error).__name__}: {error}"
        raise ImproperlyConfigured(f"{name} of {packages} cannot be used. {said}") from error
    if not isinstance(one, interface) or getattr(one, "name", "") != name:
        raise ImproperlyConfigured(
            f"{point.value} of {packages} is no {interface.__name__} called {name}."
        )
    return one
