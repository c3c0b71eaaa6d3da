"""Files to download."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from console.shell import headers


def attachment(data: bytes, name: str, kind: str) -> HttpResponse:
    """Return the file as an attachment, never displayed inline or executed."""
    said = {
        "Content-Disposition": content_disposition_header(as_attachment=True, filename=name),
        "Content-Security-Policy": headers.NOTHING + "; sandbox",
    }
    return HttpResponse(data, content_type=kind, headers=said)
