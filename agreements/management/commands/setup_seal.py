"""`manage.py setup_seal`: make the seal of a development machine, or check that of settings."""

from typing import Any

from django.core.management.base import BaseCommand

from agreements import certificates, pki


class Command(BaseCommand):
    """Safe to repeat: it makes a seal only where there is none, or where it is about to lapse."""

    help = "Make the key that seals executed papers, where settings name none."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        made = pki.set_up()
        seal = pki.seal()
        until = seal.certificate.not_valid_after_utc
        self.stdout.write(
            f"{'Made a seal' if made else 'The seal is in place'}, good until {until:%d %B %Y}. "
            f"Root {certificates.fingerprint(seal.root)}."
        )
