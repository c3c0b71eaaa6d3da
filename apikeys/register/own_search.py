"""Search for keys, endpoints, deliveries and replays of a user's own businesses, by ID."""

from collections.abc import Iterator

from django.db.models import Q
from django.urls import reverse

from apikeys.models import ApiKey
from apikeys.webhooks import deliveries
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.shell.search import SearchHit


def own_objects(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find what has a page among the user's keys and webhook endpoints."""
    prefix = words.partition("_")[0]
    if prefix == "svc":
        yield from _keys(request, words.partition(":")[0])
    elif prefix in ("whe", "whr"):
        yield from _endpoints(request, words)
    elif prefix == "whd":
        yield from _deliveries(request, words)


def _keys(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    found = ApiKey.objects.filter(public_id=words).select_related("grant__business")
    for key in found.filter(grant__business__in=Business.objects.of(request.user)):
        if access.can(request.user, Permission.KEY_VIEW, key.business):
            address = reverse("apikeys:key", args=[key.business.public_id, words])
            yield SearchHit(str(key), key.business.name, address, "key-round")


def _endpoints(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find an endpoint by its ID, or by that of one of its replays."""
    found = WebhookEndpoint.objects.filter(
        Q(public_id=words) | Q(replays__public_id=words),
        removed_at=None,
        business__in=Business.objects.of(request.user),
    )
    for one in found.select_related("business").distinct():
        if access.can(request.user, Permission.WEBHOOK_VIEW, one.business):
            address = reverse("apikeys:endpoint", args=[one.business.public_id, one.public_id])
            yield SearchHit(f"{one.host}, {words}", one.business.name, address, "webhook")


def _deliveries(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    for one in deliveries.of_id(words, Business.objects.of(request.user)):
        endpoint = one.endpoint
        if access.can(request.user, Permission.WEBHOOK_VIEW, endpoint.business):
            names = [endpoint.business.public_id, endpoint.public_id, words]
            address = reverse("apikeys:delivery", args=names)
            title = f"{one.event_kind}, {words}"
            yield SearchHit(title, endpoint.business.name, address, "webhook")
