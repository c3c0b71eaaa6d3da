"""What stands between fresh tables and the first page: typeface, versions, seal, static files."""

import os
from pathlib import Path

import django
from django.core.management import call_command

# Static files of libraries that no page of ours names.
_UNUSED = ["rest_framework", "ext", "htmax*", "htmx-4*"]


def main() -> None:
    """Do all of it in one process; each step finds what is done already."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    # The settings look for static files in this folder only where it exists.
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
