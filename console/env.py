"""Typed readers for environment variables, which refuse to start with invalid values."""

import base64
import ipaddress
import logging
import os
import re
import secrets
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from django.core.exceptions import ImproperlyConfigured
from psycopg import pq

KEY_BYTES = 32
# The least contrast of words (WCAG 2.2, 1.4.3).
_READABLE = 4.5
# How the name of every simulated provider of checks begins.
SIMULATED = "simulated"
# Every variable that was read.
names: set[str] = set()


def file_of(name: str) -> str:
    """Return the variable that names a file with the value of this one."""
    return f"{name}_FILE"


def text(name: str, default: str | None = None) -> str:
    """Return the variable or what its file contains, or its default if both are blank.

    Refuse to start without any.
    """
    names.add(name)
    value, path = os.environ.get(name, ""), os.environ.get(file_of(name), "")
    if path.strip() and value.strip():
        raise ImproperlyConfigured(f"Set {name} or {file_of(name)}, not both.")
    if path.strip():
        value = file(file_of(name), path).read_text("utf-8").rstrip("\r\n")
    if value.strip():
        return value
    if default is None:
        raise ImproperlyConfigured(f"Set {name}. See docs/settings.md.")
    return default


def file(name: str, path: str) -> Path:
    """Return a file that this variable names, or refuse to start if it cannot be read."""
    try:
        Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise ImproperlyConfigured(f"{name} names {path}, which cannot be read: {why}.") from error
    return Path(path)


def providers(name: str, *, simulated: bool) -> dict[str, str]:
    """Parse `kind=provider,kind=provider`. Refuse simulated providers unless they are allowed."""
    pairs = [word.partition("=") for word in words(name)]
    found = {kind.strip(): provider.strip() for kind, _, provider in pairs}
    if len(found) != len(pairs) or not all(found) or not all(found.values()):
        raise ImproperlyConfigured(f"{name} must list each kind once, as in registry=registers.")
    for provider in found.values():
        if provider.startswith(SIMULATED) and not simulated:
            raise ImproperlyConfigured(f"{name} names {provider}, which exists with DEMO=1 only.")
    return found


def flag(name: str, *, default: bool) -> bool:
    """Return True for `1` and False for `0`. Refuse to start with anything else."""
    value = text(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is {value!r}; say 1 or 0.")
    return value == "1"


def colour(name: str) -> str:
    """Return the variable if it is blank, or `#rrggbb` that is readable on white (WCAG AA)."""
    value = text(name, "").lower()
    if value and not re.fullmatch("#[0-9a-f]{6}", value):
        raise ImproperlyConfigured(f"{name} is {value!r}; say a colour like #0b5cad.")
    if value and (found := _contrast_on_white(value)) < _READABLE:
        raise ImproperlyConfigured(
            f"{name} is {value}, too light for white words on it: its contrast is {found:.1f}, "
            f"and {_READABLE} is needed. Say a darker one."
        )
    return value


def _contrast_on_white(colour: str) -> float:
    """Return the contrast of `#rrggbb` with white, from 1 to 21 (WCAG 2.2, relative luminance)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def picture(name: str) -> str:
    """Return the variable if it is blank, or the path of an SVG file."""
    path = text(name, "")
    if path and "<svg" not in file(name, path).read_text("utf-8"):
        raise ImproperlyConfigured(f"{name} names {path}, which is not an SVG file.")
    return path


def number(name: str, default: int, *, least: int = 0) -> int:
    value = text(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} is {value!r}; say a whole number.")
    if int(value) < least:
        raise ImproperlyConfigured(f"{name} is {value}; say {least} or more.")
    return int(value)


def folder(name: str, default: Path) -> Path:
    """Return an absolute path. Refuse a folder of another user's if root runs this.

    The service's own user could not read what root writes there.
    """
    path = Path(text(name, str(default))).resolve()
    if os.geteuid() == 0 and path.exists() and (owner := path.stat().st_uid) != 0:
        raise ImproperlyConfigured(
            f"{name} {path} belongs to user {owner}, who could not read what root writes there. "
            "Nothing was changed: run deploy/access-console, which works as the service's user."
        )
    return path


def level(name: str, default: str) -> str:
    """Return the name of a level of logging, in capitals."""
    value = text(name, default).upper()
    if value not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"{name} is {value!r}; say DEBUG, INFO, WARNING or ERROR.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """Return a comma-separated list without empty parts."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def keys(name: str) -> dict[int, bytes]:
    """Parse numbered 32-byte keys, newest first: `2:<base64>,1:<base64>`."""
    pairs = [part.strip().partition(":") for part in text(name).split(",")]
    try:
        found = {int(number): base64.b64decode(key, validate=True) for number, _, key in pairs}
    except ValueError:
        found = {}
    numbered = len(found) == len(pairs) and all(0 < number < 256 for number in found)
    if not numbered or any(len(key) != KEY_BYTES for key in found.values()):
        raise ImproperlyConfigured(
            f"{name} must list keys of {KEY_BYTES} bytes in base64, each after a number of its own "
            "from 1 to 255, as in 2:<base64>,1:<base64>. deploy/site.env.example shows how to make "
            "one."
        )
    return found


def new_key() -> str:
    """Return a new first key, as `keys` reads it."""
    return "1:" + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def networks(name: str) -> list[str]:
    """Return a comma-separated list of networks such as `10.0.0.0/24`."""
    listed = words(name)
    for word in listed:
        try:
            ipaddress.ip_network(word)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} names no network: {error}. Say one such as 10.0.0.0/24."
            ) from error
    return listed


