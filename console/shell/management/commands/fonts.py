"""`manage.py fonts`: subset the typeface, if its package is installed."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from console.shell import typeface


class Command(BaseCommand):
    """Run once at set-up, before collectstatic."""

    help = "Cut Inter to the letters that the pages use, into `fonts` beside STATIC_ROOT."

    def handle(self, *args: Any, **options: Any) -> None:
        font = typeface.source()
        if font is None:
            self.stdout.write("Inter is not installed; pages use the system's typeface.")
            return
        path = typeface.cut(font, Path(settings.FONT_DIR))
        self.stdout.write(f"Inter: {path.stat().st_size // 1024} kB.")
