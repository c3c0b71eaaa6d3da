"""`make manage`: run any command of the console, with its settings from DATA_DIR."""

import os
import subprocess
import sys

from console.launch.data_folder import DataFolder
from console.launch.embedded_services import start_database
from console.launch.setup import ROOT
from console.launch.supervisor import Stopped, Supervisor, end_leftovers

# Inserts rows past the triggers of its tables.
_OF_THE_OWNER = "generate_load"


def main() -> None:
    """Replace this process by manage.py, or run it with the embedded database if stopped."""
    words = [sys.executable, "manage.py", *sys.argv[1:]]
    place = DataFolder.named_by_the_environment()
    is_owners = sys.argv[1:2] == [_OF_THE_OWNER]
    environment = place.owners_environment() if is_owners else place.environment()
    restores = sys.argv[1:2] == ["restore"]
    if restores:  # it creates the tables
        environment["DATABASE_OWNER_URL"] = place.owners_environment()["DATABASE_URL"]
    os.chdir(ROOT)
    if (lock := _lock_where_the_database_stands_still(place, made=restores)) is None:
        os.execve(sys.executable, words, environment)
    status = _run_with_its_database(place, environment, words)
    os.close(lock)
    sys.exit(status)


def _lock_where_the_database_stands_still(place: DataFolder, *, made: bool) -> int | None:
    """Lock a folder whose embedded database exists and is not running. Return None otherwise.

    With `made`, a database that does not exist is created.
    """
    exists = made or (place.data / "postgres" / "PG_VERSION").is_file()
    if "DATABASE_URL" in os.environ or not exists:
        return None
    return place.lock()


def _run_with_its_database(place: DataFolder, environment: dict[str, str], words: list[str]) -> int:
    """Run the command with the database, stop both, and return the command's exit status."""
    os.umask(0o077)
    end_leftovers(place.mark)
    supervisor = Supervisor(place.logs)
    try:
        start_database(supervisor, place, environment)
        command = subprocess.Popen(words, env=environment)
        try:
            while command.poll() is None:
                supervisor.watch_for(0.05)
        except Stopped:
            command.terminate()
        return command.wait()
    finally:
        supervisor.stop()


if __name__ == "__main__":
    main()
