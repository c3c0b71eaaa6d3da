"""Another installation on this machine: an empty database and an empty data folder."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from console.launch.postgres import OWNER, SITE
from console.launch.setup import ROOT
from tests.databases import as_owner


class Elsewhere:
    """Runs commands of the other installation."""

    def __init__(self, folder: Path) -> None:
        self.root = ROOT  # the code that runs there
        self.data = folder / "elsewhere"
        self.data.mkdir(mode=0o700)
        self.database = f"elsewhere_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"

    def manage(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run manage.py there, with the same keys."""
        here = {
            "DATABASE_URL": self.url(SITE),
            "DATABASE_OWNER_URL": self.url(OWNER),
            "DATA_DIR": str(self.data),
        }
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            env={**os.environ, **here, **variables},
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )

    def url(self, role: str) -> str:
        at = connection.settings_dict
        return f"postgres://{role}:{at['PASSWORD']}@/{self.database}?host={at['HOST']}"

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Return what that database answers."""
        with as_owner(self.database) as owner:
            return owner.execute(query).fetchall()


@contextmanager
def opened(folder: Path) -> Iterator[Elsewhere]:
    """Create it, and drop its database afterwards."""
    there = Elsewhere(folder)
    drop = f"DROP DATABASE IF EXISTS {there.database} WITH (FORCE)"
    with as_owner("postgres", autocommit=True) as owner:
        owner.execute(drop)
        owner.execute(f"CREATE DATABASE {there.database}")
        yield there
        owner.execute(drop)
