"""Traces by OpenTelemetry: a span for each request, task and statement.

Spans have only the attributes that are set here: no path, query, header, body, parameter or error
message. An incoming trace is not continued, because anybody could send one.
"""

from collections.abc import Callable
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.db.backends.signals import connection_created
from opentelemetry import context, propagate, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

TRACER = trace.get_tracer("console")
# Messages and stack traces of exceptions may quote what a user typed.
QUIET: dict[str, Any] = {"record_exception": False, "set_status_on_exception": False}
_LONGEST = 1000


def start() -> None:
    """Send spans to OTLP_ENDPOINT from this process and those that it forks."""
    about = {"service.name": "access-console", "service.version": settings.VERSION}
    provider = TracerProvider(resource=Resource.create(about))
    exporter = OTLPSpanExporter(endpoint=f"{settings.OTLP_ENDPOINT.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    connection_created.connect(_watch)
    before_task_publish.connect(_pass_on)
    task_prerun.connect(_begin)
    task_postrun.connect(_end)


def _watch(connection: Any, **_: object) -> None:
    if _statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_statement)


def _statement(execute: Callable[..., Any], sql: Any, params: Any, many: Any, around: Any) -> Any:
    """Trace a statement within a request or task, with its placeholders."""
    if not trace.get_current_span().is_recording() or not isinstance(sql, str):
        return execute(sql, params, many, around)
    said = {"db.system.name": "postgresql", "db.query.text": sql[:_LONGEST]}
    name = sql.split(maxsplit=1)[0]
    with TRACER.start_as_current_span(name, kind=trace.SpanKind.CLIENT, attributes=said, **QUIET):
        return execute(sql, params, many, around)


def _pass_on(headers: dict[str, Any], **_: object) -> None:
    """Let a task continue the trace of the request that sends it."""
    propagate.inject(headers)


def _begin(task: Any, kwargs: dict[str, Any], **_: object) -> None:
    said = {"console.job": str(kwargs["name"])} if "name" in kwargs else {}
    sent = propagate.extract({"traceparent": task.request.get("traceparent") or ""})
    span = TRACER.start_span(task.name, sent, trace.SpanKind.CONSUMER, said)
    task.request.console_span = span, context.attach(trace.set_span_in_context(span))


def _end(task: Any, **_: object) -> None:
    span, token = task.request.console_span
    context.detach(token)
    span.end()
