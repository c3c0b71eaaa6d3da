"""Child process: run one benchmark with the site loaded and print its rows as JSON, or migrate."""

import json
import os
import sys
from dataclasses import asdict
from importlib import import_module

import django


def main(name: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")
    django.setup()
    if name == "migrate":
        _migrate()
    else:
        rows = import_module(f"benchmarks.{name}").measure()
        sys.stdout.write(json.dumps([asdict(row) for row in rows]))


def _migrate() -> None:
    from django.core.management import call_command

    from console.accounts.actors import SYSTEM
    from console.publishing import publications

    call_command("migrate", verbosity=0)
    publications.begin(by=SYSTEM)


if __name__ == "__main__":
    main(sys.argv[1])
