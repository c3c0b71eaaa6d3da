"""Registry of pages in higher layers, so that lower layers can link to them by name."""

from django.urls import reverse

_routes: dict[str, str] = {}


def register(**routes: str) -> None:
    """Register the routes of pages by name. Called from AppConfig.ready(), nowhere else."""
    if twice := _routes.keys() & routes:
        raise ValueError(f"{twice} are registered twice.")
    _routes.update(routes)


def address(page: str, *public_ids: str) -> str:
    return reverse(_routes[page], args=public_ids)
