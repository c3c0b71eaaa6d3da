"""Restore a backup set into an empty database, with the documents that it names.

check(made)            the manifest, if the set is whole and fits this code and these settings
restore(made, ...)     fill the store and the database
"""

import os
from pathlib import Path

import psycopg
from django.conf import settings
from django.db.migrations.loader import MigrationLoader

from console import env
from console.backups import backup_set, postgres_programs
from console.backups.backup_set import DOCUMENTS, DUMP, SEALS, BackupManifest, BackupSet, SetRefused
from console.backups.verifications import ProgressTeller, counted
from console.core import blobs, database_privileges, vault

_TABLES = (
    "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
)


def check(made: BackupSet, tell: ProgressTeller) -> BackupManifest:
    """Return the manifest. Raises SetRefused if the set cannot be restored here."""
    manifest = made.manifest()
    if missing := backup_set.missing_keys(manifest):
        raise SetRefused(f"The settings lack {', '.join(missing)}, which this backup needs.")
    _check_schema(manifest)
    tell(f"Checking {len(manifest.files)} files")
    if damaged := list(made.damages(manifest)):
        named = ", ".join(damaged[:5])
        raise SetRefused(f"{len(damaged)} files of this backup are damaged: {named}.")
    return manifest


def restore(made: BackupSet, manifest: BackupManifest, tell: ProgressTeller) -> None:
    """Fill the empty database and the store. Documents are written before the rows that name them.

    Raises SetRefused if the database is not empty.
    """
    owner = env.database(_owners_url())
    with _as_owner() as connection:
        server = connection.info.server_version // 10_000
        if connection.execute(_TABLES).fetchone() is not None:
            raise SetRefused("The database is not empty. Name an empty one in DATABASE_URL.")
    if server < manifest.server:
        raise SetRefused(
            f"The server is PostgreSQL {server}, and this backup is of {manifest.server}: use "
            "that version or a newer one."
        )
    postgres_programs.program("pg_restore", server)
    _write_documents(made, manifest, tell)
    _write_seals(made, manifest)
    tell("Restoring the database")
    postgres_programs.restore(owner, server, made.folder / DUMP)
    with _as_owner() as connection:
        database_privileges.apply(connection)


def _check_schema(manifest: BackupManifest) -> None:
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    ours = {f"{app}.{name}" for app, name in loader.disk_migrations or ()}
    theirs = set(manifest.migrations)
    if newer := sorted(theirs - ours):
        raise SetRefused(
            f"This backup is of version {manifest.version}, whose tables are newer ({newer[0]}). "
            "Install that version."
        )
    if older := sorted(ours - theirs):
        raise SetRefused(
            f"This backup is of version {manifest.version}, whose tables are older (no "
            f"{older[0]}). Install that version, restore, and update then."
        )


def _owners_url() -> str:
    if not settings.DATABASE_OWNER_URL:
        raise SetRefused("DATABASE_OWNER_URL is missing: only the owner can create tables.")
    return str(settings.DATABASE_OWNER_URL)


def _as_owner() -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(_owners_url())


def _write_documents(made: BackupSet, manifest: BackupManifest, tell: ProgressTeller) -> None:
    names = [name for name in manifest.files if name.startswith(f"{DOCUMENTS}/")]
    for name in counted(names, "Documents", tell):
        blobs.write_once(name.removeprefix(f"{DOCUMENTS}/"), made.read(name))


def _write_seals(made: BackupSet, manifest: BackupManifest) -> None:
    """Write the seals' files that are missing here."""
    for name in manifest.files:
        path = Path(settings.PKI_DIR) / name.removeprefix(f"{SEALS}/")
        if name.startswith(f"{SEALS}/") and not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            data = vault.open_(made.read(name), purpose=name)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as to:
                to.write(data)
