"""Versioned files of what we offer and at what price, put in use by two people."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass as typed

from console.accounts.roles import Permission
from console.publishing import published_kinds
from console.publishing.files import STRICT, Files, VersionedFile
from console.publishing.published_kinds import Kind

FOLDER = Path(__file__).parent / "data"


@typed(frozen=True, config=STRICT, kw_only=True)
class CommercialFile(VersionedFile):
    """One version; `note` is for the person who puts it in use."""

    note: str = ""


def repeated(names: Iterable[str]) -> Iterator[str]:
    """Return a sentence for each name that is there more than once, in order."""
    for name, times in sorted(Counter(names).items()):
        if times > 1:
            yield f"{name} is there twice."


def register(files: Files[Any]) -> None:
    """Allow commercial to propose versions, and the head of legal to put them in use."""
    published_kinds.register(
        Kind(files, Permission.PRICE_LIST_PROPOSE, Permission.PRICE_LIST_PUBLISH)
    )
