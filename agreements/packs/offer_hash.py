"""The offer that people sign, and the statement that they sign it under."""

from typing import Any

from agreements.models import Pack, Revision
from console.core import blobs, digests

OFFER = "agr.offer.v1"
CONSENT_DOCUMENT = "ERC"


def make(pack: Pack, revision: Revision) -> str:
    """Store the canonical offer of a rendered revision and return its SHA-256."""
    return blobs.put(digests.canonical(OFFER, body(pack, revision)))


def body(pack: Pack, revision: Revision) -> dict[str, Any]:
    """Return the contents of the offer. The expiry is left out so that extending it is possible."""
    documents = [
        {
            "order": row.order,
            "code": row.code,
            "template": row.reference,
            "html_sha256": row.html_sha256,
            "unsigned_sha256": row.unsigned_sha256,
            "pages": row.pages,
            "bytes": row.unsigned_bytes,
        }
        for row in revision.documents.in_order()
    ]
    consents = [row["unsigned_sha256"] for row in documents if row["code"] == CONSENT_DOCUMENT]
    return {
        "pack": pack.number,
        "revision": revision.number,
        "business": pack.business.public_id,
        "ruleset_sha256": revision.ruleset_sha256,
        "trace_sha256": revision.trace_sha256,
        "facts_sha256": revision.facts_sha256,
        "profile_sha256": revision.profile_sha256,
        "documents": documents,
        "consent_sha256": consents[0] if consents else "",
        "statement_sha256": digests.sha256_hex(wording(pack, revision).encode()),
        "authority": {"rule": "the signatory alone", "signatory": revision.signatory},
        "supersedes": pack.supersedes,
    }


def wording(pack: Pack, revision: Revision) -> str:
    """Return the signatory's declaration, word for word; the signature adds the offer's hash."""
    who = revision.signatory
    count = revision.documents.count()
    return (
        f"I, {who['name']}, {who['title']}, have read all {count} documents of agreement pack "
        f"{pack.number}. I agree to receive and sign them electronically. I have the authority to "
        "bind the business named in them, and I sign them all, once, with this act."
    )


def statement(pack: Pack, revision: Revision) -> str:
    """Return the declaration with the hash of what is signed."""
    return f"{wording(pack, revision)} Fingerprint of the pack: {revision.offer_sha256}."
