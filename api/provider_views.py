"""The address at which live's providers tell us what happened: docs/provider-protocol.yaml."""

from django.http import Http404, HttpRequest, JsonResponse

from api.payments import provider_events
from api.providers import configured
from console.accounts.page_access import public_page

_LARGEST = 64 * 1024
_FIRST_REFUSAL = 400


@public_page(methods=("POST",), by_program=True, largest_body=_LARGEST)
def receive_event(request: HttpRequest, name: str) -> JsonResponse:
    """Store an event that a connected provider has signed."""
    provider = configured.named(name)
    if provider is None:
        raise Http404
    receipt = provider_events.receive(provider, request.headers, request.body)
    if receipt.status < _FIRST_REFUSAL:
        return JsonResponse({"status": receipt.says}, status=receipt.status)
    return JsonResponse({"error": {"message": receipt.says}}, status=receipt.status)
