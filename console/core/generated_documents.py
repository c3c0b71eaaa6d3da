"""Base command for documents in `docs/` that are generated from the code."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser


class DocumentCommand(BaseCommand):
    """A command that writes one document or, with --check, only reports whether it is up to date.

    `name` is its file in `docs/`; `heading` and `about` are its title and first sentence.
    """

    name: str
    heading: str
    about: str

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; fail if it is out of date."
        )

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        document: Path = settings.ROOT / "docs" / self.name
        new = "\n".join([f"# {self.heading}", "", self.about, "", *self.lines(), ""])
        if check and (not document.exists() or document.read_text() != new):
            raise CommandError(f"docs/{self.name} is out of date: run `make format`.")
        if not check:
            document.write_text(new)

    def lines(self) -> Iterable[str]:
        """Return the lines below the first sentence."""
        raise NotImplementedError
