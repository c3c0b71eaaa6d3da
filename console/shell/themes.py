"""Light or dark, as chosen; without a choice, as the system says."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

THEMES = ("light", "dark")
_A_YEAR = 365 * 24 * 3600


def chosen(request: HttpRequest) -> str:
    """Return the theme in the cookie, or nothing."""
    theme = request.COOKIES.get(_name(), "")
    return theme if theme in THEMES else ""


def remember(response: HttpResponse, theme: str) -> None:
    """Keep the choice in the browser for a year."""
    response.set_cookie(
        _name(), theme, max_age=_A_YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax"
    )


def _name() -> str:
    return "__Host-theme" if settings.HTTPS else "theme"
