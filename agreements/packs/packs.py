"""Prepare, offer, withdraw and expire packs, and restart those whose facts have changed."""

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from agreements.lifecycle import (
    BEYOND_RECALL,
    DOCUMENT_LIFECYCLE,
    LIFECYCLE,
    OFFERED,
    OUTDATED,
    DocumentStatus,
    PackStatus,
)
from agreements.models import Document, Pack
from agreements.packs import event_chain, pack_versions
from console.accounts import access, business_access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import blobs, clock, digests
from console.core.refusals import NotReady, ReasonMissing, Refused, WrongStatus
from console.core.text import says_something
from console.events import outbox as events
from onboarding.models import Application

NUMBER_PREFIX = "AGP-"


class TooLate(WrongStatus):
    """Raised when the pack is already countersigned and the agreement is binding."""


@transaction.atomic
def prepare(application: Application, *, by: Actor) -> Pack:
    """Open a pack for a cleared application, or restart an outdated one. Safe to repeat."""
    application = Application.objects.locked(application)
    tier = application.assessment.tier if application.assessment else ""
    pack = live_of(application)
    if pack is not None:
        if pack.status not in OUTDATED:
            return pack
        business_access.require(application.business, is_told=False)
        # New answers may change the score, and with it the terms and the approvers.
        pack.tier = tier
        _drop_documents(pack)
        return move(pack, PackStatus.GENERATING, by=by, tier=tier)
    business_access.require(application.business, is_told=False)
    pack = Pack.objects.create(
        number=_next_number(),
        business=application.business,
        application=application,
        tier=tier,
        versions=pack_versions.in_use_now(),
    )
    event_chain.append(pack, "pack.opened", by=by)
    after = {"number": pack.number, "tier": tier, "versions": pack.versions}
    audit.record("pack.opened", pack, by=by, after=after)
    events.publish("pack.generating", pack)
    return pack


@transaction.atomic
def offer(pack: Pack, *, by: Actor) -> Pack:
    """Offer a generated pack to the business until the end of the day stated on its cover."""
    pack = Pack.objects.locked(pack)
    LIFECYCLE.check(pack.status, PackStatus.IN_REVIEW)
    assert pack.revision is not None
    stated = digests.parse(blobs.get(pack.revision.facts_sha256))["pack"]["offer_ends_on"]
    ends = date.fromisoformat(stated) + timedelta(days=1)
    pack.offered_at, pack.expires_at = clock.now(), datetime.combine(ends, time(), UTC)
    for document in documents_of(pack):
        move_document(document, DocumentStatus.OFFERED)
    return move(pack, PackStatus.IN_REVIEW, by=by)


@transaction.atomic
def retry(pack: Pack, *, reason: str, anew: bool = False, by: User) -> Pack:
    """Retry a stopped preparation or sealing, for a recorded reason.

    `anew` prepares every document again from the templates, rules and prices in use now.
    """
    pack = Pack.objects.locked(pack)
    access.require(by, Permission.PACK_OPERATE)
    if not says_something(reason):
        raise ReasonMissing(_("Say what you did about the cause. A sentence is enough."))
    business_access.require(pack.business, is_told=False)
    sealing = pack.status == PackStatus.SEAL_FAILED
    pack.failures, pack.trouble = 0, ""
    if anew and not sealing:
        _drop_documents(pack)
        pack.versions = pack_versions.in_use_now()
    to = PackStatus.COUNTERSIGNING if sealing else PackStatus.GENERATING
    act = "pack.sealing_retried" if sealing else "pack.preparation_retried"
    return move(pack, to, act=act, by=by, reason=reason.strip(), anew=anew and not sealing)


@transaction.atomic
def outdate(application: Application, *, by: Actor) -> None:
    """Mark the pack of a returned application as outdated. Raises TooLate if countersigned."""
    pack = live_of(application)
    if pack is None or pack.status in OUTDATED:
        return
    require_recallable(pack)
    move(pack, PackStatus.STALE, by=by)


@transaction.atomic
def withdraw(application: Application, *, by: Actor) -> None:
    """Withdraw the pack of a closed application. Raises TooLate if countersigned."""
    pack = live_of(application)
    if pack is None:
        return
    require_recallable(pack)
    move(pack, PackStatus.WITHDRAWN, by=by)


@transaction.atomic
def expire(pack: Pack, *, by: Actor) -> Pack:
    """Expire an offer that is past its time, by the same clock that signing uses."""
    pack = Pack.objects.locked(pack)
    if pack.expires_at is None or pack.expires_at > clock.now():
        raise NotReady(_("This offer is still valid."))
    return move(pack, PackStatus.EXPIRED, by=by)


def expire_all() -> None:
    """Expire up to 100 offers that are past their time. Run by the scheduler."""
    over = Pack.objects.filter(status__in=OFFERED, expires_at__lte=clock.now())
    for pack in over.order_by("expires_at", "pk")[:100]:
        with suppress(Refused):  # signed or withdrawn at the same moment
            expire(pack, by=SYSTEM)


def move(pack: Pack, to: PackStatus, *, act: str = "", by: Actor, **details: Any) -> Pack:
    """Change the status, record it in both chains and publish an event.

    `act` is the audit code, if several actions lead to the same status.
    """
    was = pack.status
    LIFECYCLE.check(was, to)
    pack.status = to
    pack.save()
    event_chain.append(pack, f"pack.{to}", by=by, was=str(was))
    before, after = {"status": str(was)}, {"status": str(to)}
    audit.record(act or f"pack.{to}", pack, by=by, before=before, after=after, **details)
    events.publish(
        f"pack.{to}", pack, was=str(was), business=pack.business.public_id, number=pack.number
    )
    return pack


def note_failure(pack: Pack, cause: Exception) -> None:
    """Count a failed attempt of a worker, and keep its cause for operators."""
    pack.failures += 1
    pack.trouble = f"{type(cause).__name__}: {cause}"[:2000]
    pack.save(update_fields=["failures", "trouble"])


def move_document(document: Document, to: DocumentStatus) -> Document:
    """Change a document's status; the caller records the cause in the pack's chain."""
    DOCUMENT_LIFECYCLE.check(document.status, to)
    document.status = to
    document.save()
    return document


def documents_of(pack: Pack) -> list[Document]:
    """Return the documents of the newest revision, in order."""
    if pack.revision is None:
        return []
    return list(pack.revision.documents.in_order())


def live_of(application: Application) -> Pack | None:
    """Return the application's current pack, locked until the transaction ends."""
    pack = Pack.objects.live().filter(application=application).first()
    return Pack.objects.locked(pack) if pack else None


def require_recallable(pack: Pack) -> None:
    """Raise TooLate if the pack is already countersigned."""
    if pack.status in BEYOND_RECALL:
        raise TooLate(
            _("You cannot withdraw the agreement, because we have already countersigned it.")
        )


def _drop_documents(pack: Pack) -> None:
    """Drop the documents of the newest revision, before a new revision."""
    for document in documents_of(pack):
        if document.status != DocumentStatus.DROPPED:
            move_document(document, DocumentStatus.DROPPED)


def _next_number() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('public.agreements_pack_number')")
        (number,) = cursor.fetchone() or (0,)
    return f"{NUMBER_PREFIX}{clock.now().year}-{number:06d}"
