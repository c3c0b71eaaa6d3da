"""Building something that a server in another thread can see."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, transaction


def committed(build: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Build and commit, in a thread where no browser's event loop runs."""

    def run() -> Any:
        try:
            with transaction.atomic():
                built = build(*args, **options)
                # Nobody listens at the broker: waking it would only take time.
                connection.run_on_commit = []
            return built
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as one:
        return one.submit(run).result()
