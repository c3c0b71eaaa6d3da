"""Pages of the layers above: linked to from below by a name of their own."""

from django.urls import reverse

_routes: dict[str, str] = {}


def register(**routes: str) -> None:
    """Say which routes the pages have. Called from AppConfig.ready(), nowhere else."""
    if twice := _routes.keys() & routes:
        raise ValueError(f"{twice} are registered twice.")
    _routes.update(routes)


def address(page: str, *public_ids: str) -> str:
    return reverse(_routes[page], args=public_ids)
