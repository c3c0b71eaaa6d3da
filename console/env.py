"""Typed readers of environment variables that fail loudly at start-up."""

import os
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str | None = None) -> str:
    """Return the variable, or refuse to start when it is absent and has no default."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"Set {name}. See README.md, “Settings”.")
    return value


def flag(name: str, *, default: bool) -> bool:
    """Return True for `1`, False for `0`; anything else refuses to start."""
    value = os.environ.get(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is {value!r}; say 1 or 0.")
    return value == "1"


def number(name: str, default: int) -> int:
    value = os.environ.get(name, str(default))
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name} is {value!r}; say a whole number.")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    """Return a comma-separated list without its empty parts."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def database(url: str) -> dict[str, object]:
    """Read `postgres://user:password@host:port/name`; `?host=/folder` names a socket's folder."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgres://")
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.get("host", unquote(parts.hostname or "")),
        "PORT": query.get("port", str(parts.port or "")),
    }
