"""Embedded PostgreSQL and Valkey, started where the settings name no external service."""

import subprocess
from collections.abc import Mapping

from console.launch.data_folder import DataFolder
from console.launch.supervisor import MARK, Part, Supervisor

_PLAIN = ("PATH", "HOME", "LANG", "TZ")


def start_database(
    supervisor: Supervisor, place: DataFolder, environment: Mapping[str, str]
) -> None:
    """Start PostgreSQL, wait until it responds, and create its roles."""
    server = place.database()
    part = Part("postgres", server.command(), _plain(environment), stop_with=2, patience=20)
    part.prepare = server.prepare
    supervisor.start(part)
    assert isinstance(part.process, subprocess.Popen)
    server.wait(part.process)
    server.make_roles()


def start_broker(supervisor: Supervisor, place: DataFolder, environment: Mapping[str, str]) -> None:
    broker = place.broker()
    marked = {**_plain(environment), MARK: environment[MARK]}
    supervisor.start(Part("broker", broker.command(), marked, prepare=broker.prepare))


def _plain(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the few variables that third-party programs need."""
    return {name: environment[name] for name in _PLAIN if name in environment}
