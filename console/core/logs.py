"""Logs as data: one JSON object a line, with secrets taken out before anything is written."""

import logging.config
import re
from typing import Any

import structlog

# Members whose value is never written, whatever it holds.
_HIDDEN = re.compile(r"password|secret|token|code|authorization|cookie|csrf|session", re.IGNORECASE)
# A value that looks like one of our own keys, wherever it stands.
_KEY = re.compile(r"(svc_(?:test|live)_[0-9A-Za-z]{16}):[0-9A-Za-z]+")
_SHOWN = frozenset({"code", "status_code"})
# A web address within words: where it leads, and whatever follows the host.
_ADDRESS = re.compile(r"(https?://)(?:[^/\s?#@]*@)?([^/\s?#]+)\S*", re.IGNORECASE)


def redact(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Hide secrets by their member's name and by their shape."""
    for name, value in event.items():
        if _HIDDEN.search(name) and name not in _SHOWN:
            event[name] = "[hidden]"
        elif isinstance(value, str):
            event[name] = _KEY.sub(r"\1:[hidden]", value)
    return event


def name_routes(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Put the route where one of Django's own lines names the path of a request.

    Of another address, a refused Referer or Origin, it keeps the host: a path may hold a token.
    """
    request = getattr(event.get("_record"), "request", None)
    if request is not None and hasattr(request, "path"):
        # Only here: a process without requests, the dispatcher, need not load the web.
        from console.core import routes

        for path in (request.get_full_path(), request.path):
            event["event"] = str(event["event"]).replace(path, routes.name_of(request))
        event["event"] = _ADDRESS.sub(r"\1\2", str(event["event"]))
    return event


def configure(config: dict[str, Any]) -> None:
    """Set up structlog and the standard library's logging to say the same thing."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
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
