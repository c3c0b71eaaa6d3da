"""Factories for the restricted list: one person of compliance proposes, another approves."""

from typing import Any

from console.accounts.roles import Role
from console.publishing import publications
from console.publishing.models import Publication
from onboarding.restrictions import list_versions
from tests.factories.people import one_of_staff


def an_entry(code: str, name: str, **changes: Any) -> dict[str, Any]:
    """Return an entry as a list's document states it."""
    plain = {"code": code, "name": name, "scopes": "all", "basis": "A test", "from": "2026-01-01"}
    return plain | changes


def restriction_proposed(entry: dict[str, Any]) -> Publication:
    """Propose an entry as a new member of compliance."""
    by = one_of_staff(Role.COMPLIANCE)
    return list_versions.propose(entry, reason="A new rule.", by=by)


def restricted(code: str, name: str, **changes: Any) -> Publication:
    """Restrict a place from now on."""
    publication = restriction_proposed(an_entry(code, name, **changes))
    return publications.put_in_use(publication, by=one_of_staff(Role.HEAD_OF_COMPLIANCE))
