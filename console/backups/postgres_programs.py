"""PostgreSQL's own programs: `pg_dump` and `pg_restore` of a version that fits the server.

The password reaches them in the environment, or is in the file that PGPASSFILE names.
"""

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from psycopg import pq

from console.launch import postgres
from console.launch.errors import Trouble


class ProgramFailed(Exception):
    """Raised if the program is missing, too old or fails. The message says what to do."""


def dump(database: Mapping[str, Any], server: int, snapshot: str, file: Path) -> None:
    """Write one snapshot of the database to a file that only we can read."""
    words = [program("pg_dump", server), "--format=custom", "--no-password"]
    _run([*words, f"--snapshot={snapshot}", f"--file={file}"], database)


def restore(database: Mapping[str, Any], server: int, file: Path) -> None:
    """Restore a dump in one transaction; a failure leaves the database as it was."""
    words = [program("pg_restore", server), "--no-owner", "--no-password", "--exit-on-error"]
    _run([*words, "--single-transaction", f"--dbname={database['NAME']}", str(file)], database)


def program(name: str, server: int) -> str:
    """Return the oldest program here that is at least as new as the server."""
    found = sorted((_version(path), path) for path in _paths(name))
    for version, path in found:
        if version >= server:
            return path
    here = f"the newest here is {found[-1][0]} ({found[-1][1]})" if found else "there is none here"
    raise ProgramFailed(
        f"The server is PostgreSQL {server} and needs {name} {server} or newer; {here}. "
        f"Install `postgresql-client-{server}`."
    )


def _paths(name: str) -> Iterator[str]:
    folders = [*Path("/usr/lib/postgresql").glob("*/bin")]
    with contextlib.suppress(Trouble):
        folders.append(postgres.binaries())
    yield from (str(folder / name) for folder in folders if (folder / name).is_file())
    if path := shutil.which(name):
        yield path


def _version(path: str) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\d+", said)
    return int(found[0]) if found else 0


def _run(words: list[str], database: Mapping[str, Any]) -> None:
    done = subprocess.run(
        words,
        env=_environment(database),
        umask=0o077,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ProgramFailed(f"{words[0]} failed: {done.stderr.strip()[-2000:]}")


def _environment(database: Mapping[str, Any]) -> dict[str, str]:
    """Return the environment with libpq's variables for this database."""
    known = {
        "dbname": database["NAME"],
        "user": database["USER"],
        "password": database["PASSWORD"],
        "host": database["HOST"],
        "port": database["PORT"],
        **database["OPTIONS"],
    }
    variables = {
        option.envvar.decode(): str(known[option.keyword.decode()])
        for option in pq.Conninfo.get_defaults()
        if option.envvar and known.get(option.keyword.decode())
    }
    return {**os.environ, **variables}
