"""Rules for endpoints: allowed kinds, and conflicts with other endpoints."""

from collections.abc import Sequence

from django.conf import settings

from apikeys.lifecycle import Environment
from apikeys.models import Grant
from apikeys.webhooks.fan_out import EVERY_KIND, MOST_ENDPOINTS
from apikeys.webhooks.lifecycle import Verification
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts import business_access
from console.accounts.models import Business
from console.core.refusals import Blocker, Refused
from console.events import public_kinds

MOST_KINDS = 100
# Maximum number of businesses with an unverified endpoint at one host.
MOST_UNVERIFIED = 5


class EndpointRefused(Refused):
    """The endpoint is not allowed. `field` names the invalid field."""

    code = "endpoint_refused"


def create_blockers(business: Business, environment: Environment) -> list[Blocker]:
    """Return why a business can create no further endpoint in an environment."""
    found = business_access.blockers(business)
    grants = Grant.objects.of(business)
    if not any(grant.is_open for grant in grants):
        found.append(Blocker("grant", "You can create endpoints when the sandbox is open."))
    count = WebhookEndpoint.objects.of(business).filter(environment=environment).count()
    if count >= MOST_ENDPOINTS:
        message = f"You can have at most {MOST_ENDPOINTS} endpoints. Remove one you do not use."
        found.append(Blocker("too_many", message))
    return found


def kinds(wanted: Sequence[str]) -> list[str]:
    """Return the kinds an endpoint selects, sorted, or refuse them; `*` (all) must be alone."""
    chosen = list(wanted)
    if not 1 <= len(chosen) <= MOST_KINDS:
        raise EndpointRefused(f"Choose 1 to {MOST_KINDS} kinds.", field="enabled_events")
    if len(set(chosen)) != len(chosen):
        raise EndpointRefused("List each event type only once.", field="enabled_events")
    if chosen == [EVERY_KIND]:
        return chosen
    if EVERY_KIND in chosen:
        raise EndpointRefused(
            "`*` means all event types. Do not combine it with others.", field="enabled_events"
        )
    if unknown := sorted(set(chosen) - public_kinds.names()):
        shown = ", ".join(unknown[:3])
        raise EndpointRefused(f"There is no event type {shown:.100}.", field="enabled_events")
    return sorted(chosen)


def refuse_twice(
    business: Business,
    environment: str,
    address: str,
    wanted: Sequence[str],
    *,
    but: WebhookEndpoint | None = None,
) -> None:
    """Refuse a URL that would receive the same event twice."""
    others = WebhookEndpoint.objects.of(business).filter(environment=environment, url=address)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if EVERY_KIND not in wanted:
        others = others.filter(enabled_events__overlap=[*wanted, EVERY_KIND])
    if others.exists():
        raise EndpointRefused(
            "Another endpoint with this address already receives one of these event types.",
            field="url",
        )


def refuse_flood(endpoint: WebhookEndpoint) -> None:
    """Refuse a host at which too many businesses have an unverified endpoint."""
    unproved = WebhookEndpoint.objects.standing().filter(
        host=endpoint.host, verification=Verification.UNVERIFIED
    )
    others = unproved.exclude(business=endpoint.business_id).values("business").distinct()
    if others.count() >= MOST_UNVERIFIED and not settings.WEBHOOK_ALLOW_HTTP:
        raise EndpointRefused(
            "Too many endpoints at this host are not verified. Verify one of them first.",
            field="url",
        )
