"""Connections that stop waiting for a PostgreSQL that is away or hangs.

Connecting is limited everywhere, and a lost connection is noticed by TCP on both sides, so that
the locks of a host that was cut off become free. A web process also limits each statement.
"""

from types import SimpleNamespace
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base
from psycopg.abc import RV, PQGen


class PatientConnection(psycopg.Connection[Any]):
    """A connection that is closed if the server does not answer in time.

    PostgreSQL's own limit for statements does not help if PostgreSQL itself has stopped.
    """

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        most = settings.STATEMENT_SECONDS + 1 if settings.STATEMENT_SECONDS else None
        try:
            return super().wait(gen, interval, timeout or most)
        except psycopg.errors._WaitTimeout as silence:
            if timeout:
                raise
            self.close()
            raise psycopg.OperationalError("PostgreSQL does not answer.") from silence


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL, with limits that the options of `DATABASE_URL` may replace."""

    # Django calls its function `connect` and looks up its exceptions.
    Database = SimpleNamespace(  # type: ignore[assignment]
        **vars(psycopg) | {"connect": PatientConnection.connect}
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if pool := self.settings_dict["OPTIONS"].get("pool"):
            pool["connection_class"] = PatientConnection

    def get_connection_params(self) -> dict[str, Any]:
        seconds = settings.DB_TIMEOUT
        ours = {
            "connect_timeout": seconds,
            "tcp_user_timeout": seconds * 1000,
            "keepalives_idle": seconds,
            "keepalives_interval": 3,
            "keepalives_count": 3,
        }
        params = ours | super().get_connection_params()
        on_the_server = {
            "tcp_user_timeout": seconds * 1000,
            "tcp_keepalives_idle": seconds,
            "tcp_keepalives_interval": 3,
            "tcp_keepalives_count": 3,
        }
        if settings.STATEMENT_SECONDS:
            on_the_server["statement_timeout"] = settings.STATEMENT_SECONDS * 1000
        words = [f"-c {name}={value}" for name, value in on_the_server.items()]
        return params | {"options": " ".join([*words, params.get("options", "")]).strip()}
