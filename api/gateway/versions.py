"""Which version of the API a call speaks (keys-and-api 3.7): a date, newest first."""

from django.conf import settings

from api.gateway.calls import Call
from api.gateway.problems import ApiProblem, Fault

VERSIONS: tuple[str, ...] = (settings.API_VERSION,)
LATEST = VERSIONS[0]


def choose(call: Call) -> None:
    """Take the version that the call names, otherwise the one that the business is pinned to."""
    asked = call.header("HTTP_SERVICE_VERSION")
    if asked is None:
        call.version = call.record.api_version or LATEST
        return
    if asked not in VERSIONS:
        detail = "Send a Service-Version that we know, or leave the header out."
        fault = Fault("/headers/Service-Version", "unknown_version", detail, VERSIONS)
        raise ApiProblem("VALIDATION_ERROR", detail, status=400, errors=[fault])
    call.version = asked
