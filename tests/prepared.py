"""Packs that are created once for a whole run, and copied for each test.

A pack has 16 documents and takes seconds to render; copying its rows and files takes milliseconds.
A separate process creates each on its own database at first use, and stores the tables at every
stop. Copies are committed, so that browsers and workers see them; `take_back` removes them after
the test.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
import time_machine
from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from tests import databases

# Each walk uses its own range of keys, so copies do not clash with each other or with rows of
# tests.
_FIRST_NUMBERS = {"low-1": 1, "low-2": 2, "high-1": 3, "low-3": 4}
_WHOLE = {"low-1", "high-1"}  # the others have three documents, and take a third of the time
_ROOM = 1_000_000  # keys per walk
_NUMBERS = 10_000  # numbers for its people and packs
# The log's trigger and the linking fill the first two again, after the entries of the target
# database; the last belongs to the whole installation.
_NOT_COPIED = ("audit_unlinked", "audit_link", "agreements_sealcheck")
_taken: list["_Undo"] = []


@dataclass(frozen=True)
class _Stop:
    """The tables at one stop of a walk: the pack's key, and each table's key with its values."""

    pack: int
    rows: dict[str, tuple[str, list[Any]]]


@dataclass(frozen=True)
class _Undo:
    """What to remove for a copy: its rows; and the previous head of the log."""

    stop: _Stop
    count: int
    hash: str


def take(tier: str, stop: str) -> int | None:
    """Copy a pack of that tier at that stop into this database, and return its key.

    Returns None if every copy is in use, or if the test's clock is not the real one.
    """
    if time_machine.escape_hatch.is_travelling():
        return None
    with databases.as_owner() as owner:
        name = next((n for n in _names(tier) if not _is_here(owner, n)), None)
        if name is None:
            return None
        _walk_once(name)
        found = _read(name, stop)
        head = owner.execute("SELECT count, hash FROM audit_head").fetchone()
        assert head
        _taken.append(_Undo(found, *head))
        _copy_in(owner, name, stop, found)
    shutil.copytree(
        _home(name) / "data" / "blobs",
        settings.MEDIA_ROOT,
        ignore=shutil.ignore_patterns("audit"),  # the heads of another log
        dirs_exist_ok=True,
    )
    return found.pack


def take_back() -> None:
    """Remove what was copied since the last call."""
    while _taken:
        undo = _taken.pop()
        with databases.as_owner() as owner:
            databases.go_past_triggers(owner)
            for table, (key, values) in undo.stop.rows.items():
                owner.execute(
                    sql.SQL("DELETE FROM {} WHERE {} = ANY(%s)").format(
                        sql.Identifier(table), sql.Identifier(key)
                    ),
                    [values],
                )
            owner.execute("DELETE FROM audit_link WHERE seq > %s", [undo.count])
            owner.execute(
                "DELETE FROM audit_unlinked WHERE NOT EXISTS"
                " (SELECT FROM audit_entry WHERE id = entry_id)"
            )
            # Unless everything was emptied meanwhile.
            owner.execute(
                "UPDATE audit_head SET count = %s, hash = %s WHERE count > %s",
                [undo.count, undo.hash, undo.count],
            )


def keep() -> None:
    """Keep what was copied since the last call; the fixture that took it empties the tables."""
    _taken.clear()


# The walk, in a separate process ---------------------------------------------


def walk(name: str) -> None:
    """Take a pack to its end in an emptied database; store the tables at every stop."""
    from agreements.lifecycle import PackStatus
    from tests.factories import packs, people

    n = _FIRST_NUMBERS[name]
    deque(islice(people.number, n * _NUMBERS), maxlen=0)
    databases.open_own(f"tests_{name}")
    with databases.as_owner() as owner:
        databases.count_from(owner, n * _ROOM, 900_000 + n * _NUMBERS)
    tier = name.partition("-")[0].upper()
    with nullcontext() if name in _WHOLE else packs.few_documents():
        pack = _committed(lambda: packs.walk_a_pack(PackStatus.GENERATING, tier=tier))
        for stop in packs.PREPARED:
            pack = _committed(partial(packs.walked, pack, stop))
            _copy_out(name, stop, pack.pk)


def _committed(step: Callable[[], Any]) -> Any:
    with transaction.atomic():
        done = step()
        connection.run_on_commit = []  # there is no broker, so waking it would take time
    return done


def _copy_out(name: str, stop: str, pack: int) -> None:
    folder = _home(name) / stop
    folder.mkdir(parents=True)
    rows: dict[str, tuple[str, list[Any]]] = {}
    with databases.as_owner() as owner:
        for table in set(databases.tables()).difference(_NOT_COPIED):
            name_of = sql.Identifier(table)
            filled = sql.SQL("SELECT FROM {} LIMIT 1").format(name_of)
            if owner.execute(filled).fetchone() is not None:
                key = _key_of(owner, table)
                query = sql.SQL("SELECT {} FROM {}").format(sql.Identifier(key), name_of)
                rows[table] = (key, [value for (value,) in owner.execute(query)])
                # A partitioned table cannot be copied out directly, only by a query.
                out = sql.SQL("COPY (SELECT * FROM {}) TO STDOUT").format(name_of)
                with owner.cursor().copy(out) as copy:
                    (folder / table).write_bytes(b"".join(bytes(part) for part in copy))
    (folder / "stop.json").write_text(json.dumps(asdict(_Stop(pack, rows)), default=str))


def _key_of(owner: "psycopg.Connection[Any]", table: str) -> str:
    found = owner.execute(
        "SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid"
        " AND attnum = ANY(indkey) WHERE indisprimary AND indrelid = %s::regclass",
        [f'"{table}"'],
    ).fetchall()
    # The key of a partitioned table includes the day.
    names = {str(name) for (name,) in found}
    assert len(names) == 1 or "id" in names, table
    return "id" if "id" in names else names.pop()


# The copy --------------------------------------------------------------------


def _names(tier: str) -> list[str]:
    return [name for name in _FIRST_NUMBERS if name.startswith(f"{tier.lower()}-")]


def _is_here(owner: "psycopg.Connection[Any]", name: str) -> bool:
    first = _FIRST_NUMBERS[name] * _ROOM
    query = "SELECT FROM agreements_pack WHERE id >= %s AND id < %s"
    return owner.execute(query, [first, first + _ROOM]).fetchone() is not None


def _walk_once(name: str) -> None:
    with databases.alone(f"prepared-{name}"):
        if (_home(name) / "done").exists():
            return
        shutil.rmtree(_home(name), ignore_errors=True)
        (_home(name) / "data").mkdir(parents=True)
        shutil.copytree(databases.cluster() / "pki", _home(name) / "data" / "pki")
        environment = dict(os.environ, DATA_DIR=str(_home(name) / "data"))
        environment.pop("PYTEST_XDIST_WORKER", None)
        done = subprocess.run(
            [sys.executable, "-m", "tests.prepared", name],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        (_home(name) / "done").touch()


def _read(name: str, stop: str) -> _Stop:
    return _Stop(**json.loads((_home(name) / stop / "stop.json").read_text()))


def _copy_in(owner: "psycopg.Connection[Any]", name: str, stop: str, found: _Stop) -> None:
    databases.go_past_triggers(owner)
    for table in sorted(found.rows, key=lambda table: table == "audit_entry"):
        if table == "audit_entry":
            owner.execute("SET LOCAL session_replication_role = origin")
        into = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))
        with owner.cursor().copy(into) as copy:
            copy.write((_home(name) / stop / table).read_bytes())


def _home(name: str) -> Path:
    return databases.cluster() / "prepared" / name


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    django.setup()
    walk(sys.argv[1])
