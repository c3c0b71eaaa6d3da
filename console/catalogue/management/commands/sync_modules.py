"""`manage.py sync_modules`: make every business's modules follow its products, or preview."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from console.accounts.actors import SYSTEM
from console.catalogue import module_sync


class Command(BaseCommand):
    """Make the modules of every business follow its products. Hand settings stay."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--preview", action="store_true", help="Print it, and change nothing.")

    def handle(self, *args: Any, preview: bool, **options: Any) -> None:
        changes = module_sync.preview() if preview else module_sync.sync_all(by=SYSTEM)
        for one in changes:
            what = "follows its product" if one.automatic else "is no longer shown by itself"
            by_hand = f"; set {one.hand} by hand, which stays" if one.hand else ""
            self.stdout.write(f"{one.business.public_id} {one.module}: {what}{by_hand}")
        self.stdout.write(f"{len(changes)} {'would change' if preview else 'changed'}")
