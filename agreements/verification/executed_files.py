"""Registry of executed files: every file of every executed pack, by hash.

find(sha256, holds_file=...)   the registered file with this hash, or None
registered(row, ...)           what to say about a registered file
read(pack, zip, at)            what to register for a pack, read from its own zip
register(pack, contents)       save it, in the transaction that executes the pack
"""

import logging
import zipfile
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from django.db.models import Q

from agreements.lifecycle import DocumentStatus
from agreements.models import Document, ExecutedFile, Pack, Revision
from agreements.packs import packs
from agreements.verification import file_kinds, sealed_list
from agreements.verification.outcomes import Registered
from agreements.verification.trust import trust
from console.core import blobs, digests

log = logging.getLogger(__name__)

NEVER_SHOWN = (DocumentStatus.RENDERING, DocumentStatus.RENDERED)


class FilesDamaged(Exception):
    """Raised when the zip's files do not match the executed pack."""


@dataclass(frozen=True)
class Contents:
    """A pack's files by name, with its seal and the proven time of that seal."""

    files: dict[str, str]
    seal_sha256: str
    stamped_at: datetime | None


# Lookup -----------------------------------------------------------------------------------------


def find(sha256: str, *, holds_file: bool) -> Registered | None:
    """Return the registered file. Pack and parties are named only if `holds_file`."""
    return (
        _executed(sha256, holds_file=holds_file)
        or _document(sha256, holds_file=holds_file)
        or _offer(sha256)
    )


def _executed(sha256: str, *, holds_file: bool) -> Registered | None:
    """Return the first file that the sealed list of its pack has. Other rows were not ours."""
    rows = ExecutedFile.objects.filter(sha256=sha256).order_by("pk")
    looked_at = rows.select_related("pack__revision", "document")[:2]  # two are in many packs
    sealed = [
        (row, known) for row in looked_at if (known := sealed_list.is_sealed(row)) is not False
    ]
    if not sealed:
        return None
    row, known = sealed[0]
    return registered(row, holds_file=holds_file, sealed=bool(known), shared=len(sealed) > 1)


def registered(
    row: ExecutedFile, *, holds_file: bool, sealed: bool = True, shared: bool = False
) -> Registered:
    """Return a registered file. If its sealed list could not be read, its seal is unknown."""
    kind, seal = file_kinds.kind_of(row.name), row.seal_sha256 if sealed else ""
    if kind.shared or shared:
        return Registered(kind, executed=True, shared=True, seal_sha256=seal)
    pack, document = row.pack, row.document
    return Registered(
        kind,
        executed=True,
        title=document.title if document else "",
        unsigned_sha256=document.unsigned_sha256 if document else "",
        executed_at=pack.executed_at,
        seal_sha256=seal,
        stamped_at=row.stamped_at,
        pack=pack.number if holds_file else "",
        parties=_parties(pack.revision) if holds_file else (),
    )


def _document(sha256: str, *, holds_file: bool) -> Registered | None:
    """Return a document as it was offered, before sealing."""
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
    """Return an offer or signed set that was not executed."""
    rows = Revision.objects.filter(Q(offer_sha256=sha256) | Q(signed_set_sha256=sha256))
    revision = rows.order_by("pk").first()
    if revision is None:
        return None
    offered = revision.offer_sha256 == sha256
    return Registered(file_kinds.OFFER if offered else file_kinds.SIGNED_SET)


def _parties(revision: Revision | None) -> tuple[str, ...]:
    """Return the party names stated in the documents, since a business can change its name.

    None are returned while the document store cannot give us the facts.
    """
    assert revision is not None
    try:
        facts = digests.parse(blobs.get(revision.facts_sha256))
    except (blobs.BlobDamaged, blobs.StoreUnavailable) as fault:
        log.critical("facts_unreadable", extra={"revision": str(revision), "cause": str(fault)})
        return ()
    return facts["supplier"]["legal_name"], facts["business"]["legal_name"]


# Registration -----------------------------------------------------------------------------------


def read(pack: Pack, whole: bytes, at: datetime) -> Contents:
    """Return the contents of a zip. Its certificate was sealed last, with the same seal."""
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
    """Save every file of an executed pack. The caller must hold the pack's row lock."""
    documents = {one.file_name: one for one in packs.documents_of(pack)}
    files = contents.files | {sealed_list.BUNDLE: pack.bundle_sha256}
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
