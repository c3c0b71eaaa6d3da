"""The data of the versions page: for each kind the version in use, proposals and unused files."""

from collections.abc import Collection
from dataclasses import dataclass

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Role
from console.publishing import published_kinds
from console.publishing.models import Publication
from console.publishing.published_kinds import Kind

Roles = frozenset[Role]


@dataclass(frozen=True)
class VersionInUse:
    """A kind with its version in use, and the versions that are not in use."""

    kind: Kind
    publication: Publication | None
    unused: list[str]
    may_propose: bool


@dataclass(frozen=True)
class Proposal:
    """A version waiting for a second person, and what this user may do with it."""

    kind: Kind
    publication: Publication
    may_put_in_use: bool
    may_withdraw: bool


def lines(roles: Roles) -> list[VersionInUse]:
    """Return every kind, in two queries. Reads no files."""
    rows = Publication.objects.in_use().with_people()
    by_kind = {row.kind: row for row in rows}
    proposed = set(Publication.objects.proposed().values_list("kind", flat=True))
    return [_line(kind, by_kind.get(kind.key), roles, proposed) for kind in published_kinds.every()]


def line(kind: Kind, roles: Roles) -> VersionInUse:
    """Return one kind."""
    rows = Publication.objects.filter(kind=kind.key).in_use().with_people()
    return _line(kind, rows.first(), roles)


def proposals(roles: Roles, person: User) -> list[Proposal]:
    """Return open proposals, longest wait first."""
    rows = Publication.objects.proposed().with_people().order_by("proposed_at", "pk")
    return [
        Proposal(
            kind,
            row,
            may_put_in_use=row.proposed_by_id != person.pk
            and access.allows(roles, kind.put_in_use),
            may_withdraw=access.allows(roles, kind.propose),
        )
        for row in rows
        if (kind := published_kinds.find(row.kind))
    ]


def _line(
    kind: Kind, publication: Publication | None, roles: Roles, proposed: Collection[str] = ()
) -> VersionInUse:
    used = publication.version if publication else ""
    unused = [version for version in reversed(kind.files.versions()) if version != used]
    return VersionInUse(
        kind, publication, unused, kind.key not in proposed and access.allows(roles, kind.propose)
    )
