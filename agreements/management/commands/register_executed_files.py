"""`manage.py register_executed_files`: know the files of packs that were executed before."""

from typing import Any

from django.core.management.base import BaseCommand

from agreements.verification import executed_files


class Command(BaseCommand):
    """Safe to repeat: a pack is registered once, from its own zip."""

    help = "Registers the files of executed packs that the registry does not hold yet."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Registered {executed_files.register_earlier()} executed packs.")
