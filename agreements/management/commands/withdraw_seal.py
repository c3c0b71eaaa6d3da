"""`manage.py withdraw_seal <fingerprint> --since <time> --reason <words>`: withdraw a seal."""

import re
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agreements.pki import revocation
from agreements.pki.seal_keys import SealMissing
from agreements.sealing import seals, self_check
from console.accounts.actors import SYSTEM
from console.core import text


class Command(BaseCommand):
    """Put a seal on the signed list of withdrawn seals. Nothing is sealed with it afterwards.

    With SELF_MADE_SEAL=1, another one is made.
    """

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("fingerprint", help="SHA-256 of the seal's certificate")
        parser.add_argument("--since", required=True, help="the last good moment, in UTC")
        says = "what happened, in a few words"
        parser.add_argument("--reason", required=True, type=text.reason, help=says)

    def handle(self, *args: Any, **options: Any) -> None:
        if not re.fullmatch(r"[0-9a-f]{64}", options["fingerprint"]):
            raise CommandError("A fingerprint is 64 characters, 0 to 9 and a to f.")
        try:
            since = datetime.fromisoformat(options["since"])
            since = since if since.tzinfo else since.replace(tzinfo=UTC)
            seals.withdraw(
                options["fingerprint"], since=since, because=options["reason"], by=SYSTEM
            )
        except (ValueError, OSError, revocation.ListBroken) as error:
            raise CommandError(str(error)) from error
        try:
            made = seals.set_up(because=f"Another was withdrawn: {options['reason']}", by=SYSTEM)
        except (OSError, SealMissing) as error:
            raise CommandError(f"The seal is withdrawn. None is in its place: {error}") from error
        self_check.refresh()
        self.stdout.write("The seal is withdrawn." + (" Another is in its place." if made else ""))
