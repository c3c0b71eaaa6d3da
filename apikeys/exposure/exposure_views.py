"""Public endpoint for reports from secret-scanning services."""

import sys

from django.http import HttpRequest, JsonResponse

from apikeys.exposure import exposure
from console.accounts import limits, throttle
from console.accounts.actors import FINDER
from console.accounts.page_access import public_page
from console.core import addresses

LARGEST = 256 * 1024
_TOO_LARGE = (
    "This report is larger than 256 KiB, so we did not read it and revoked no key."
    " Send it in smaller parts, with each key whole in one of them."
)


# Programs call this view, so it checks the size itself to answer in JSON instead of HTML.
@public_page(methods=("POST",), by_program=True, largest_body=sys.maxsize)
def report(request: HttpRequest) -> JsonResponse:
    """Accept a report in any format, up to 256 KiB. The answer never says whether a key matched."""
    throttle.take("exposed", addresses.network(request), limits.EXPOSURES_PER_ADDRESS)
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST:
        return JsonResponse({"received": False, "detail": _TOO_LARGE}, status=413)
    exposure.revoke_shown(request.body.decode("utf-8", "replace"), by=FINDER)
    return JsonResponse({"received": True}, status=202)
