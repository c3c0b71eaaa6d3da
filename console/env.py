"""Typed readers of environment variables that fail loudly at start-up."""

import os
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import pq


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


def database(url: str) -> dict[str, Any]:
    """Read `postgres://user:password@host:port/name?sslmode=verify-full` and the like.

    Every option of PostgreSQL's own client may follow the question mark; `?host=/folder` names a
    socket's folder. A word that the client does not know refuses to start.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgres://")
    try:
        port = str(parts.port or "")
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL names a port that is none: {error}.") from error
    options = _database_options(parts.query)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": options.pop("dbname", unquote(parts.path.lstrip("/"))),
        "USER": options.pop("user", unquote(parts.username or "")),
        "PASSWORD": options.pop("password", unquote(parts.password or "")),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": options.pop("port", port),
        "OPTIONS": options,
    }


def _database_options(query: str) -> dict[str, str]:
    """Read what follows the question mark; what is unknown, empty or said twice is refused."""
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    options: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise ImproperlyConfigured(f"DATABASE_URL says {name}, which PostgreSQL does not know.")
        if not value or name in options:
            raise ImproperlyConfigured(f"DATABASE_URL must say {name} once, with a value.")
        options[name] = value
    return options
