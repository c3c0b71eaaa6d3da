"""Serves one application over HTTP: `python -m console.server module:name --port 8000`."""

import argparse
import signal
import sys

import uvicorn

from console.server.clock import MOST_CONNECTIONS
from console.server.connection import HttpConnection

# A worker that says nothing for so long is ended and replaced. Starting one takes a while.
_SILENT_WORKER_SECONDS = 30


def main() -> None:
    """Read the command line, and serve until told to stop."""
    parser = argparse.ArgumentParser(prog="console.server", description=__doc__)
    parser.add_argument("application", help="module:name")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--stop-seconds", type=int, default=15)
    said = parser.parse_args()
    # The server ends cleanly, then raises the signal that it was told to end with.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    uvicorn.run(
        said.application,
        host=said.host,
        port=said.port,
        workers=said.workers,
        http=HttpConnection,
        ws="none",
        loop="uvloop",
        interface="asgi3",
        lifespan="on",
        backlog=MOST_CONNECTIONS,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # we believe our own proxies alone
        log_config=None,
        timeout_graceful_shutdown=said.stop_seconds,
        timeout_worker_healthcheck=_SILENT_WORKER_SECONDS,
    )


if __name__ == "__main__":
    main()
