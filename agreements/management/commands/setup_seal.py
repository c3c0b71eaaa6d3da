"""`manage.py setup_seal`: make a development seal, or check the one in settings."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agreements.our_company.company_versions import NoCompany
from agreements.pki import certificates, seal_keys
from agreements.sealing import seals, self_check
from console.accounts.actors import SYSTEM


class Command(BaseCommand):
    """Check the seal of executed documents, and record its first use in the audit log.

    With SELF_MADE_SEAL=1, make one if there is none or it is about to expire. Safe to repeat.
    """

    help = __doc__
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--because", default="The machine was prepared.", help="The reason; the log keeps it."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = seals.set_up(because=options["because"], by=SYSTEM)
        except (OSError, seal_keys.SealMissing) as error:
            raise CommandError(str(error)) from error
        except NoCompany as refused:
            self_check.refresh()
            self.stdout.write(f"No seal was made. {refused.message}")
            return
        self_check.refresh()
        seal = seal_keys.seal()
        until = seal.certificate.not_valid_after_utc
        self.stdout.write(
            f"{'Made a seal' if made else 'The seal is in place'}, good until {until:%d %B %Y}. "
            f"Root {certificates.fingerprint(seal.root)}."
        )
