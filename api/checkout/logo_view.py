"""Serve logos on the checkout host, under the SHA-256 of the file."""

import logging
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse

from api.checkout import logos
from api.checkout.models import CheckoutSettings
from console.accounts.page_access import public_page
from console.core import blobs

log = logging.getLogger(__name__)


@public_page(by_program=True)
def logo(request: HttpRequest, sha256: str) -> HttpResponse:
    """Serve a logo that a business uses now."""
    if not CheckoutSettings.objects.filter(logo=sha256).exclude(logo="").exists():
        raise Http404
    return _immutable(sha256)


def _immutable(sha256: str) -> HttpResponse:
    try:
        response = png(sha256)
    except (blobs.BlobDamaged, blobs.StoreUnavailable):
        log.exception("file_unavailable")
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def png(sha256: str) -> HttpResponse:
    """Return a stored PNG, never sniffed as anything else."""
    response = HttpResponse(blobs.get(sha256, logos.FOLDER), content_type="image/png")
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
