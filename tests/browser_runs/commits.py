"""Run a factory so that a server in another thread sees the result."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, transaction


def committed(build: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Build and commit, in a thread without a browser's event loop."""

    def run() -> Any:
        try:
            with transaction.atomic():
                built = build(*args, **options)
                # There is no broker, so trying to wake a worker only takes time.
                connection.run_on_commit = []
            return built
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as one:
        return one.submit(run).result()