def addresses(name: str, default: str = "", *, instead: str = "") -> str:
    """Return the variable if it lists web addresses or is the word `instead`."""
    value = text(name, default)
    for address in value.replace(",", " ").split() if value != instead else ():
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ImproperlyConfigured(f"{name} says {address!r}: say an address with https://.")
    return value


def service(name: str, default: str) -> str:
    """Return the address of a service, or "" for the word `off`, which switches it off."""
    value = addresses(name, default, instead="off")
    return "" if value == "off" else value.rstrip("/")


def issuer(name: str, default: str) -> str:
    """Return the name of an OpenID provider exactly as it is set, or "" for the word `off`."""
    value = addresses(name, default, instead="off").strip()
    parts = urlsplit(value)
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ImproperlyConfigured(f"{name} says {value!r}: OpenID providers have https://.")
    return "" if value == "off" else value


def authorities(name: str) -> str:
    """Return a file of certificate authorities, or "" for those that the libraries know."""
    path = text(name, "")
    try:
        if path:
            ssl.create_default_context(cafile=file(name, path))
    except ssl.SSLError as error:
        raise ImproperlyConfigured(f"{name} names {path}, which is no PEM file.") from error
    return path


def broker(name: str, *, authorities: str) -> str:
    """Return the address of the broker, with the file of authorities for its certificate."""
    url = text(name)
    if authorities and url.startswith("rediss:") and "ssl_ca_certs=" not in url:
        url += ("&" if "?" in url else "?") + urlencode({"ssl_ca_certs": authorities})
    return url


def origin(name: str, default: str) -> str:
    """Return the variable if it is a scheme and a host, perhaps with a port, and nothing else."""
    value = addresses(name, default).rstrip("/")
    parts = urlsplit(value)
    if value != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        raise ImproperlyConfigured(f"{name} says {value!r}: say an address like https://host.")
    return value


def socket_address(name: str) -> str:
    """Return the variable if it is blank, `host:port`, or the path of a Unix socket."""
    value = text(name, "")
    _, _, port = value.rpartition(":")
    if value and not value.startswith("/") and not (port.isdecimal() and value != f":{port}"):
        raise ImproperlyConfigured(f"{name} says {value!r}: say host:port, or a path.")
    return value


def document_store(name: str, *, key: str, authorities: str = "") -> dict[str, Any]:
    """Return Django's storage for `s3://bucket/prefix?endpoint=...&region=...`, or of a folder."""
    value = text(name, "")
    if not value:
        return {"BACKEND": "console.core.folder_store.FolderStore"}
    parts = urlsplit(value)
    options = dict(parse_qsl(parts.query))
    endpoint, region = options.pop("endpoint", None), options.pop("region", None)
    if parts.scheme != "s3" or not parts.netloc or options:
        raise ImproperlyConfigured(
            f"{name} says {value!r}: say s3://bucket/prefix, perhaps with ?endpoint= and &region=."
        )
    access_key, _, secret_key = key.partition(":")
    found = {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        "endpoint_url": endpoint,
        "region_name": region,
        "access_key": access_key or None,
        "secret_key": secret_key or None,
        "verify": authorities or None,
    }
    return {"BACKEND": "console.core.bucket_store.BucketStore", "OPTIONS": found}


def database(url: str) -> dict[str, Any]:
    """Parse `postgres://user:password@host:port/name?sslmode=verify-full` and similar URLs.

    Any libpq option may follow the question mark; `?host=/folder` names a socket directory. Unknown
    options are refused.
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
        "ENGINE": "console.core.postgresql",
        "NAME": options.pop("dbname", unquote(parts.path.lstrip("/"))),
        "USER": options.pop("user", unquote(parts.username or "")),
        "PASSWORD": options.pop("password", unquote(parts.password or "")),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": options.pop("port", port),
        "OPTIONS": options,
    }


def _database_options(query: str) -> dict[str, str]:
    """Parse the URL's query. Refuse unknown, empty and repeated options."""
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    options: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise ImproperlyConfigured(f"DATABASE_URL says {name}, which PostgreSQL does not know.")
        if not value or name in options:
            raise ImproperlyConfigured(f"DATABASE_URL must say {name} once, with a value.")
        options[name] = value
    return options
