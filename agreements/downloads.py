"""Downloads: review copies before execution, sealed copies and their evidence afterwards."""

import zipfile
from collections.abc import Callable
from io import BytesIO

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404

from agreements import lookup
from agreements.lifecycle import PackStatus
from agreements.models import Document, Pack
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page, staff_page
from console.accounts.roles import Permission
from console.core import blobs
from console.shell.attachments import attachment

PDF, JSON, TEXT, ZIP = "application/pdf", "application/json", "text/plain", "application/zip"


def _sums(pack: Pack) -> bytes:
    with zipfile.ZipFile(BytesIO(blobs.get(pack.bundle_sha256))) as archive:
        return archive.read(f"{pack.number}/SHA256SUMS")


# Files about a whole executed pack, by kind: where to find their contents.
FILES: dict[str, tuple[str, Callable[[Pack], bytes]]] = {
    "bundle.zip": (ZIP, lambda pack: blobs.get(pack.bundle_sha256)),
    "certificate.pdf": (PDF, lambda pack: blobs.get(pack.certificate_sha256)),
    "manifest.json": (JSON, lambda pack: blobs.get(pack.manifest_sha256)),
    "SHA256SUMS": (TEXT, _sums),
}


@business_page(Permission.PACK_READ)
def review_copy(request: ConsoleRequest, business: Business, document_id: str) -> HttpResponse:
    """Download the unsigned PDF that is read and signed."""
    return _review_copy(lookup.document_of(business, document_id))


@business_page(Permission.PACK_VIEW)
def sealed_copy(request: ConsoleRequest, business: Business, document_id: str) -> HttpResponse:
    """Download the sealed PDF of an executed document."""
    return _sealed_copy(lookup.document_of(business, document_id))


@business_page(Permission.PACK_VIEW)
def file(request: ConsoleRequest, business: Business, number: str, name: str) -> HttpResponse:
    """Download the bundle, certificate, manifest or checksums of an executed pack."""
    return _file(get_object_or_404(Pack, business=business, number=number), name)


@staff_page(Permission.REVIEW_VIEW)
def case_review_copy(
    request: ConsoleRequest, application_id: str, document_id: str
) -> HttpResponse:
    """Download the unsigned PDF that is read and signed, for our staff."""
    return _review_copy(lookup.document_of_case(application_id, document_id))


@staff_page(Permission.REVIEW_VIEW)
def case_sealed_copy(
    request: ConsoleRequest, application_id: str, document_id: str
) -> HttpResponse:
    """Download the sealed PDF of an executed document, for our staff."""
    return _sealed_copy(lookup.document_of_case(application_id, document_id))


@staff_page(Permission.REVIEW_VIEW)
def case_file(request: ConsoleRequest, application_id: str, number: str, name: str) -> HttpResponse:
    """Download a file of an executed pack, for our staff."""
    rows = Pack.objects.filter(application__public_id=application_id)
    return _file(get_object_or_404(rows, number=number), name)


def _review_copy(document: Document) -> HttpResponse:
    data = blobs.get(document.unsigned_sha256)
    stem = document.file_name.removesuffix(".pdf")
    name = f"{document.revision.pack.number}-{stem}-review-copy-not-executed.pdf"
    return attachment(data, name, PDF)


def _sealed_copy(document: Document) -> HttpResponse:
    pack = document.revision.pack
    if pack.status != PackStatus.EXECUTED or not document.sealed_sha256:
        raise Http404
    return attachment(blobs.get(document.sealed_sha256), f"{pack.number}-{document.file_name}", PDF)


def _file(pack: Pack, name: str) -> HttpResponse:
    if pack.status != PackStatus.EXECUTED or name not in FILES:
        raise Http404
    kind, read = FILES[name]
    return attachment(read(pack), f"{pack.number}-{name}", kind)
