"""Read the documents one by one: what was served, to whom and when, and accepting each."""

from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from agreements.lifecycle import OFFERED, DocumentStatus, PackStatus
from agreements.models import Document, Pack, Receipt
from agreements.packs import event_chain, packs
from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Stale, WrongStatus

_SALT = "agreements.served"
# A page that was opened longer ago is opened again, so that what is accepted was just read.
SERVED_FOR = timedelta(hours=24)


class NotOffered(WrongStatus):
    """The pack is not one that can be read and accepted now."""


def served(document: Document, person: User) -> str:
    """Return the mark that a page carries: this text and PDF, to this person, at this moment."""
    return signing.dumps([*_shown(document, person), clock.now().isoformat()], salt=_SALT)


@transaction.atomic
def accept(document: Document, *, mark: str, by: User) -> Document:
    """Accept one document, on the word of the page that showed it. Twice is once."""
    pack = Pack.objects.locked(document.revision.pack)
    document = Document.objects.select_related("revision").get(pk=document.pk)
    access.require(by, Permission.PACK_READ, pack.business)
    opened_at = _opened_at(mark, document, by)
    _require_offered(pack, document)
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
    """Take one's own acceptance back, until the first signature. Others keep theirs."""
    pack = Pack.objects.locked(document.revision.pack)
    document = Document.objects.select_related("revision").get(pk=document.pk)
    access.require(by, Permission.PACK_READ, pack.business)
    _require_offered(pack, document)
    mine, _ = Receipt.objects.filter(document=document, person=by).delete()
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
    """Return what a page of this document puts before a person, by its fingerprints."""
    return [document.public_id, document.html_sha256, document.unsigned_sha256, person.public_id]


def _opened_at(mark: str, document: Document, person: User) -> datetime:
    """Return when the page was served, or refuse a mark that is not of this document and person."""
    try:
        *shown, at = signing.loads(mark, salt=_SALT, max_age=SERVED_FOR)
        opened_at = datetime.fromisoformat(at)
    except (signing.BadSignature, ValueError):
        raise Stale(_("You opened this page too long ago. Open the document again.")) from None
    if shown != _shown(document, person):
        raise Stale(_("This document has changed since you opened it. Read the new version."))
    return min(opened_at, clock.now())


def _opened(receipt: Receipt) -> dict[str, Any]:
    """Say what was opened, when, and for how long at least."""
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
    """Move the pack to where its documents say it is: ready once every one is accepted."""
    waiting = any(one.status != DocumentStatus.ACCEPTED for one in packs.documents_of(pack))
    to = PackStatus.IN_REVIEW if waiting else PackStatus.READY_TO_SIGN
    if pack.status != to:
        act = "pack.reading_reopened" if waiting else "pack.ready_to_sign"
        packs.move(pack, to, act=act, by=by)


def _note(code: str, pack: Pack, document: Document, *, by: User, **more: Any) -> None:
    facts = {"document": document.code, "unsigned_sha256": document.unsigned_sha256, **more}
    event_chain.append(pack, code, by=by, **facts)
    audit.record(code, document, by=by, business=pack.business, pack=pack.number, **facts)
