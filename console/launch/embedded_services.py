"""The database and the broker that are embedded: started where the settings name no others."""

from collections.abc import Mapping

from console.launch.data_folder import DataFolder
from console.launch.supervisor import MARK, Part, Supervisor

_PLAIN = ("PATH", "HOME", "LANG", "TZ")


def start_database(
    supervisor: Supervisor, place: DataFolder, environment: Mapping[str, str]
) -> None:
    """Start PostgreSQL, wait until it answers, and make its roles."""
    server = place.database()
    part = Part("postgres", server.command(), _plain(environment), stop_with=2, patience=20)
    part.prepare = server.prepare
    supervisor.start(part)
    assert part.process is not None
    server.wait(part.process)
    server.make_roles()


def start_broker(supervisor: Supervisor, place: DataFolder, environment: Mapping[str, str]) -> None:
    broker = place.broker()
    marked = {**_plain(environment), MARK: environment[MARK]}
    supervisor.start(Part("broker", broker.command(), marked, prepare=broker.prepare))


def _plain(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what a program that is not ours needs to know."""
    return {name: environment[name] for name in _PLAIN if name in environment}
