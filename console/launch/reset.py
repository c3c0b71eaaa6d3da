"""`make reset`: delete the demo data, so that the next `make run` creates it again."""

import os
import shutil

import psycopg

from console.launch.data_folder import OURS, DataFolder
from console.launch.errors import Trouble
from console.launch.supervisor import end_leftovers


def main() -> None:
    """Empty the data folder and, if it is external, the database."""
    place = DataFolder.named_by_the_environment()
    _refuse_what_is_no_demo()
    lock = place.lock()
    if lock is None:
        other = place.running() or {}
        raise Trouble(
            f"The console is running (process {other.get('pid', 'unknown')}): "
            "stop it with Ctrl-C, then say `make reset` again."
        )
    end_leftovers(place.mark)
    if "DATABASE_URL" in os.environ:
        _empty_the_database(place.owners_environment()["DATABASE_URL"])
    else:
        place.database().end_the_one_before()
    _empty_the_folder(place)
    os.close(lock)
    print(f"The demo data in {place.data} is deleted. `make run` creates new data.")


def _refuse_what_is_no_demo() -> None:
    """Empty an external database only if DEMO explicitly says that it contains demo data."""
    demo = os.environ.get("DEMO", "" if "DATABASE_URL" in os.environ else "1")
    if not demo:
        raise Trouble(
            "DATABASE_URL names a database of your own, and DEMO does not say what is in it. "
            "If that is demo data, say `DEMO=1 make reset`: all of it will be deleted."
        )
    if demo != "1":
        raise Trouble(
            "DEMO is not 1, and only demo data is deleted. "
            "If this is demo data, say `DEMO=1 make reset`: all of it will be deleted."
        )


def _empty_the_database(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS public CASCADE")
        connection.execute("CREATE SCHEMA public")


def _empty_the_folder(place: DataFolder) -> None:
    """Delete only what we created, because the user may have named a folder of their own."""
    for name in OURS:
        path = place.data / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
