"""Versions of files, put in use by two people."""

from typing import Any

from agreements.document_templates.selection import RULESETS
from agreements.document_templates.template_library import TemplateVersions
from console.accounts.models import User
from console.accounts.roles import Permission, holders
from console.publishing import publications, published_kinds
from console.publishing.files import Files
from console.publishing.models import Publication
from console.publishing.published_kinds import Kind
from tests.factories.people import one_of_staff


def kind_of(files: Files[Any]) -> Kind:
    """The registered kind of these files."""
    found = published_kinds.find(files.key)
    assert found is not None
    return found


def who_may(permission: Permission) -> User:
    """Somebody of our staff with that permission."""
    return one_of_staff(holders(permission)[0])


def proposed(files: Files[Any], version: str, *, by: User | None = None) -> Publication:
    """A proposal of that version, by somebody who may."""
    kind = kind_of(files)
    return publications.propose(kind, version, by=by or who_may(kind.propose))


def published(
    files: Files[Any], version: str, *, by: tuple[User, User] | None = None
) -> Publication:
    """That version, proposed by one person and put in use by another."""
    kind = kind_of(files)
    one, other = by or (who_may(kind.propose), who_may(kind.put_in_use))
    return publications.put_in_use(proposed(files, version, by=one), by=other)


def the_first_rules() -> None:
    """The first edition of the rules, and the template that it names in its first version."""
    kind = kind_of(RULESETS)
    people = who_may(kind.propose), who_may(kind.put_in_use)
    published(TemplateVersions("ERC"), "1.0.0", by=people)
    published(RULESETS, "2026-11", by=people)
