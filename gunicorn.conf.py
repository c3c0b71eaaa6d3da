"""Gunicorn settings for the console and the API behind a proxy: see docs/operations.md.

Gunicorn reads this file when it is started in this folder: `python -m gunicorn`.
"""

import os

import structlog
from django.conf import settings

from console.launch.programs import STOP_SECONDS
from console.observability import exporter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

settings.STATEMENT_SECONDS = settings.DB_TIMEOUT

wsgi_app = "console.wsgi"
# Ignored if systemd passes a socket: see deploy/access-console-web.socket.
bind = f"{settings.WEB_BIND}:{settings.PORT}"
worker_class = "console.gunicorn_worker.QuietThreadWorker"
workers = settings.WEB_PROCESSES
threads = settings.WEB_THREADS
# Load the application once: workers share its memory, and a worker that ends is replaced at once.
preload_app = True

graceful_timeout = STOP_SECONDS
# Longer than the proxy's idle timeout (keepalive_timeout in nginx), so the proxy closes first.
keepalive = 10
# The same limit as in nginx.
limit_request_line = 8190

# Only console.core.addresses trusts proxies, those of TRUSTED_PROXIES.
forwarded_allow_ips = ""
# The console logs requests itself. Gunicorn's warnings quote requests, which may contain a token.
loglevel = "error"
control_socket_disable = True


def post_worker_init(_worker: object) -> None:
    """Report from web processes: the main process would copy a thread beside it into new ones."""
    from console.hosts import reports

    reports.start("web")


exporter.prepare()
child_exit = exporter.forget


def when_ready(server):
    """Say that a proxy is missing, and start the exporter."""
    if not settings.TRUSTED_PROXIES:
        structlog.get_logger(__name__).warning(
            "no_proxy",
            why="TRUSTED_PROXIES names no proxy that waits for slow clients. Without one, "
            f"{settings.WEB_PROCESSES * settings.WEB_THREADS} of them stop this server.",
        )
    exporter.start(server)
