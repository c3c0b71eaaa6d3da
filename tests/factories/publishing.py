"""Factories that publish versioned files: one person proposes, another puts in use."""

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
    """Return the registered kind of these files."""
    found = published_kinds.find(files.key)
    assert found is not None
    return found


def who_may(permission: Permission) -> User:
    """Return a member of staff with that permission."""
    return one_of_staff(holders(permission)[0])


def proposed(files: Files[Any], version: str, *, by: User | None = None) -> Publication:
    """Propose that version as `by`, or as a new member of staff with the permission."""
    kind = kind_of(files)
    return publications.propose(kind, version, by=by or who_may(kind.propose))


def published(
    files: Files[Any], version: str, *, by: tuple[User, User] | None = None
) -> Publication:
    """Propose that version as one person and put it in use as another, even if it is older."""
    kind = kind_of(files)
    one, other = by or (who_may(kind.propose), who_may(kind.put_in_use))
    return publications.put_in_use(
        proposed(files, version, by=one), reason="Checked.", older=True, by=other
    )


def the_first_rules() -> None:
    """Publish the first edition of the rules and the first version of the template ERC."""
    kind = kind_of(RULESETS)
    people = who_may(kind.propose), who_may(kind.put_in_use)
    published(TemplateVersions("ERC"), "1.0.0", by=people)
    published(RULESETS, "2026-11", by=people)
