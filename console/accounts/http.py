"""The typed request that a signed-in page receives."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from console.accounts.models import User
from console.accounts.roles import Role


class ConsoleRequest(HttpRequest):
    """A signed-in user's request. `roles` are theirs in the page's business, or on our staff."""

    user: User
    roles: frozenset[Role]
    htmx: HtmxDetails
