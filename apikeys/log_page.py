"""Where our staff see the calls of a business: the layer above that has the page names it."""

from django.urls import reverse

_routes: list[str] = []


def register(route: str) -> None:
    """Name the route of the request log, which takes the public id of a business."""
    if _routes:
        raise ValueError("The page of the request log is registered twice.")
    _routes.append(route)


def address(business_id: str) -> str:
    return reverse(_routes[0], args=[business_id])
