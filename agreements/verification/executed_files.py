"""The registry of executed files: every file of every executed pack, by its fingerprint.

find(sha256, holds_file=...)   what a fingerprint belongs to, or None
read(pack, zip, at)            what is to be registered of a pack, from its own zip
register(pack, contents)       in the transaction that executes the pack
"""

import zipfile
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from django.db.models import Q

from agreements.lifecycle import DocumentStatus
from agreements.models import Document, ExecutedFile, Pack, Revision
from agreements.packs import packs
from agreements.verification import file_kinds
from agreements.verification.outcomes import Registered
from agreements.verification.trust import trust
from console.core import blobs, digests

BUNDLE = "bundle.zip"
NEVER_SHOWN = (DocumentStatus.RENDERING, DocumentStatus.RENDERED)


class FilesDamaged(Exception):
    """The files of an executed pack are not what was executed."""


@dataclass(frozen=True)
class Contents:
    """The files of one pack by name, and the seal and the proven time that they stand on."""

    files: dict[str, str]
    seal_sha256: str
    stamped_at: datetime | None


# Asking -----------------------------------------------------------------------------------------


def find(sha256: str, *, holds_file: bool) -> Registered | None:
    """Return what the fingerprint belongs to, naming the parties to who holds the file alone."""
    return (
        _executed(sha256, holds_file=holds_file)
        or _document(sha256, holds_file=holds_file)
        or _offer(sha256)
    )


def _executed(sha256: str, *, holds_file: bool) -> Registered | None:
    rows = ExecutedFile.objects.filter(sha256=sha256).order_by("pk")
    row = rows.select_related("pack__revision", "document").first()
    if row is None or not _is_sealed(row):
        return None
    kind = file_kinds.kind_of(row.name)
    if kind.shared or rows.exclude(pack=row.pack_id).exists():
        return Registered(kind, executed=True, shared=True, seal_sha256=row.seal_sha256)
    pack, document = row.pack, row.document
    return Registered(
        kind,
        executed=True,
        title=document.title if document else "",
        unsigned_sha256=document.unsigned_sha256 if document else "",
        executed_at=pack.executed_at,
        seal_sha256=row.seal_sha256,
        stamped_at=row.stamped_at,
        pack=pack.number if holds_file else "",
        parties=_parties(pack.revision) if holds_file else (),
    )


def _is_sealed(row: ExecutedFile) -> bool:
    """Tell whether the sealed zip of the pack has the file: a row alone proves nothing."""
    pack = row.pack
    if row.name == BUNDLE:
        return bool(row.sha256 == pack.bundle_sha256)
    with zipfile.ZipFile(BytesIO(blobs.get(pack.bundle_sha256))) as archive:
        try:
            return digests.sha256_hex(archive.read(f"{pack.number}/{row.name}")) == row.sha256
        except KeyError:
            return False


def _document(sha256: str, *, holds_file: bool) -> Registered | None:
    """A PDF as it was offered, before any seal."""
    rows = Document.objects.filter(unsigned_sha256=sha256).exclude(status__in=NEVER_SHOWN)
    document = rows.select_related("revision__pack").order_by("-pk").first()
    if document is None:
        return None
    return Registered(
        file_kinds.REVIEW_COPY,
        title=document.title,
        pack=document.revision.pack.number if holds_file else "",
        parties=_parties(document.revision) if holds_file else (),
    )


def _offer(sha256: str) -> Registered | None:
    """What people sign, and what approvers approve, where it was not executed."""
    rows = Revision.objects.filter(Q(offer_sha256=sha256) | Q(signed_set_sha256=sha256))
    revision = rows.order_by("pk").first()
    if revision is None:
        return None
    offered = revision.offer_sha256 == sha256
    return Registered(file_kinds.OFFER if offered else file_kinds.SIGNED_SET)


def _parties(revision: Revision | None) -> tuple[str, ...]:
    """Return the names that stand in the documents: what a business calls itself can change."""
    assert revision is not None
    facts = digests.parse(blobs.get(revision.facts_sha256))
    return facts["supplier"]["legal_name"], facts["business"]["legal_name"]


# Registering ------------------------------------------------------------------------------------


def read(pack: Pack, whole: bytes, at: datetime) -> Contents:
    """Return what a zip holds. The certificate was sealed last, with the seal of all the others."""
    with zipfile.ZipFile(BytesIO(whole)) as archive:
        files = {
            name.removeprefix(f"{pack.number}/"): archive.read(name) for name in archive.namelist()
        }
    from agreements.verification import inspection  # pyHanko takes a second to import

    found = inspection.inspect(files.get(file_kinds.CERTIFICATE_NAME, b""), trust(), at)
    if not found.certificate:
        raise FilesDamaged(f"The certificate of {pack} has no seal: {found.fault}.")
    return Contents(
        files={name: digests.sha256_hex(data) for name, data in files.items()},
        seal_sha256=found.certificate,
        stamped_at=datetime.fromisoformat(found.stamped_at) if found.stamp == "trusted" else None,
    )


def register(pack: Pack, contents: Contents) -> None:
    """Write every file of an executed pack down. The caller holds the pack's row."""
    documents = {one.file_name: one for one in packs.documents_of(pack)}
    files = contents.files | {BUNDLE: pack.bundle_sha256}
    ExecutedFile.objects.bulk_create(
        ExecutedFile(
            pack=pack,
            document=documents.get(name),
            name=name,
            sha256=sha256,
            seal_sha256=contents.seal_sha256,
            stamped_at=contents.stamped_at,
        )
        for name, sha256 in files.items()
    )
