"""Serve logos on the checkout host, under the SHA-256 of the file."""

from django.http import Http404, HttpRequest, HttpResponse

from api.checkout.models import CheckoutSettings
from console.accounts.page_access import public_page
from console.core import blobs


@public_page(by_program=True)
def logo(request: HttpRequest, sha256: str) -> HttpResponse:
    """Serve a logo that a business uses now. Other stored files are documents."""
    if not CheckoutSettings.objects.filter(logo=sha256).exclude(logo="").exists():
        raise Http404
    response = png(sha256)
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def png(sha256: str) -> HttpResponse:
    """Return a stored PNG, never sniffed as anything else."""
    response = HttpResponse(blobs.get(sha256), content_type="image/png")
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
