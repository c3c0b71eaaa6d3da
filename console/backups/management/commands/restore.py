"""`manage.py restore FOLDER --because <words>`: restore a backup into an empty database."""

from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from console.accounts.actors import SYSTEM
from console.accounts.models import Session
from console.audit import chain, heads
from console.backups import restoring
from console.backups.backup_set import BackupManifest, BackupSet, SetRefused
from console.backups.postgres_programs import ProgramFailed
from console.core import blobs, text

_REFUSALS = (
    SetRefused,
    ProgramFailed,
    blobs.BlobDamaged,
    OSError,
    OperationalError,
    psycopg.OperationalError,
)


class Command(BaseCommand):
    """Restore a backup into an empty database, and verify everything that was restored."""

    help = __doc__
    # They read tables, and there are none yet.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="A folder that `backup` made.")
        says = "The reason; the audit log keeps it."
        parser.add_argument("--because", required=True, type=text.reason, help=says)

    def handle(self, *args: Any, folder: Path, because: str, **options: Any) -> None:
        made = BackupSet(folder)
        try:
            manifest = restoring.check(made, self.stdout.write)
            restoring.restore(made, manifest, self.stdout.write)
            Session.objects.all().delete()  # some may have ended after the backup
            self._record(manifest, because)
        except _REFUSALS as refused:
            raise CommandError(str(refused)) from refused
        call_command("verify", stdout=self.stdout, stderr=self.stderr)
        self.stdout.write(f"The backup of {manifest.at} is restored.")

    def _record(self, manifest: BackupManifest, because: str) -> None:
        """Record the restore, unless the store has heads that it lost: a person accepts those."""
        if (end := heads.stored()) != chain.Anchor(manifest.count, manifest.hash):
            raise CommandError(f"The audit log ends at entry {end.count}, not as in the manifest.")
        if gone := heads.lost():
            raise CommandError(
                f"The backup is restored. {len(gone)} heads of the audit log were published "
                f"later than its last entry, {end.count}, and the entries up to them are lost. If "
                f"that is right, run `accept_restore --count {end.count} --because <words>`, and "
                "then `verify`."
            )
        heads.accept_restore(count=manifest.count, because=because, by=SYSTEM)
