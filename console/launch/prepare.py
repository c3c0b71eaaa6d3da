"""Preparation after migrating: typeface, first versions, seal and static files."""

import os
from pathlib import Path

import django
from django.core.management import call_command

# Static files of libraries that our pages do not use.
_UNUSED = ["rest_framework", "ext", "htmax*", "htmx-4*"]


def main() -> None:
    """Run all steps in one process. Each step skips what is already done."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    # The settings include this folder of static files only if it exists.
    fonts = Path(os.environ["DATA_DIR"]) / "fonts"
    fonts.mkdir(mode=0o700, exist_ok=True)
    django.setup()
    if not any(fonts.iterdir()):
        call_command("fonts")
    call_command("publish", "begin")
    call_command("setup_seal")
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=_UNUSED)


if __name__ == "__main__":
    main()
