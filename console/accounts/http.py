"""The typed request that a signed-in page receives."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from console.accounts.models import Business, User
from console.accounts.roles import Role


class ConsoleRequest(HttpRequest):
    """A signed-in user's request. `roles` are theirs in the page's business, or on our staff.

    Only pages of a business have `business`.
    """

    user: User
    business: Business
    roles: frozenset[Role]
    htmx: HtmxDetails
