"""Error reports in Sentry's protocol: the kind of error and its place in the code, and no values.

Each logged error is sent as a report. It contains the request's id: search the log for it.
"""

import logging
from typing import Any

import sentry_sdk
from django.conf import settings
from django.http import HttpRequest
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.logging import LoggingIntegration, ignore_logger
from structlog.contextvars import get_contextvars

from console.core import routes

# Loggers whose messages are fixed words. Django's may quote a header.
_OURS = ("console", "onboarding", "agreements", "apikeys", "api")
_CONTEXT = ("request_id", "task_id")
_KEPT = ("event_id", "timestamp", "level", "platform", "release", "server_name")
_OF_A_FRAME = ("filename", "function", "module", "lineno", "in_app")


def start() -> None:
    """Send reports to SENTRY_DSN from this process and those that it forks."""
    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        release=settings.VERSION,
        default_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=logging.ERROR),
                      DedupeIntegration()],
        before_send=reduced,
        include_local_variables=False,
        include_source_context=False,
        send_default_pii=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
    )  # fmt: skip
    # Django logs the same failures, with the exception.
    ignore_logger("django_structlog.middlewares.request")


def reduced(event: Any, hint: dict[str, Any]) -> Any:
    """Return the report to send: the error, its place and the request's id, and nothing else."""
    record: logging.LogRecord | None = hint.get("log_record")
    kept = {name: event[name] for name in _KEPT if name in event}
    raised = (event.get("exception") or {}).get("values") or []
    kept["exception"] = {"values": [_exception(one) for one in raised]}
    if record is not None:
        kept["logger"] = record.name
        kept["tags"] = _tags(record)
        if "event" in kept["tags"]:
            kept["message"] = kept["tags"]["event"]
    return kept


def _tags(record: logging.LogRecord) -> dict[str, str]:
    """Return the request's id and route, and the fixed words of the message."""
    tags = {name: str(value) for name, value in get_contextvars().items() if name in _CONTEXT}
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest):
        tags["request"] = f"{request.method} {routes.name_of(request)}"
    if record.name.partition(".")[0] in _OURS:
        tags["event"] = str(record.msg)
    return tags


def _exception(one: dict[str, Any]) -> dict[str, Any]:
    """Return the type and the place of an exception, without its message."""
    frames = (one.get("stacktrace") or {}).get("frames") or []
    places = [{name: frame.get(name) for name in _OF_A_FRAME} for frame in frames]
    return {
        "type": one.get("type"), "module": one.get("module"), "stacktrace": {"frames": places},
    }  # fmt: skip
