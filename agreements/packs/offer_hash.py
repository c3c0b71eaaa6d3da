"""The offer that people sign, and the statement that they sign it under."""

from typing import Any

from agreements.models import Pack, Revision
from agreements.packs import authority
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
        "authority": {
            "rule": authority.RULES[authority.rule_of(revision)],
            "needs": authority.needed(revision),
            "signatory": revision.signatory,
        },
        "supersedes": pack.supersedes,
    }


def wording(pack: Pack, revision: Revision) -> str:
    """Return the signatories' declaration, word for word; a signature adds the offer's hash."""
    first, *others = authority.signatories(revision)
    count = revision.documents.count()
    if others:
        named = "; ".join(f"{one.name}, {one.title}" for one in (first, *others))
        rule = authority.RULES[authority.rule_of(revision)]
        return (
            f"I am one of the signatories of agreement pack {pack.number}, who are: {named}. "
            f"I have read all {count} documents of the pack. I agree to receive and sign them "
            "electronically. I have the authority to bind the business named in them once "
            f"{rule} have signed, and I sign them all, once, with this act."
        )
    return (
        f"I, {first.name}, {first.title}, have read all {count} documents of agreement pack "
        f"{pack.number}. I agree to receive and sign them electronically. I have the authority to "
        "bind the business named in them, and I sign them all, once, with this act."
    )


def statement(pack: Pack, revision: Revision) -> str:
    """Return the declaration with the hash of what is signed."""
    return f"{wording(pack, revision)} Fingerprint of the pack: {revision.offer_sha256}."
