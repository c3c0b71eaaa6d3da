"""The list pages of our staff and of a business, over rows that `generate_load` inserted."""

from dataclasses import dataclass

from django.test import Client
from django.urls import reverse

from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.models import User
from console.accounts.roles import STAFF, Role
from console.catalogue.definitions import PRODUCTS
from onboarding.models import Application
from tests import factories

ROLES = (Role.COMPLIANCE, Role.COMMERCIAL, Role.ACCOUNT_MANAGER, Role.OPERATOR, Role.LEGAL)


@dataclass(frozen=True)
class ListPage:
    """A page, and a client of somebody who may open it."""

    client: Client
    path: str


def every() -> dict[str, ListPage]:
    """Return all pages by name, of the newest load. Signs people of every role in."""
    staff = factories.signed_in(Client(), factories.one_of_staff(*ROLES))
    lists = {name: ListPage(staff, path) for name, path in of_staff().items()}
    return lists | _of_business() | _homes()


def _homes() -> dict[str, ListPage]:
    """Return the home of each role of our staff."""
    path = reverse("api:staff_home")
    return {
        f"home, {role}": ListPage(factories.signed_in(Client(), factories.one_of_staff(role)), path)
        for role in STAFF
    }


def of_staff() -> dict[str, str]:
    """Return the paths of the lists of our staff, by name, for the newest load."""
    endpoint = WebhookEndpoint.objects.select_related("business").latest("pk")
    account = endpoint.business.public_id
    # Somebody in the middle, and words that few and that many names have.
    some = Application.objects.select_related("business").get(pk=endpoint.pk + 40)
    rare, common = some.business.name.split()[1], "Trading"
    queue, packs = reverse("onboarding:review_queue"), reverse("agreements:packs")
    register, log = reverse("apikeys:businesses"), reverse("governance:log")
    calls, find = reverse("api:staff_log", args=[account]), reverse("shell:search")
    live, networks = reverse("apikeys:go_live_requests"), reverse("apikeys:network_requests")
    return {
        "queue": queue,
        "queue, all": f"{queue}?stage=all",
        "queue, a name": f"{queue}?stage=all&q={rare}",
        "queue, one status": f"{queue}?stage=held",
        "packs, mine": packs,
        "packs, all": f"{packs}?stage=all",
        "packs, a name": f"{packs}?stage=all&q={rare}",
        "products": reverse("apikeys:products"),
        "product": reverse("apikeys:product", args=[next(iter(PRODUCTS))]),
        "API access": reverse("apikeys:grants"),
        "businesses": register,
        "businesses by name": f"{register}?sort=name",
        "businesses, a name": f"{register}?q={rare}",
        "businesses, a stage": f"{register}?stage=review",
        "businesses, a rare stage": f"{register}?stage=live",
        "search, rare": f"{find}?q={rare}",
        "search, common": f"{find}?q={common}",
        "search, number": f"{find}?q=LOAD{some.pk}",
        "audit log": log,
        "log by subject": f"{log}?q={some.public_id}",
        "log by name": f"{log}?q=%22Person+{some.pk}%22",
        "log by code": f"{log}?code=check.passed",
        "request log": calls,
        "calls that failed": f"{calls}?outcome=4xx",
        "background work": reverse("governance:work"),
        "go-live requests": live,
        "go-live, all": f"{live}?stage=all",
        "network requests": networks,
        "networks, all": f"{networks}?stage=all",
        "possible matches": reverse("onboarding:sanctions_lists"),
    }


def _of_business() -> dict[str, ListPage]:
    endpoint = WebhookEndpoint.objects.select_related("business").latest("pk")
    # The load gives a business and its owner the same key.
    owner = factories.signed_in(Client(), User.objects.get(pk=endpoint.business_id))
    args = [endpoint.business.public_id, endpoint.public_id]
    return {
        "home": ListPage(owner, reverse("api:home", args=args[:1])),
        "deliveries": ListPage(owner, reverse("apikeys:deliveries", args=args)),
        "failed deliveries": ListPage(
            owner, reverse("apikeys:deliveries", args=args) + "?state=failed"
        ),
    }
