"""The data of the versions page: for each kind the version in use, proposals and unused files."""

from collections.abc import Collection
from dataclasses import dataclass

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Role
from console.publishing import publications, published_kinds
from console.publishing.models import Publication
from console.publishing.published_kinds import Kind

Roles = frozenset[Role]


@dataclass(frozen=True)
class UnusedVersion:
    """A version that is not in use, and whether the one in use is newer."""

    version: str
    is_older: bool


@dataclass(frozen=True)
class VersionInUse:
    """A kind with its version in use, and the versions that are not in use."""

    kind: Kind
    publication: Publication | None
    unused: list[UnusedVersion]
    may_propose: bool


@dataclass(frozen=True)
class Proposal:
    """A version waiting for a second person, and what this user may do with it."""

    kind: Kind
    publication: Publication
    may_put_in_use: bool
    may_withdraw: bool


@dataclass(frozen=True)
class Replacement:
    """What a proposal replaces, and whether this user may put it in use."""

    kind: Kind
    publication: Publication
    before: Publication | None
    is_older: bool
    may_put_in_use: bool


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
    own = set(access.accounts_of(person).values_list("pk", flat=True))
    return [
        Proposal(
            kind,
            row,
            row.proposed_by_id not in own and access.allows(roles, kind.put_in_use),
            may_withdraw=access.allows(roles, kind.propose),
        )
        for row in rows
        if (kind := published_kinds.find(row.kind))
    ]


def replacement(publication: Publication, roles: Roles, person: User) -> Replacement:
    """Return what an open proposal replaces. Raises WrongStatus if it is no longer open."""
    kind = publications.kind_of(publication)
    publications.require_open(publication)
    before = publications.in_use_beside(publication)
    return Replacement(
        kind,
        publication,
        before,
        is_older=publications.is_older(kind, publication.version, before),
        may_put_in_use=access.allows(roles, kind.put_in_use)
        and not access.is_same_person(publication.proposed_by, person),
    )


def _line(
    kind: Kind, publication: Publication | None, roles: Roles, proposed: Collection[str] = ()
) -> VersionInUse:
    used = publication.version if publication else ""
    unused = [
        UnusedVersion(version, publications.is_older(kind, version, publication))
        for version in reversed(kind.files.versions())
        if version != used
    ]
    return VersionInUse(
        kind, publication, unused, kind.key not in proposed and access.allows(roles, kind.propose)
    )
