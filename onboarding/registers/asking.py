"""Requests to registers, and reading of their JSON."""

import json
from collections.abc import Mapping
from typing import Any

from console.core import outbound, text
from console.core.outbound import OutboundAnswer, Patience
from onboarding.registers.records import RegisterDown

# A page waits for the answer, too, when an applicant looks up a company.
PATIENCE = Patience(lookup=2, connect=3, total=6, refused=0)
# Five entries of GLEIF have about 30 KB, a profile of Companies House 3 KB.
MOST_BYTES = 256 * 1024
_LONGEST = 300
_WHO = {"User-Agent": "access-console"}


def get(url: str, headers: Mapping[str, str] | None = None) -> Any:
    """Return the JSON at this URL, or None if the register says 404."""
    answer = outbound.get(url, {**_WHO, **(headers or {})}, patience=PATIENCE, most=MOST_BYTES)
    return None if answer.status == 404 else _document(answer)


def post(url: str, document: Mapping[str, str]) -> Any:
    """Send a JSON document and return the JSON of the answer."""
    headers = {**_WHO, "Content-Type": "application/json", "Accept": "application/json"}
    body = json.dumps(document).encode()
    return _document(outbound.post(url, body, headers, patience=PATIENCE))


def member(document: Any, *path: str) -> Any:
    """Return what stands inside a document, or None if it is not there."""
    for step in path:
        document = document.get(step) if isinstance(document, dict) else None
    return document


def words(document: Any, *path: str) -> str:
    """Return a text inside a document as one clean line, or "" if it is not there."""
    return line(member(document, *path))


def line(found: Any) -> str:
    """Return a register's text as one line without what we do not store, or ""."""
    if not isinstance(found, str):
        return ""
    return text.keepable(" ".join(text.without_hidden(found).split()))[:_LONGEST]


def entries(document: Any, name: str) -> list[Any]:
    """Return a list inside a document, or [] if it is not there."""
    found = document.get(name) if isinstance(document, dict) else None
    return found if isinstance(found, list) else []


def _document(answer: OutboundAnswer) -> Any:
    if not answer.succeeded:
        raise RegisterDown(answer.error)
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise RegisterDown("not JSON") from None
