"""An installation on four hosts: the shared services here, and the parts on their hosts.

The test uses the same database and the same bucket as the hosts.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from console.launch import programs
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server, binaries
from console.launch.setup import ROOT
from console.launch.valkey import Broker
from tests import cluster, databases, prepared
from tests.bucket import Bucket
from tests.events.smtp_server import SmtpServer
from tests.hosts.network import Host, Network
from tests.launch.deployed import Proxy
from tests.waiting import eventually

DATABASE = "hosts"
WEB_PORT, BROKER_PORT = 8000, 6379
# Two beats, two workers and two web hosts; only one dispatcher.
PARTS = {
    "a": ("web",),
    "b": ("web",),
    "c": ("worker", "beat"),
    "d": ("worker", "beat", "deliver"),
}


class Installation:
    """Four hosts, each with a folder of its own, and what they share."""

    def __init__(self, network: Network, folder: Path) -> None:
        self.network, self.folder = network, folder
        self.sockets = databases.cluster() / "hosts"
        self.bucket, self.mail = Bucket(network.address), SmtpServer(network.address)
        self.hosts: dict[str, Host] = {}
        self.processes: list[subprocess.Popen[bytes]] = []
        passwords = dict.fromkeys((SUPERUSER, OWNER, SITE), connection.settings_dict["PASSWORD"])
        options = cluster.FAST | {"listen_addresses": network.address}
        self.server = Server(self.sockets / "db", self.sockets / "run", passwords, options)
        webs = [f"{network.prefix}.{number}:{WEB_PORT}" for number in (2, 3)]
        self.proxy = Proxy(folder, *webs, name="localhost")

    @property
    def url(self) -> str:
        return f"https://localhost:{self.proxy.secure}"

    def start_services(self) -> None:
        """Start PostgreSQL with a copy of the tests' database, the broker, and the others."""
        self.server.prepare()
        with (self.server.data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {self.network.prefix}.0/24 scram-sha-256\n")
        self.server.wait(self._start("postgres", self.server.command()))
        broker = Broker(self.sockets / "broker", self.sockets)
        broker.prepare()
        opened = f"--port {BROKER_PORT} --bind {self.network.address} --protected-mode no"
        self._start("broker", [*broker.command(), *opened.split()])
        self.bucket.start()
        self.mail.speaks.set()

    def start_hosts(self, **variables: str) -> None:
        for name in PARTS:
            self.hosts[name] = self.network.a_host(name)
            shutil.copytree(databases.cluster() / "pki", self._data(name) / "pki")
        for name, parts in PARTS.items():
            for part in parts:
                self._start_part(self.hosts[name], part, variables)
        for name in "ab":
            eventually(partial(self.hosts[name].listens, WEB_PORT))
        for name in "cd":
            eventually(partial(self._is_ready, name))
        self.proxy.start()

    def stop(self) -> None:
        self.proxy.stop()
        for process in reversed(self.processes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.bucket.stop()
        self.mail.close()
        shutil.rmtree(self.sockets)

    def _is_ready(self, host: str) -> bool:
        return b" ready." in self.log_of(host, "worker").read_bytes()

    def log_of(self, host: str, part: str) -> Path:
        return self.folder / f"{host}-{part}.log"

    def clock(self) -> datetime:
        ((now,),) = self._rows("SELECT clock_timestamp()")
        assert isinstance(now, datetime)
        return now

    def works(self, host: Host, since: datetime) -> bool:
        """Tell whether a process of the host asked the database something since then."""
        asked = "SELECT FROM pg_stat_activity WHERE client_addr = %s AND query_start > %s"
        return bool(self._rows(asked, host.address, since))

    def _rows(self, query: LiteralString, *values: object) -> list[tuple[object, ...]]:
        with psycopg.connect(self.server.url(SUPERUSER, DATABASE)) as administrator:
            return administrator.execute(query, values).fetchall()

    def _data(self, host: str) -> Path:
        return self.folder / host

    def _start_part(self, host: Host, part: str, variables: dict[str, str]) -> None:
        command = {
            "web": programs.web(),
            "worker": programs.worker(processes=1),
            "beat": programs.beat(self._data(host.name) / "beat-schedule"),
            "deliver": programs.deliver(),
        }[part]
        environment = {**os.environ, **self._settings(host), **variables}
        pool = str(programs.WEB_POOL) if part == "web" else "0"
        self._start(f"{host.name}-{part}", host.inside(command), environment | {"DB_POOL": pool})

    def _settings(self, host: Host) -> dict[str, str]:
        here, password = self.network.address, connection.settings_dict["PASSWORD"]
        return {
            **self.bucket.environment,
            "DJANGO_SETTINGS_MODULE": "tests.hosts.settings",
            "DATABASE_URL": f"postgres://{SITE}:{password}@{here}/{DATABASE}",
            "BROKER_URL": f"redis://{here}:{BROKER_PORT}/0",
            "DATA_DIR": str(self._data(host.name)),
            "STATIC_ROOT": str(settings.STATIC_ROOT),
            "EMAIL_HOST": here,
            "EMAIL_PORT": self.mail.port,
            "HTTPS": "1",
            "BASE_URL": self.url,
            "TRUSTED_PROXIES": f"{here}/32",
            "WEB_BIND": host.address,
            "PORT": str(WEB_PORT),
            "WEB_CONCURRENCY": "1",
            "WEBHOOK_EGRESS_ALLOW_CIDRS": f"{self.network.prefix}.0/24",
            "WEBHOOK_ALLOW_HTTP": "1",
            "WEBHOOK_PROBE_PAUSE_MS": "0",
            # A lost dispatcher's deliveries are resent after four times as long.
            "WEBHOOK_TIMEOUT_SECONDS": "3",
            "LIVE_NETWORKS_ALLOW_CIDRS": "127.0.0.0/8,::1/128",
        }

    def _start(
        self, name: str, command: list[str], environment: dict[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return process


@contextmanager
def running(
    network: Network, folder: Path, monkeypatch: pytest.MonkeyPatch, **variables: str
) -> Iterator[Installation]:
    """Run it, and let this test use its database and its bucket."""
    made = Installation(network, folder)
    with ExitStack() as ends:
        ends.callback(made.stop)
        made.start_services()
        with _used_here(made, monkeypatch):
            made.start_hosts(**variables)
            yield made


@contextmanager
def _used_here(made: Installation, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    at: dict[str, Any] = connection.settings_dict
    before = {name: at[name] for name in ("HOST", "NAME")}
    connection.close()
    _copy_database(made, before["HOST"])
    at.update(HOST=str(made.server.sockets), NAME=DATABASE)
    stores = made.bucket.storages(monkeypatch, settings)
    for name in made.bucket.environment:  # prepared packs are made in a folder
        monkeypatch.delenv(name)
    monkeypatch.setattr(settings, "WEBHOOK_ALLOW_HTTP", True)
    monkeypatch.setattr(settings, "WEBHOOK_EGRESS_ALLOW_CIDRS", [f"{made.network.prefix}.0/24"])
    try:
        with override_settings(STORAGES=stores):  # also forgets the open folder
            yield
    finally:
        prepared.keep()
        connection.close()
        at.update(before)


def _copy_database(made: Installation, source: str) -> None:
    """Copy the migrated database of the tests to the installation's server."""
    environment = os.environ | {"PGPASSWORD": made.server.passwords[SUPERUSER]}
    made.server.make_roles()
    there = ["-U", SUPERUSER, "-h", str(made.server.sockets)]
    create = f"CREATE DATABASE {DATABASE} OWNER {OWNER}"
    revoke = f"REVOKE TEMPORARY ON DATABASE {DATABASE} FROM PUBLIC"
    grant = "GRANT SET ON PARAMETER session_replication_role TO owner"
    words = ["-d", "postgres", "-qc", create, "-c", revoke, "-c", grant]
    subprocess.run([binaries() / "psql", *there, *words], env=environment, check=True)
    from_here = ["-U", SUPERUSER, "-h", source, databases.MIGRATED]
    with subprocess.Popen(
        [binaries() / "pg_dump", *from_here], env=environment, stdout=subprocess.PIPE
    ) as dump:
        into = ["-d", DATABASE, "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull]
        subprocess.run(
            [binaries() / "psql", *there, *into], env=environment, stdin=dump.stdout, check=True
        )
