"""The parts of README.md that are written from the code, each between two marks of its own."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser


class NoSuchPart(Exception):
    """README.md does not hold the marks of a part."""


def with_part(text: str, part: str, lines: Iterable[str]) -> str:
    """Return the text with what stands between the marks of a part replaced."""
    begin, end = f"<!-- {part}: `make format` writes this -->", f"<!-- end of {part} -->"
    between = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(between.findall(text)) != 1:
        raise NoSuchPart(f"README.md needs the lines {begin!r} and {end!r}, once.")
    new = "\n".join([begin, *lines, end])
    return between.sub(lambda _: new, text)


class PartCommand(BaseCommand):
    """A command that writes one part; with --check it only says whether the part is true."""

    part: str

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="Write nothing; say whether it is true."
        )

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        readme: Path = settings.ROOT / "README.md"
        text = readme.read_text()
        new = with_part(text, self.part, self.lines())
        if check and new != text:
            raise CommandError(f"The {self.part} in README.md is out of date: run `make format`.")
        if not check:
            readme.write_text(new)

    def lines(self) -> list[str]:
        """Return what stands in the part."""
        raise NotImplementedError
