"""The exporter for Prometheus: a process beside the web processes, on a port of its own.

gunicorn.conf.py starts it. It adds up what the web processes count, and reads the registered
figures from the database at each scrape.
"""

import logging
import os
import shutil
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from django.conf import settings
from django.db import connection, transaction

from console.core.processes import end_with_parent
from console.observability import figures

if TYPE_CHECKING:
    from prometheus_client import Metric

log = logging.getLogger(__name__)

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# The most that one reader's query may take.
_QUERY = "SET LOCAL statement_timeout = '3s'"


class _Handler(WSGIRequestHandler):
    timeout = 10

    def log_message(self, *_: object) -> None:
        """Log no scrapes."""


class Figures:
    """A collector that runs every registered reader."""

    def describe(self) -> "list[Metric]":
        """Name nothing at start-up, when the database may be away."""
        return []

    def collect(self) -> "Iterator[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        unread = GaugeMetricFamily(
            "console_figures_unread", "1 if figures could not be read.", labels=["reader"]
        )
        for name, reader in figures.readers():
            found = _read(name, reader)
            unread.add_metric([name], float(found is None))
            for one in found or ():
                family = GaugeMetricFamily(f"console_{one.name}", one.about, labels=one.labels)
                for labels, value in one.values.items():
                    family.add_metric(labels, value)
                yield family
        yield unread


def _read(name: str, reader: figures.FigureReader) -> list[figures.Figure] | None:
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(_QUERY)
            return list(reader())
    except Exception as error:  # noqa: BLE001  # whatever one reader does, the others are shown
        log.warning("figures_unread", extra={"reader": name, "why": type(error).__name__})
        return None


def prepare() -> None:
    """Empty the folder in which web processes count, before they import Prometheus's client."""
    if settings.METRICS_PORT and _FOLDER not in os.environ:
        folder = settings.DATA_DIR / "metrics" / str(settings.METRICS_PORT)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        os.environ[_FOLDER] = str(folder)


def start(server: Any) -> None:
    """Fork the exporter. It ends with the web server's main process."""
    if not settings.METRICS_PORT:
        return
    listener = make_server(
        settings.METRICS_ADDRESS, settings.METRICS_PORT, _application(), handler_class=_Handler
    )
    if os.fork():
        listener.socket.close()
        return
    try:
        end_with_parent()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for public in server.LISTENERS:
            public.sock.close()
        _serve(listener)
    except Exception:
        log.exception("figures_not_served")
    finally:
        os._exit(1)


def forget(_server: Any, worker: Any) -> None:
    """Leave a web process that ended out of the figures of living ones."""
    if settings.METRICS_PORT:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)


def _application() -> Any:
    from prometheus_client import CollectorRegistry, make_wsgi_app
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    registry.register(Figures())
    return make_wsgi_app(registry)


def _serve(listener: WSGIServer) -> None:
    """Answer one scrape after the other, each with a connection of its own."""
    while True:
        listener.handle_request()
        connection.close()
