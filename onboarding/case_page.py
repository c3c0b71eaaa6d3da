"""Where our reviewers see an application: the layer above that has the page names its route."""

from django.urls import reverse

_routes: list[str] = []


def register(route: str) -> None:
    """Name the route of the case page, which takes the public id of an application."""
    if _routes:
        raise ValueError("The case page is registered twice.")
    _routes.append(route)


def address(application_id: str) -> str:
    return reverse(_routes[0], args=[application_id])
