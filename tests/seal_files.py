"""The files of a seal, as an installation has them."""

from io import StringIO
from pathlib import Path

from django.core.management import call_command


def make(folder: Path) -> dict[str, str]:
    """Make a seal and a list of withdrawn seals, and return the settings that name them."""
    said = StringIO()
    call_command("make_seal", str(folder), "Acme Ltd", stdout=said, stderr=StringIO())
    return dict(line.split("=", 1) for line in said.getvalue().splitlines())
