"""Logs as data: one JSON object a line, with secrets taken out before anything is written."""

import logging.config
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

import structlog

# Members whose value is never written, whatever it holds.
_HIDDEN = re.compile(r"password|secret|token|code|authorization|cookie|csrf|session", re.IGNORECASE)
# A value that looks like one of our own keys, wherever it stands.
_KEY = re.compile(r"(svc_(?:test|live)_[0-9A-Za-z]{16}):[0-9A-Za-z]+")
_SHOWN = frozenset({"code", "status_code"})
# A web address within words: where it leads, and whatever follows the host.
_ADDRESS = re.compile(r"(https?://)(?:[^/\s?#\\]*@)?([^/\s?#@\\]+)\S*", re.IGNORECASE)
# What Django says of a refused Referer or Origin, which may hold anything, these words too.
_CHECKED = re.compile(r"(.*?checking failed - )(.*)( does not match.*)", re.DOTALL)
_HOST = re.compile(r"[\w.:\[\]-]+", re.ASCII)
# Exceptions whose words are what was sent: a path, a Host.
_QUOTING = re.compile(r"((?:Resolver404|DisallowedHost): ).*")


def redact(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Hide secrets by their member's name and by their shape."""
    for name, value in event.items():
        if _HIDDEN.search(name) and name not in _SHOWN:
            event[name] = "[hidden]"
        elif isinstance(value, str):
            event[name] = _KEY.sub(r"\1:[hidden]", value)
    return event


def without_paths(words: str) -> str:
    """Return words with the host alone of each web address: a path may hold a live token."""
    return _ADDRESS.sub(r"\1\2", words)


def name_routes(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Make Django's own lines about a request anew, with the route in the place of its path.

    Of another address, a refused Referer or Origin, they keep the host. What Django finds
    suspicious it repeats as it was sent, in words and traceback: the name of it is enough.
    """
    record, args = event["_record"], event.pop("positional_args", ())
    request: Any = getattr(record, "request", None)
    if not record.name.startswith("django.") or not hasattr(request, "path"):
        return event
    # Only here: logging is configured before the applications are loaded.
    from console.core import routes

    route, sent = routes.name_of(request), _written(request.path, request.get_full_path())
    if record.name.startswith("django.security."):
        event.pop("exc_info", None)
    if args:
        event["event"] = record.msg % tuple(_said(one, sent, route) for one in args)
    else:
        event["event"] = f"{record.name.rpartition('.')[2]}: {route}"
    return event


def hide_paths(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Hide in a traceback what the words of its exceptions quote."""
    if "exception" in event:
        event["exception"] = without_paths(_QUOTING.sub(r"\1…", str(event["exception"])))
    return event


def _written(*paths: str) -> frozenset[str]:
    """Return paths as they are, and as Django escapes them for its log."""
    escaped = (path.encode("unicode_escape").decode("ascii") for path in paths)
    return frozenset([*paths, *escaped])


def _said(argument: object, sent: Collection[str], route: str) -> object:
    """Return what stands in a line in the place of one argument of Django's."""
    if not isinstance(argument, str):
        return argument
    if argument in sent:
        return route
    if checked := _CHECKED.fullmatch(argument):
        before, address, after = checked.groups()
        return f"{before}{_host_of(address)}{after}"
    return without_paths(argument)


def _host_of(address: str) -> str:
    """Return the scheme and the host of an address that somebody claims."""
    try:
        scheme, place, *_ = urlsplit(address)
    except ValueError:
        scheme, place = "", ""
    host = place.rpartition("@")[2]
    readable = scheme in ("http", "https") and _HOST.fullmatch(host)
    return f"{scheme}://{host}" if readable else "an unreadable address"


def configure(config: dict[str, Any]) -> None:
    """Set up structlog and the standard library's logging to say the same thing."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        hide_paths,
        redact,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer = (
        structlog.dev.ConsoleRenderer(colors=False)
        if config.get("plain")
        else structlog.processors.JSONRenderer()
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [name_routes, *shared],
        "pass_foreign_args": True,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    }
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"lines": formatter},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
            "root": {"handlers": ["stderr"], "level": config.get("level", "INFO")},
            "loggers": {
                # A refused request is no news for the operator; the audit log has it.
                "django.request": {"level": "ERROR"},
                # 300 lines on how a typeface is cut down to the letters we use.
                "fontTools": {"level": "WARNING"},
            },
        }
    )
