"""What a version changes against the one in use: the lines of each of its texts."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import Any

from console.publishing.files import FileFault
from console.publishing.published_kinds import Kind

# Lines to show of one text, and around each change.
MOST, AROUND = 400, 2
_MARKS = {"+": "added", "-": "removed", "@": "place"}


@dataclass(frozen=True)
class ChangedText:
    """A text that differs: its lines with what became of each, and whether there are more."""

    name: str
    lines: list[tuple[str, str]]
    has_more: bool


def changes(kind: Kind, before: str, after: str) -> list[ChangedText]:
    """Return the texts that differ between two versions; `before` may be "" or unreadable."""
    was, now = _texts(kind, before), _texts(kind, after)
    found = []
    for name in sorted(was.keys() | now.keys()):
        lines = list(islice(_lines(was.get(name, ""), now.get(name, "")), MOST + 1))
        if lines:
            found.append(ChangedText(name, lines[:MOST], len(lines) > MOST))
    return found


def _texts(kind: Kind, version: str) -> dict[str, str]:
    """Return the texts of a version by name: of each of its files, or of its whole content."""
    try:
        file: Any = kind.files.load(version)
    except FileFault:
        return {}
    if files := getattr(file, "files", None):
        return {name: data.decode(errors="replace") for name, data in files.items()}
    content = json.loads(file.canonical)["body"]
    return {str(kind.name): json.dumps(content, indent=2, ensure_ascii=False, sort_keys=True)}


def _lines(was: str, now: str) -> Iterator[tuple[str, str]]:
    compared = unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=AROUND)
    for line in islice(compared, 2, None):  # without the names of the files
        yield _MARKS.get(line[0], ""), line if line[0] == "@" else line[1:]
