"""Preparation after migrating: first versions, seal, typeface and static files.

`python -m console.launch.prepare static` makes only the last two, for an image.
"""

import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

# Static files of libraries that our pages do not use.
_UNUSED = ["rest_framework", "ext", "htmax*", "htmx-4*"]


def main(words: list[str]) -> None:
    """Run all steps in one process. Each step skips what is already done."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    static = Path(os.environ.get("STATIC_ROOT") or Path(os.environ["DATA_DIR"]) / "static")
    # The settings include this folder of static files only if it exists.
    (static.parent / "fonts").mkdir(mode=0o700, parents=True, exist_ok=True)
    django.setup()
    if words != ["static"]:
        _say("Comparing this host with the others")
        call_command("join", "prepare")
        _say("Putting the first versions in use")
        call_command("publish", "begin")
        _say("Preparing the seal")
        call_command("setup_seal")
    # An image contains the static files, and nobody can write there.
    if os.access(static.parent, os.W_OK):
        collect_static_files()


def collect_static_files() -> None:
    if not any(settings.FONT_DIR.iterdir()):
        _say("Preparing the typeface")
        call_command("fonts")
    _say("Collecting the static files")
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=_UNUSED)


def _say(what: str) -> None:
    """Tell the log, whose last line `make run` shows while this takes long."""
    print(what, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
