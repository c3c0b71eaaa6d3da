"""The request that a signed-in page receives, typed."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from console.accounts.models import User
from console.accounts.roles import Role


class ConsoleRequest(HttpRequest):
    """A request of a known person. `roles` are theirs for this page's business, or on our staff."""

    user: User
    roles: frozenset[Role]
    htmx: HtmxDetails
