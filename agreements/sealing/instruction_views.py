"""Instructions for checking evidence without us: the format, our script, and a second checker."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from agreements.sealing import bundle
from console.accounts.page_access import public_page

FILES = {
    "evidence.md": Path(settings.ROOT, "docs", "evidence.md"),
    "check_evidence.py": Path(settings.ROOT, "docs", "check_evidence.py"),
    "verify.sh": bundle.EVIDENCE / "verify.sh",
}


@public_page()
def instructions(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the instruction files as plain text, unchanged."""
    if name not in FILES:
        raise Http404
    return HttpResponse(FILES[name].read_bytes(), content_type="text/plain; charset=utf-8")
