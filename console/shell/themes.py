"""The light or dark theme: the user's choice, else the system's."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

THEMES = ("light", "dark")
_A_YEAR = 365 * 24 * 3600


def chosen(request: HttpRequest) -> str:
    """Return the theme in the cookie, or ""."""
    theme = request.COOKIES.get(_name(), "")
    return theme if theme in THEMES else ""


def remember(response: HttpResponse, theme: str) -> None:
    """Save the choice in a cookie for a year."""
    response.set_cookie(
        _name(), theme, max_age=_A_YEAR, secure=settings.HTTPS, httponly=True, samesite="Lax"
    )


def _name() -> str:
    return "__Host-theme" if settings.HTTPS else "theme"
