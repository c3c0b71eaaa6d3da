"""Files of what we offer and at what price: put in use by two people, as price lists are."""

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
    """One version: `note` is for whoever puts it in use."""

    note: str = ""


def register(files: Files[Any]) -> None:
    """Let commercial propose a version, and the head of legal put it in use."""
    published_kinds.register(
        Kind(files, Permission.PRICE_LIST_PROPOSE, Permission.PRICE_LIST_PUBLISH)
    )
