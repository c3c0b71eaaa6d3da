"""The public address that takes what services send that look for secrets in public places."""

from django.http import HttpRequest, JsonResponse

from apikeys.exposure import exposure
from console.accounts import limits, throttle
from console.accounts.actors import FINDER
from console.accounts.page_access import public_page
from console.core import addresses

LARGEST = 256 * 1024


@public_page(methods=("POST",), by_program=True)
def report(request: HttpRequest) -> JsonResponse:
    """Take a report of any form; the answer never tells whether a key in it was right."""
    throttle.take("exposed", addresses.network(request), limits.EXPOSURES_PER_ADDRESS)
    exposure.revoke_shown(request.body[:LARGEST].decode("utf-8", "replace"), by=FINDER)
    return JsonResponse({"received": True}, status=202)
