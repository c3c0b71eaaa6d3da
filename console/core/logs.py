"""Structured logs: one JSON object per line, with secrets removed before anything is written."""

import logging.config
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

import structlog

# Members whose value is never logged.
_HIDDEN = re.compile(r"password|secret|token|code|authorization|cookie|csrf|session", re.IGNORECASE)
# A value that looks like one of our API keys, anywhere in the text.
_KEY = re.compile(r"(svc_(?:test|live)_[0-9A-Za-z]{16}):[0-9A-Za-z]+")
# Details of a line that are logged. Others, such as Django's request, may quote what a user typed.
_EXTRA = (
    *("job", "listener", "reader", "why", "problem", "notice", "cause"),
    *("count", "rows", "unkept", "pack", "file", "list", "where"),
)
_SHOWN = frozenset({"code", "status_code"})
# A web address within text: its scheme and host, and everything after the host.
_ADDRESS = re.compile(r"(https?://)(?:[^/\s?#\\]*@)?([^/\s?#@\\]+)\S*", re.IGNORECASE)
# Django's message about a refused Referer or Origin header, which may contain any text.
_CHECKED = re.compile(r"(.*?checking failed - )(.*)( does not match.*)", re.DOTALL)
_HOST = re.compile(r"[\w.:\[\]-]+", re.ASCII)
# Exceptions whose message quotes what the client sent: a path or a Host header.
_QUOTING = re.compile(r"((?:Resolver404|DisallowedHost): ).*")


def redact(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Hide secrets, recognised by the member's name and by their format."""
    for name, value in event.items():
        if _HIDDEN.search(name) and name not in _SHOWN:
            event[name] = "[hidden]"
        elif isinstance(value, str):
            event[name] = _KEY.sub(r"\1:[hidden]", value)
    return event


def without_paths(words: str) -> str:
    """Reduce each web address in a text to its host, because a path may contain a live token."""
    return _ADDRESS.sub(r"\1\2", words)


def name_routes(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Rewrite Django's own log lines about a request, with the route instead of the path.

    Other addresses, such as a refused Referer or Origin, are reduced to their host. For suspicious
    requests Django quotes user input in the message and the traceback, so log only the kind.
    """
    record, args = event["_record"], event.pop("positional_args", ())
    request: Any = getattr(record, "request", None)
    if not record.name.startswith("django.") or not hasattr(request, "path"):
        return event
    # Imported here because logging is configured before the applications are loaded.
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
    """Hide user input that exception messages quote in a traceback."""
    if "exception" in event:
        event["exception"] = without_paths(_QUOTING.sub(r"\1…", str(event["exception"])))
    return event


def _written(*paths: str) -> frozenset[str]:
    """Return the paths as they are, and as Django escapes them for its log."""
    escaped = (path.encode("unicode_escape").decode("ascii") for path in paths)
    return frozenset([*paths, *escaped])


def _said(argument: object, sent: Collection[str], route: str) -> object:
    """Return the safe replacement for one argument of a Django log line."""
    if not isinstance(argument, str):
        return argument
    if argument in sent:
        return route
    if checked := _CHECKED.fullmatch(argument):
        before, address, after = checked.groups()
        return f"{before}{_host_of(address)}{after}"
    return without_paths(argument)


def _host_of(address: str) -> str:
    """Return the scheme and the host of an untrusted address."""
    try:
        scheme, place, *_ = urlsplit(address)
    except ValueError:
        scheme, place = "", ""
    host = place.rpartition("@")[2]
    readable = scheme in ("http", "https") and _HOST.fullmatch(host)
    return f"{scheme}://{host}" if readable else "an unreadable address"


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for the scheduler's line about each job it starts, 70 a minute."""
    return not str(record.msg).startswith("Scheduler: Sending due task")


def configure(config: dict[str, Any]) -> None:
    """Configure structlog and the standard library's logging to write the same format."""
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
        "foreign_pre_chain": [name_routes, structlog.stdlib.ExtraAdder(_EXTRA), *shared],
        "pass_foreign_args": True,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    }
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"lines": formatter},
            "filters": {"news": {"()": lambda: _is_news}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
            "root": {"handlers": ["stderr"], "level": config.get("level", "INFO")},
            "loggers": {
                # Refused requests are routine and are in the audit log.
                "django.request": {"level": "ERROR"},
                # Tasks of an idle installation: failures are logged as errors.
                "celery.app.trace": {"level": "WARNING"},
                "celery.worker.strategy": {"level": "WARNING"},
                "celery.beat": {"filters": ["news"]},
                # It logs 300 lines while it subsets a typeface.
                "fontTools": {"level": "WARNING"},
            },
        }
    )
