"""Record what was shown to whom and when, and accept documents one by one."""

from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from agreements.lifecycle import OFFERED, UNSIGNED, DocumentStatus, PackStatus
from agreements.models import Document, Pack, Receipt
from agreements.packs import event_chain, packs
from console.accounts import access, business_access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Stale, WrongStatus

_SALT = "agreements.served"
# Older pages must be reopened, so that people accept only what they just read.
SERVED_FOR = timedelta(hours=24)


class NotOffered(WrongStatus):
    """Raised when the pack cannot be read and accepted now."""


def served(document: Document, person: User) -> str:
    """Return a signed token for a page: this text and PDF, shown to this person at this time."""
    return signing.dumps([*_shown(document, person), clock.now().isoformat()], salt=_SALT)


@transaction.atomic
def accept(document: Document, *, mark: str, by: User) -> Document:
    """Accept a document, given the token of the page that showed it. Safe to repeat."""
    pack = Pack.objects.locked(document.revision.pack)
    document = Document.objects.select_related("revision").get(pk=document.pk)
    access.require(by, Permission.PACK_READ, pack.business)
    opened_at = _opened_at(mark, document, by)
    _require_offered(pack, document)
    business_access.require(pack.business)
    receipt, new = Receipt.objects.get_or_create(
        document=document,
        person=by,
        defaults={
            "html_sha256": document.html_sha256,
            "unsigned_sha256": document.unsigned_sha256,
            "opened_at": opened_at,
            "accepted_at": clock.now(),
        },
    )
    if document.status == DocumentStatus.OFFERED:
        packs.move_document(document, DocumentStatus.ACCEPTED)
    if new:
        _note("document.accepted", pack, document, by=by, **_opened(receipt))
    _settle(pack, by=by)
    return document


@transaction.atomic
def take_back(document: Document, *, by: User) -> Document:
    """Withdraw this person's acceptance, until the first signature. Other people's remain."""
    pack = Pack.objects.locked(document.revision.pack)
    document = Document.objects.select_related("revision").get(pk=document.pk)
    access.require(by, Permission.PACK_READ, pack.business)
    _require_offered(pack, document)
    if pack.status not in UNSIGNED:
        raise NotOffered(_("Somebody has signed, so acceptances can no longer be taken back."))
    mine, _by_model = Receipt.objects.filter(document=document, person=by).delete()
    if mine:
        _note("document.taken_back", pack, document, by=by)
    if mine and not Receipt.objects.filter(document=document).exists():
        packs.move_document(document, DocumentStatus.OFFERED)
    _settle(pack, by=by)
    return document


def unread(pack: Pack, person: User) -> list[Document]:
    """Return the documents that this person has not accepted, in order."""
    if pack.revision is None:
        return []
    mine = Receipt.objects.filter(person=person).values("document")
    rows = pack.revision.documents.in_order()
    return list(rows.exclude(pk__in=mine))


def _shown(document: Document, person: User) -> list[str]:
    """Return the IDs and hashes that identify what a page shows to a person."""
    return [document.public_id, document.html_sha256, document.unsigned_sha256, person.public_id]


def _opened_at(mark: str, document: Document, person: User) -> datetime:
    """Return when the page was served. Raises Stale for another document's or person's token."""
    try:
        *shown, at = signing.loads(mark, salt=_SALT, max_age=SERVED_FOR)
        opened_at = datetime.fromisoformat(at)
    except (signing.BadSignature, ValueError):
        raise Stale(_("You opened this page too long ago. Open the document again.")) from None
    if shown != _shown(document, person):
        raise Stale(_("This document has changed since you opened it. Read the new version."))
    return min(opened_at, clock.now())


def _opened(receipt: Receipt) -> dict[str, Any]:
    """Return what was opened, when, and the minimum time that it was open."""
    return {
        "html_sha256": receipt.html_sha256,
        "opened_at": clock.iso(receipt.opened_at),
        "open_seconds": receipt.open_seconds,
    }


def _require_offered(pack: Pack, document: Document) -> None:
    if pack.status not in OFFERED or document.revision_id != pack.revision_id:
        raise NotOffered(_("You cannot change this pack now. Open it to see its status."))
    if pack.expires_at and pack.expires_at <= clock.now():
        raise NotOffered(_("The offer has expired. Write to us for a new one."))


def _settle(pack: Pack, *, by: User) -> None:
    """Move the pack to `ready_to_sign` if all documents are accepted, otherwise to `in_review`.

    Once somebody has signed, others still read and the pack stays partly signed.
    """
    if pack.status not in UNSIGNED:
        return
    waiting = any(one.status != DocumentStatus.ACCEPTED for one in packs.documents_of(pack))
    to = PackStatus.IN_REVIEW if waiting else PackStatus.READY_TO_SIGN
    if pack.status != to:
        act = "pack.reading_reopened" if waiting else "pack.ready_to_sign"
        packs.move(pack, to, act=act, by=by)


def _note(code: str, pack: Pack, document: Document, *, by: User, **more: Any) -> None:
    facts = {"document": document.code, "unsigned_sha256": document.unsigned_sha256, **more}
    event_chain.append(pack, code, by=by, **facts)
    audit.record(code, document, by=by, business=pack.business, pack=pack.number, **facts)
