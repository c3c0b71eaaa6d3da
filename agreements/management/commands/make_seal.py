"""`manage.py make_seal <folder> <owner>`: make the files of a seal for an installation."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agreements.pki import certificates, revocation, seal_keys


class Command(BaseCommand):
    """Make a seal, its root and, unless SEAL_LIST_FILE names one, an empty list of withdrawn seals.

    It prints the settings that name them, and needs no database.
    """

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a folder that is new or empty")
        parser.add_argument("owner", help="the legal name of your company")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"].resolve()
        try:
            if folder.exists() and any(folder.iterdir()):
                raise CommandError(f"{folder} is not empty.")
            made = seal_keys.make(folder, options["owner"])
        except OSError as error:
            raise CommandError(f"The files cannot be written: {error}") from error
        self.stdout.write(
            f"SEAL_KEY_FILE={folder / seal_keys.KEY}\n"
            f"SEAL_CERT_FILE={folder / seal_keys.CERTIFICATE}\n"
            f"SEAL_ROOT_FILE={folder / seal_keys.ROOT}\n"
        )
        root = f"Root {certificates.fingerprint(made.root)}. Copy the folder to every host"
        if settings.SEAL_LIST_FILE:
            self.stderr.write(f"{root}, and add the old roots to the end of {seal_keys.ROOT}.")
            return
        self.stdout.write(
            f"SEAL_LIST_FILE={folder / revocation.LIST}\n"
            f"SEAL_LIST_CERT_FILE={folder / revocation.CERTIFICATE}\n"
        )
        self.stderr.write(
            f"{root}, and keep {revocation.KEY} only where you withdraw seals. The list is for a "
            "first installation only: a renewal keeps its list."
        )
