"""Make a backup set while the console runs: first the database, then the documents.

Files are written before the rows that name them and never change, so the store has every file of
the dump when it is copied. Published heads of the audit log that are later than the dump are left
out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from console.audit import chain, heads
from console.backups import backup_set, document_store, named_files, postgres_programs
from console.backups.backup_set import DOCUMENTS, DUMP, SEALS, BackupManifest, BackupSet
from console.backups.named_files import NamedFile
from console.backups.verifications import ProgressTeller, counted
from console.core import blobs, clock, vault

# pg_dump uses the snapshot while this transaction waits.
_ONE_SNAPSHOT = """
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
SET LOCAL idle_in_transaction_session_timeout = 0
"""
_NAME = "SELECT pg_export_snapshot(), current_setting('server_version_num')::int / 10000"


@dataclass(frozen=True)
class _Snapshot:
    """One moment of the database: the snapshot's name, and what a manifest says about it."""

    name: str
    server: int
    at: str
    migrations: list[str]
    count: int
    hash: str


def back_up(folder: Path, tell: ProgressTeller) -> list[str]:
    """Make a complete set in a new folder, and return what is wrong with the documents it lacks."""
    made = BackupSet(folder)
    made.begin()
    with _snapshot() as moment:
        tell("Dumping the database")
        database = connection.settings_dict
        postgres_programs.dump(database, moment.server, moment.name, folder / DUMP)
        named = named_files.known()
    damaged = dict(_add_documents(made, moment.count, tell))
    missing = _missing(made, named)
    _add_seals(made)
    tell("Writing the manifest")
    made.finish(
        BackupManifest(
            at=moment.at,
            version=settings.VERSION,
            server=moment.server,
            migrations=moment.migrations,
            count=moment.count,
            hash=moment.hash,
            keys=backup_set.key_marks(),
            files=made.sums(),
        )
    )
    return list({**missing, **damaged}.values())


@contextmanager
def _snapshot() -> Iterator[_Snapshot]:
    chain.link()  # the snapshot below cannot
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_ONE_SNAPSHOT)
        cursor.execute(_NAME)
        name, server = cursor.fetchone() or ("", 0)
        head, applied = heads.stored(), MigrationRecorder(connection).applied_migrations()
        yield _Snapshot(
            name=name,
            server=server,
            at=clock.iso(clock.now()),
            migrations=sorted(f"{app}.{migration}" for app, migration in applied),
            count=head.count,
            hash=head.hash,
        )


def _add_documents(made: BackupSet, count: int, tell: ProgressTeller) -> Iterator[tuple[str, str]]:
    """Copy the document store, and return the damaged files by name, each with a sentence."""
    for name in counted(list(document_store.names()), "Documents", tell):
        try:
            data = document_store.read(name)
        except blobs.BlobDamaged as fault:
            yield name, str(fault)
            continue
        if data is None:
            continue
        if not (name.startswith(f"{heads.RECORDS.name}/") and heads.is_later(data, count)):
            made.add(f"{DOCUMENTS}/{name}", data)


def _missing(made: BackupSet, named: list[NamedFile]) -> dict[str, str]:
    """Return the files that the dump's rows name and the set lacks, except those removed since."""
    files = {blobs.name_of(file.sha256, file.folder): file for file in named}
    lacking = {
        name: file for name, file in files.items() if not (made.folder / DOCUMENTS / name).is_file()
    }
    still = {file[:2] for file in named_files.known()} if lacking else set()
    return {
        name: f"{file.named_by}: The file {file.sha256} is missing."
        for name, file in lacking.items()
        if file[:2] in still
    }


def _add_seals(made: BackupSet) -> None:
    """Add the seals' files, encrypted, because private keys are among them."""
    home = Path(settings.PKI_DIR)
    for path in sorted(home.rglob("*")):
        if path.is_file():
            name = f"{SEALS}/{path.relative_to(home)}"
            made.add(name, vault.seal(path.read_bytes(), purpose=name))
