"""`make run`: start every process, print the address and the demo users, and supervise."""

import http.client
import os
import socket
import sys
import time
from functools import partial

from console.launch import demo_provider, programs
from console.launch.data_folder import DataFolder
from console.launch.embedded_services import start_broker, start_database
from console.launch.errors import Trouble
from console.launch.forks import preload
from console.launch.setup import ROOT
from console.launch.supervisor import MARK, Part, Stopped, Supervisor, end_leftovers, say

_MANAGE = [sys.executable, "manage.py"]
# A killed server's port stays in use until the kernel has cleaned up.
_PORT_PATIENCE = 5.0


def main() -> None:
    """Run until Ctrl-C, SIGTERM, or the end of the `make` that started us."""
    os.chdir(ROOT)
    os.umask(0o077)  # documents and keys are in the data folder
    place = DataFolder.named_by_the_environment()
    if os.environ.get(MARK) != place.mark:
        # Copies of this process show the environment with which it was started.
        os.execve(sys.executable, sys.orig_argv, {**os.environ, MARK: place.mark})
    lock = _take(place)
    _run(place)
    place.remove_sockets()
    os.close(lock)


def _take(place: DataFolder) -> int:
    """Lock the data folder, or say which process has locked it."""
    for _ in range(10):
        if (lock := place.lock()) is not None:
            return lock
        time.sleep(0.05)  # another command may only be checking the lock
    other = place.running() or {}
    raise Trouble(
        f"The console already runs from {place.data}, on port {other.get('port', 'unknown')} "
        f"(process {other.get('pid', 'unknown')}). Stop it, or name another DATA_DIR and PORT."
    )


def _run(place: DataFolder) -> None:
    end_leftovers(place.mark)
    environment = place.environment()
    port = _free_port(environment["PORT"])
    place.tell(port, ready=False)
    supervisor = Supervisor(place.logs)
    try:
        _start_stores(supervisor, place, environment)
        _prepare(supervisor, place, environment)
        # Pages respond while the demo data is loaded; background processes start afterwards.
        preload({"DB_POOL": str(programs.WEB_POOL), **environment})
        web, *others = _programs(place)
        supervisor.start(web)
        _load_the_demo_world(supervisor, place, environment)
        for part in others:
            supervisor.start(part)
        _wait_for_the_web(supervisor, port)
        place.tell(port, ready=True)
        _welcome(supervisor, place, environment)
        while True:
            supervisor.watch_for(3600)
    except Stopped:
        say("Stopping")
    finally:
        supervisor.stop()
        (place.data / "running.json").unlink(missing_ok=True)
    say("Stopped. `make run` continues where this ended.")


def _free_port(words: str, name: str = "PORT") -> int:
    """Return the port, or raise Trouble if it cannot be used."""
    if not words.isdigit() or not 0 < int(words) < 2**16:
        raise Trouble(f"{name} is {words!r}: name a number from 1 to 65535.")
    until = time.monotonic() + _PORT_PATIENCE
    while (why := _why_not(int(words))) is not None:
        if time.monotonic() > until:
            raise Trouble(f"Port {words} cannot be used ({why}): say {name}={int(words) + 1}.")
        time.sleep(0.05)
    return int(words)


def _why_not(port: int) -> str | None:
    """Return the system's reason why a port cannot be used, or None if it can."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            return error.strerror
    return None


def _start_stores(supervisor: Supervisor, place: DataFolder, environment: dict[str, str]) -> None:
    """Start the database and the broker unless the settings name external ones."""
    if "DATABASE_URL" not in os.environ:
        say("Starting PostgreSQL")
        start_database(supervisor, place, environment)
    if "BROKER_URL" not in os.environ:
        start_broker(supervisor, place, environment)


def _prepare(supervisor: Supervisor, place: DataFolder, environment: dict[str, str]) -> None:
    """Migrate as the tables' owner, then prepare everything else as the site."""
    say("Preparing the database: the first time, and on a slow machine, this takes minutes")
    supervisor.run("migrate", [*_MANAGE, "migrate", "--no-input"], place.owners_environment())
    supervisor.run("demo", [*_MANAGE, "demo", "check"], environment)
    say("Preparing the first versions, the seal and the files of the pages")
    supervisor.run("prepare", [sys.executable, "-m", "console.launch.prepare"], environment)


def _load_the_demo_world(
    supervisor: Supervisor, place: DataFolder, environment: dict[str, str]
) -> None:
    if environment["DEMO"] == "1":
        secrets = place.secrets()
        if demo_provider.is_used(environment, secrets):
            _free_port(environment["PROVIDER_PORT"], name="PROVIDER_PORT")
            supervisor.start(demo_provider.part(place.data, environment, secrets))
        address = f"http://localhost:{environment['PORT']}"
        say(f"In a moment pages answer at {address}")
        say("Loading the demo data: the first time takes a minute, and then you can sign in")
        supervisor.run("demo", [*_MANAGE, "demo", "load"], environment, shown=True)


def _programs(place: DataFolder) -> list[Part]:
    """Return our own processes, in starting order. They share what this process has imported."""
    web = partial(programs.run_here, programs.web())
    worker, beat, deliver = (
        partial(programs.run_here_without_pool, command)
        for command in (
            programs.worker(),
            programs.beat(place.data / "beat-schedule"),
            programs.deliver(),
        )
    )
    return [
        Part("web", web, patience=programs.STOP_SECONDS + 5),
        Part("worker", worker),
        Part("beat", beat),
        # It finishes deliveries that are under way, which can take as long as a receiver may.
        Part("deliver", deliver, patience=20),
    ]


def _wait_for_the_web(supervisor: Supervisor, port: int) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        supervisor.watch_for(0.1)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/", headers={"Host": "localhost"})
            connection.getresponse()
        except OSError:
            continue
        finally:
            connection.close()
        return
    raise Trouble(f"The web server does not answer; see {supervisor.log_of('web')}.")


def _welcome(supervisor: Supervisor, place: DataFolder, environment: dict[str, str]) -> None:
    """Print the address and, in demo mode, the users to sign in as."""
    address = f"http://localhost:{environment['PORT']}"
    is_demo = environment["DEMO"] == "1"
    shop = f"  Demo shop        http://shop.localhost:{environment['PORT']}\n" if is_demo else ""
    if is_demo and demo_provider.is_used(environment, place.secrets()):
        shop += f"  Simulated bank   {demo_provider.address(environment)}\n"
    print(f"\n  Access Console   {address}\n{shop}  Logs             {place.logs}\n", flush=True)
    if is_demo:
        supervisor.run("demo", [*_MANAGE, "demo", "people"], environment, shown=True)
        print(flush=True)
    say("Running. Ctrl-C stops everything.")


if __name__ == "__main__":
    main()
