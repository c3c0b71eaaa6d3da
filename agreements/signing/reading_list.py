"""A pack's documents for one person: which they have accepted, and which to read next."""

from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agreements import statuses
from agreements.lifecycle import OFFERED, DocumentStatus
from agreements.models import Document, Pack, Receipt
from agreements.packs import packs
from console.accounts.models import User

READ = (DocumentStatus.OFFERED, DocumentStatus.ACCEPTED)


@dataclass(frozen=True)
class ListedDocument:
    """A document, and who has accepted it."""

    document: Document
    mine: bool
    others: tuple[str, ...]

    @property
    def state(self) -> str:
        """Return its status in words for the reader."""
        if self.document.status in READ and self.mine:
            return _("Accepted by you")
        if self.document.status in READ and self.others:
            return _("Accepted by %(others)s") % {"others": self.others[0]}
        return statuses.DOCUMENT[self.document.status].business.title

    @property
    def is_done(self) -> bool:
        settled = (DocumentStatus.SIGNED, DocumentStatus.IN_FORCE, DocumentStatus.RENDERED)
        return self.mine or self.document.status in settled


def documents_for(pack: Pack, person: User) -> list[ListedDocument]:
    """Return the documents of the newest revision in order, using two queries."""
    return seen(packs.documents_of(pack), person)


def seen(documents: list[Document], person: User) -> list[ListedDocument]:
    """Return these documents as this person sees them."""
    by_document: dict[int, list[Receipt]] = defaultdict(list)
    rows = Receipt.objects.filter(document__in=documents).select_related("person")
    for receipt in rows.order_by("accepted_at", "pk"):
        by_document[receipt.document_id].append(receipt)
    return [_listed(document, by_document[document.pk], person) for document in documents]


def next_unread(pack: Pack, listed: list[ListedDocument], after: int = 0) -> Document | None:
    """Return the next document to read: after the one just accepted, or else the first one left."""
    if pack.status not in OFFERED:
        return None
    left = [one.document for one in listed if not one.mine]
    behind = [document for document in left if document.order > after]
    return next(iter(behind or left), None)


def _listed(document: Document, receipts: list[Receipt], person: User) -> ListedDocument:
    others = tuple(receipt.person.name for receipt in receipts if receipt.person_id != person.pk)
    return ListedDocument(document, len(others) != len(receipts), others)
