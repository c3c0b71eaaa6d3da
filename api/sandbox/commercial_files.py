"""Versioned files of what we offer and at what price, put in use by two people."""

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


def register(files: Files[Any]) -> None:
    """Allow commercial to propose versions, and the head of legal to put them in use."""
    published_kinds.register(
        Kind(files, Permission.PRICE_LIST_PROPOSE, Permission.PRICE_LIST_PUBLISH)
    )
