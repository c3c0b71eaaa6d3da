"""The address at which a provider says that a result is ready. We then ask for the result."""

from django.http import Http404, HttpRequest, HttpResponse

from console.accounts.page_access import public_page
from onboarding.checks import connected, runs
from onboarding.checks.providers import LaterCheckProvider

# A call names one result. Nothing else in it is used.
_LARGEST = 64 * 1024


@public_page(methods=("POST",), by_program=True, largest_body=_LARGEST)
def result_ready(request: HttpRequest, provider_name: str) -> HttpResponse:
    """Ask for the result that a provider's signed call names: 204, or 403 if it is not signed."""
    provider = connected.in_use().get(provider_name)
    if not isinstance(provider, LaterCheckProvider):
        raise Http404
    reference = provider.reference_in(request.headers, request.body)
    if reference is None:
        return HttpResponse("The signature does not match.", status=403, content_type="text/plain")
    runs.ask_for_results(reference)
    return HttpResponse(status=204)
