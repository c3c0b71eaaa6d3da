"""Search for API calls of a user's own businesses, by request ID."""

from collections.abc import Iterator

from django.urls import reverse

from apikeys import logged_calls
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.shell.search import SearchHit


def calls(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find a call in the request logs that the user may see."""
    if not words.startswith("req_"):
        return
    for call in logged_calls.of_id(words).filter(business__in=Business.objects.of(request.user)):
        assert call.business is not None
        if access.can(request.user, Permission.KEY_VIEW, call.business):
            address = reverse("api:logged_call", args=[call.business.public_id, words])
            yield SearchHit(str(call), call.business.name, address, "scroll-text")
