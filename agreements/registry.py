"""What we executed, by fingerprint: papers (as read, as sealed), certificates and manifests."""

from django.db.models import Q

from agreements.lifecycle import IN_EVIDENCE, DocumentStatus, PackStatus
from agreements.models import Document, Pack, Revision
from agreements.verdicts import Registered, Status
from console.core import blobs, digests

NEVER_SHOWN = (DocumentStatus.RENDERING, DocumentStatus.FAILED, DocumentStatus.RENDERED)
_DOCUMENT: dict[str, Status] = {
    DocumentStatus.IN_FORCE: "in_force",
    DocumentStatus.SUPERSEDED: "superseded",
    DocumentStatus.TERMINATED: "terminated",
}
_PACK: dict[str, Status] = {
    PackStatus.EXECUTED: "in_force",
    PackStatus.SUPERSEDED: "superseded",
    PackStatus.TERMINATED: "terminated",
}


def find(sha256: str) -> Registered | None:
    """Return what the fingerprint belongs to, or None."""
    return _document(sha256) or _evidence(sha256)


def _document(sha256: str) -> Registered | None:
    document = (
        Document.objects.select_related("revision__pack")
        .filter(Q(sealed_sha256=sha256) | Q(unsigned_sha256=sha256))
        .exclude(status__in=NEVER_SHOWN)
        .order_by("-pk")
        .first()
    )
    if document is None:
        return None
    pack = document.revision.pack
    return Registered(
        title=document.title,
        status=_DOCUMENT.get(document.status, "not_executed"),
        unsigned_sha256=document.unsigned_sha256,
        sealed_sha256=document.sealed_sha256,
        pack=pack.number,
        executed_at=pack.executed_at,
        parties=_parties(document.revision),
    )


def _evidence(sha256: str) -> Registered | None:
    """The certificate of a pack, or its manifest, which stands for the whole of it."""
    pack = (
        Pack.objects.select_related("revision")
        .filter(status__in=IN_EVIDENCE)
        .filter(Q(certificate_sha256=sha256) | Q(manifest_sha256=sha256))
        .first()
    )
    if pack is None:
        return None
    assert pack.revision is not None
    certificate = pack.certificate_sha256 == sha256
    return Registered(
        title="Certificate of execution" if certificate else "Agreement pack (its manifest)",
        status=_PACK[pack.status],
        sealed_sha256=sha256,
        pack=pack.number,
        executed_at=pack.executed_at,
        parties=_parties(pack.revision),
        is_manifest=not certificate,
    )


def _parties(revision: Revision) -> tuple[str, ...]:
    """Return the names that stand in the papers: what a business calls itself here can change."""
    facts = digests.parse(blobs.get(revision.facts_sha256))
    return facts["supplier"]["legal_name"], facts["business"]["legal_name"]
