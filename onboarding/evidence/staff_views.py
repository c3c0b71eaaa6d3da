"""The viewer of evidence files for our reviewers."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import headers
from console.shell.attachments import attachment
from onboarding.evidence import files
from onboarding.evidence.models import EvidenceFile


@staff_page(Permission.EVIDENCE_VIEW)
def evidence_file(request: ConsoleRequest, file_id: str) -> HttpResponse:
    """Show a file: a picture of it or a link to the PDF, its facts, and the decisions on it."""
    file = _find(file_id)
    decisions = file.decisions.select_related("act__reviewer__person", "act__decided_check")
    context = {"file": file, "application": file.application, "decisions": decisions}
    return render(request, "onboarding/evidence_file.html", context)


@staff_page(Permission.EVIDENCE_VIEW)
def evidence_content(request: ConsoleRequest, file_id: str) -> HttpResponse:
    """Serve the picture that we made, or a PDF in a sandbox, without an origin or scripts."""
    file = _find(file_id)
    data = files.look(file, by=request.user)
    kind = "image/jpeg" if file.is_picture else file.media_type
    said = {"Content-Security-Policy": headers.NOTHING + "; sandbox"}
    return HttpResponse(data, content_type=kind, headers=said)


@staff_page(Permission.EVIDENCE_VIEW)
def evidence_download(request: ConsoleRequest, file_id: str) -> HttpResponse:
    """Download a file as we keep it."""
    file = _find(file_id)
    data = files.download(file, by=request.user)
    return attachment(data, file.download_name, file.media_type)


def _find(public_id: str) -> EvidenceFile:
    rows = EvidenceFile.objects.select_related("application__business", "uploaded_by")
    rows = rows.exclude(application__submission=None)
    return get_object_or_404(rows, public_id=public_id)
