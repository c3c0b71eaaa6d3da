"""`manage.py deliver`: send webhooks until told to stop."""

from typing import Any

from django.core.management.base import BaseCommand

from apikeys.webhooks.dispatcher.__main__ import main


class Command(BaseCommand):
    """Makes the command known; `manage.py` itself runs it without loading the applications."""

    help = "Send webhooks until told to stop. One process is enough; several share the work."

    def handle(self, *args: Any, **options: Any) -> None:
        main()
