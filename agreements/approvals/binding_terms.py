"""What a countersignature binds us to, as the pack states it: shown before the last press."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from agreements.approvals import approvals
from agreements.lifecycle import DecisionKind, DecisionRole
from agreements.models import Decision, Document, Pack, Receipt, SignatureAct
from agreements.packs import packs, product_prices
from console.catalogue.definitions import PRODUCTS
from console.core import blobs, digests


@dataclass(frozen=True)
class BoundProduct:
    """A product of the pack with its prices, or why commercial refused it."""

    name: str
    prices: list[str]
    refused: str


@dataclass(frozen=True)
class OpenedDocument:
    """A document of the pack, and who accepted it after they opened it, oldest first."""

    document: Document
    receipts: list[Receipt]


@dataclass(frozen=True)
class BindingTerms:
    """The parties, products, prices, volumes and documents of the newest revision."""

    facts: dict[str, Any]
    products: list[BoundProduct]
    documents: list[OpenedDocument]
    acts: list[SignatureAct]
    decisions: list[Decision]


def terms_of(pack: Pack) -> dict[str, Any]:
    """Return the terms by name, for the page; empty before there is a revision."""
    if pack.revision is None:
        return {}
    facts = digests.parse(blobs.get(pack.revision.facts_sha256))
    prices = product_prices.of_fees(facts["fees"])
    decided = list(approvals.decisions(pack))
    refused = {
        key: why
        for one in decided
        if (one.role, one.verdict) == (DecisionRole.COMMERCIAL, DecisionKind.APPROVED)
        for key, why in one.refused_products.items()
    }
    products = [
        BoundProduct(PRODUCTS[key].name, prices.get(key, []), refused.get(key, ""))
        for key in pack.revision.products
    ]
    acts = SignatureAct.objects.filter(revision=pack.revision).select_related("person")
    return {
        "terms": BindingTerms(
            facts, products, _opened(pack), list(acts.order_by("at", "pk")), decided
        )
    }


def _opened(pack: Pack) -> list[OpenedDocument]:
    by_document: dict[int, list[Receipt]] = defaultdict(list)
    rows = Receipt.objects.filter(document__revision=pack.revision).select_related("person")
    for receipt in rows.order_by("accepted_at", "pk"):
        by_document[receipt.document_id].append(receipt)
    return [OpenedDocument(one, by_document[one.pk]) for one in packs.documents_of(pack)]
