"""The health of an endpoint in one line, from its status, lane and last week's counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apikeys.webhooks import deliveries
from apikeys.webhooks.lifecycle import EndpointStatus, Verification
from apikeys.webhooks.models import DeliveryDay, WebhookEndpoint
from console.core import clock
from console.core.status_table import Tone

COUNTED = timedelta(days=7)
VERIFICATION_TONES: dict[str, Tone] = {
    Verification.UNVERIFIED: "neutral",
    Verification.VERIFIED: "ok",
    Verification.LAPSED: "warning",
}


@dataclass(frozen=True)
class HealthLine:
    """An endpoint's line in the list. `since` is when its state began, if known."""

    endpoint: WebhookEndpoint
    tone: Tone
    words: str
    since: datetime | None = None

    @property
    def verification_tone(self) -> Tone:
        return VERIFICATION_TONES[self.endpoint.verification]


@dataclass(frozen=True)
class WaitingCount:
    """The number of deliveries waiting for one endpoint, and its wording."""

    count: int

    @property
    def words(self) -> str:
        if self.count > deliveries.MOST_COUNTED:
            return _("More than %(most)s deliveries") % {"most": f"{deliveries.MOST_COUNTED:,}"}
        return said(self.count) if self.count else _("None")


def waiting(endpoint: WebhookEndpoint) -> WaitingCount:
    """Return how many deliveries are pending."""
    return WaitingCount(deliveries.pending(endpoint))


def said(count: int) -> str:
    """Return a number of deliveries in words: `1 delivery`, `1,204 deliveries`."""
    return ngettext("%(count)s delivery", "%(count)s deliveries", count) % {"count": f"{count:,}"}


def lines(endpoints: Iterable[WebhookEndpoint]) -> list[HealthLine]:
    """Return a line for each endpoint, in order. One query counts for all of them."""
    listed = list(endpoints)
    today = clock.now().date()
    days = DeliveryDay.objects.filter(endpoint__in=listed, day__gt=today - COUNTED)
    counted = days.values_list("endpoint").annotate(Sum("succeeded"), Sum("failed"))
    counts = {pk: (good, bad) for pk, good, bad in counted}
    return [line(one, *counts.get(one.pk, (0, 0))) for one in listed]


def line(endpoint: WebhookEndpoint, succeeded: int, failed: int) -> HealthLine:
    attempts = succeeded + failed
    if endpoint.status == EndpointStatus.PAUSED:
        reason = endpoint.get_paused_reason_display()
        return HealthLine(
            endpoint,
            "warning",
            _("%(reason)s. We hold its events.") % {"reason": reason},
            endpoint.paused_at,
        )
    if endpoint.holds:
        return HealthLine(endpoint, "warning", _("We hold events until you verify it"))
    if endpoint.lane.failing_since:
        row = endpoint.lane.consecutive_failures
        words = _("Failing, %(count)s in a row") % {"count": f"{row:,}"}
        return HealthLine(endpoint, "danger", words, endpoint.lane.failing_since)
    if not attempts:
        return HealthLine(endpoint, "quiet", _("No deliveries in the last 7 days"))
    if failed:
        words = _("%(failed)s of %(attempts)s attempts failed in the last 7 days") % {
            "failed": f"{failed:,}",
            "attempts": f"{attempts:,}",
        }
        return HealthLine(endpoint, "warning", words)
    words = ngettext(
        "The only attempt in the last 7 days succeeded",
        "All %(attempts)s attempts in the last 7 days succeeded",
        attempts,
    )
    return HealthLine(endpoint, "ok", words % {"attempts": f"{attempts:,}"})
