"""Proposing a version, putting it in use, and withdrawing the proposal, under dual control.

Versions that ship with the software are put in use by `SYSTEM` at the first start. Versions that
people enter are not.
"""

import zlib
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import User
from console.audit import log as audit
from console.core import clock
from console.core.refusals import NotAllowed, NotReady, ReasonMissing, Refused, WrongStatus
from console.core.text import says_something
from console.events import outbox as events
from console.events import work_claims
from console.publishing import published_kinds
from console.publishing.files import FileFault, Hashed, by_age
from console.publishing.models import Publication
from console.publishing.published_kinds import Kind
from console.shell.modules import May


class CannotPublish(NotReady):
    """The file, or something it refers to, is not ready to be put in use."""


class AlreadyProposed(Refused):
    """Another version of this kind is already proposed."""

    code = "already_proposed"


class AlreadyInUse(Refused):
    """The version is already in use."""

    code = "already_in_use"


class OlderVersion(Refused):
    """The version would replace a newer one, and nobody confirmed that."""

    code = "older_version"


@transaction.atomic
def propose(kind: Kind, version: str, *, by: User) -> Publication:
    """Propose a version of a kind, for somebody else to put in use."""
    access.require(by, kind.propose)
    file = _read(kind, version)
    lock(kind)
    in_use = Publication.objects.filter(kind=kind.key).in_use().first()
    if in_use and (in_use.version, in_use.sha256) == (file.version, file.sha256):
        raise AlreadyInUse(
            _("%(name)s %(version)s is in use already.") % {"name": kind.name, "version": version}
        )
    waiting = Publication.objects.filter(kind=kind.key).proposed().with_people().first()
    if waiting is not None:
        raise AlreadyProposed(
            _("%(person)s has proposed %(name)s %(version)s. Put it in use or withdraw it first.")
            % {"person": waiting.proposed_by, "name": kind.name, "version": waiting.version}
        )
    publication = Publication.objects.create(
        kind=kind.key,
        version=version,
        sha256=file.sha256,
        proposed_by=by,
        proposed_at=clock.now(),
    )
    audit.record("publication.proposed", publication, by=by, **_about(publication))
    events.publish("publication.proposed", publication)
    return publication


@transaction.atomic
def put_in_use(
    publication: Publication, *, reason: str = "", older: bool = False, by: User
) -> Publication:
    """Put a proposed version in use, from now on. The proposer may not do this.

    A file needs a `reason`, which the log keeps; what staff entered on a page has the proposer's.
    `older` confirms that it may replace a newer version.
    """
    publication = Publication.objects.locked(publication)
    kind = kind_of(publication)
    access.require(by, kind.put_in_use)
    require_open(publication)
    if access.is_same_person(publication.proposed_by, by):
        raise NotAllowed(_("You proposed this version, so somebody else must put it in use."))
    if not kind.page and not says_something(reason):
        raise ReasonMissing(_("Say why this version is put in use. A sentence is enough."))
    file = _read(kind, publication.version)
    if file.sha256 != publication.sha256:
        raise CannotPublish(
            _(
                "The file of %(name)s %(version)s was changed after it was proposed. "
                "Withdraw the proposal, then propose it again."
            )
            % {"name": kind.name, "version": publication.version}
        )
    before = in_use_beside(publication)
    if is_older(kind, publication.version, before) and not older:
        raise OlderVersion(
            _("%(version)s is older than %(newer)s, which is in use. Confirm that you want it.")
            % {"version": publication.version, "newer": before.version if before else ""}
        )
    publication.put_in_use_by, publication.in_use_from = by, clock.now()
    publication.save(update_fields=["put_in_use_by", "in_use_from"])
    _tell(publication, by=by, before=before.version if before else "", reason=reason.strip())
    return publication


@transaction.atomic
def withdraw(publication: Publication, *, by: User) -> Publication:
    """Withdraw a proposal. Everybody who may propose may withdraw."""
    publication = Publication.objects.locked(publication)
    kind = kind_of(publication)
    access.require(by, kind.propose)
    require_open(publication)
    publication.withdrawn_by, publication.withdrawn_at = by, clock.now()
    publication.save(update_fields=["withdrawn_by", "withdrawn_at"])
    audit.record("publication.withdrawn", publication, by=by, **_about(publication))
    return publication


@transaction.atomic
def begin(*, by: Actor) -> list[Publication]:
    """Put the newest shipped version of each kind in use if the kind has none. Idempotent."""
    begun = set(Publication.objects.put_in_use().values_list("kind", flat=True))
    ships = [kind for kind in published_kinds.every() if kind.ships]
    return [_begin(kind, by=by) for kind in ships if kind.key not in begun]


def in_use_beside(publication: Publication) -> Publication | None:
    """Return what is in use of the same kind."""
    return Publication.objects.filter(kind=publication.kind).in_use().first()


def is_older(kind: Kind, version: str, in_use: Publication | None) -> bool:
    """Tell whether a version is older than the one in use.

    What staff enter on a page has no age: the same content entered again is the same version.
    """
    return not kind.page and in_use is not None and by_age(version) < by_age(in_use.version)


def lock(kind: Kind) -> None:
    """Block other proposals of this kind until the transaction ends."""
    work_claims.lock(work_claims.PUBLICATIONS, zlib.crc32(kind.key.encode()))


def _begin(kind: Kind, *, by: Actor) -> Publication:
    assert not isinstance(by, User), "people propose, and others put in use"
    file = _read(kind, kind.files.versions()[-1])
    now = clock.now()
    publication = Publication.objects.create(
        kind=kind.key, version=file.version, sha256=file.sha256, proposed_at=now, in_use_from=now
    )
    _tell(publication, by=by, before="")
    return publication


def _tell(publication: Publication, *, by: Actor, before: str, reason: str = "") -> None:
    about = _about(publication)
    said: dict[str, Any] = {"reason": reason} if reason else {}
    audit.record(
        "publication.put_in_use", publication, by=by,
        before={"version": before}, after={"version": publication.version}, **about, **said,
    )  # fmt: skip
    events.publish("publication.put_in_use", publication, **about)


def _about(publication: Publication) -> dict[str, Any]:
    return {
        "file": publication.kind,
        "version": publication.version,
        "sha256": publication.sha256,
    }


def _read(kind: Kind, version: str) -> Hashed:
    try:
        file: Hashed = kind.files.load(version)
    except FileFault as fault:
        raise CannotPublish(str(fault)) from fault
    return file


def kind_of(publication: Publication) -> Kind:
    """Return the kind of a publication, or raise CannotPublish if no package has it any more."""
    kind = published_kinds.find(publication.kind)
    if kind is None:
        raise CannotPublish(
            _("No package knows the kind %(kind)s any more.") % {"kind": publication.kind}
        )
    return kind


def require_open(publication: Publication) -> None:
    """Raise WrongStatus if it is in use or withdrawn already, and say who did it."""
    if publication.in_use_from is not None:
        who = publication.put_in_use_by
        raise WrongStatus(
            _("%(person)s has put %(version)s in use already. Nothing was changed.")
            % {"person": who, "version": publication}
        )
    if publication.withdrawn_at is not None:
        raise WrongStatus(
            _("%(person)s has withdrawn the proposal of %(version)s.")
            % {"person": publication.withdrawn_by, "version": publication}
        )


def waiting(person: Any, may: May) -> QuerySet[Publication]:
    """Return the proposals of others that a person may put in use."""
    kinds = [one.key for one in published_kinds.every() if may(one.put_in_use)]
    return Publication.objects.proposed().filter(kind__in=kinds).exclude(proposed_by=person)
