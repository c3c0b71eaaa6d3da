"""WebhookEndpoint: a URL of a business to which its events are delivered."""

from typing import Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apikeys.lifecycle import Environment
from apikeys.webhooks.lifecycle import (
    ENDPOINT_LIFECYCLE,
    PAUSE_AFTER_FAILURES,
    PAUSE_AFTER_HOURS,
    EndpointStatus,
    PausedReason,
    Verification,
)
from console.accounts.models import Business
from console.audit.recorded import Recorded, changed
from console.core import ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint
from console.core.refusals import WrongStatus

# What decides which events are sent where, how they are signed, and whether live ones are.
_RECORDED = (
    *("url", "host", "description", "enabled_events", "api_version"),
    *("status", "paused_reason", "paused_at", "removed_at"),
    *("secret", "secret_set_at", "previous_secret", "previous_secret_ends_at"),
    *("verification", "verified_at", "verification_method", "probed_weekly"),
)


class WebhookEndpointQuerySet(models.QuerySet["WebhookEndpoint"]):
    """Queries for endpoints. `standing` excludes removed ones."""

    def standing(self) -> Self:
        return self.filter(removed_at=None)

    def of(self, business: Business) -> Self:
        return self.standing().filter(business=business).order_by("-created_at", "-pk")

    def verified_live(self) -> Self:
        """Return the active live endpoints that are verified now."""
        return self.standing().filter(
            environment=Environment.LIVE,
            status=EndpointStatus.ACTIVE,
            verification=Verification.VERIFIED,
        )

    def locked(self, endpoint: "WebhookEndpoint") -> "WebhookEndpoint":
        """Return the current row, locked until the transaction ends; refuse if it was removed."""
        rows = self.standing().select_for_update(no_key=True, of=("self",))
        found = rows.select_related("business").filter(pk=endpoint.pk).first()
        if found is None:
            raise WrongStatus("This endpoint was removed.", reason="endpoint_removed")
        return found


class WebhookEndpoint(models.Model):
    """Where events of one environment are sent, and which.

    `enabled_events` lists kinds, or is `*` alone for all. The signing secrets are encrypted
    (`webhook_secrets`); the previous one is valid until `previous_secret_ends_at`. Consecutive
    failures and the breaker are in its `DeliveryLane`, so sending never waits for edits of this
    row. `api_version` is pinned at creation.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("whe"))
    business = models.ForeignKey(
        Business, on_delete=models.PROTECT, related_name="webhook_endpoints"
    )
    environment = models.CharField(max_length=10, choices=Environment)
    url = models.CharField(max_length=2048)
    host = models.CharField(max_length=255)
    description = models.CharField(max_length=255, blank=True)
    enabled_events = ArrayField(models.CharField(max_length=60))
    status = models.CharField(max_length=20, choices=EndpointStatus, default=EndpointStatus.ACTIVE)
    paused_reason = models.CharField(max_length=20, choices=PausedReason, blank=True)
    paused_at = models.DateTimeField(null=True)
    api_version = models.CharField(max_length=10)
    created_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True)
    once = models.CharField(max_length=64)

    secret = models.BinaryField()
    secret_set_at = models.DateTimeField()
    previous_secret = models.BinaryField(null=True)
    previous_secret_ends_at = models.DateTimeField(null=True)

    verification = models.CharField(
        max_length=20, choices=Verification, default=Verification.UNVERIFIED
    )
    verified_at = models.DateTimeField(null=True)
    verification_method = models.CharField(max_length=20, blank=True)
    # Weekly rounds that failed since the last that passed; at two, the verification lapses.
    failed_probes = models.PositiveSmallIntegerField(default=0)
    probed_weekly = models.BooleanField(default=True)

    objects = WebhookEndpointQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["business", "environment", "-created_at", "-id"],
                name="endpoints_in_reading_order",
            ),
            models.Index(
                fields=["host"],
                condition=Q(verification=Verification.UNVERIFIED, removed_at=None),
                name="unverified_endpoints_of_a_host",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["business", "once"], name="a_form_makes_one_endpoint"),
            models.CheckConstraint(
                condition=Q(
                    environment__in=Environment.values,
                    verification__in=Verification.values,
                ),
                name="endpoint_values_are_known",
            ),
            models.CheckConstraint(
                condition=Q(
                    status=EndpointStatus.PAUSED,
                    paused_reason__in=PausedReason.values,
                    paused_at__isnull=False,
                )
                | Q(status=EndpointStatus.ACTIVE, paused_reason="", paused_at=None),
                name="a_paused_endpoint_says_why",
            ),
            models.CheckConstraint(
                condition=Q(previous_secret=None, previous_secret_ends_at=None)
                | Q(previous_secret__isnull=False, previous_secret_ends_at__isnull=False),
                name="a_previous_secret_has_an_end",
            ),
            models.CheckConstraint(
                condition=~Q(verification=Verification.VERIFIED) | Q(verified_at__isnull=False),
                name="a_verified_endpoint_says_when",
            ),
            models.CheckConstraint(
                condition=~Q(enabled_events=[]), name="endpoint_wants_something"
            ),
            MovesConstraint(arrows=ENDPOINT_LIFECYCLE.arrows(), name="endpoint_moves_by_the_table"),
            SetOnce(
                fields=["id", "public_id", "business", "environment", "created_at", "once"],
                name="an_endpoint_is_one_endpoint",
            ),
            Recorded(fields=[], added=True, name="endpoints_are_recorded"),
            Recorded(
                fields=_RECORDED,
                condition=changed(*_RECORDED),
                name="changes_of_endpoints_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def is_proved(self) -> bool:
        """Tell whether it has ever proved that it checks our signatures."""
        return self.verification != Verification.UNVERIFIED

    @property
    def gets_pings_alone(self) -> bool:
        return self.environment == Environment.LIVE and not self.is_proved

    @property
    def holds(self) -> bool:
        """Tell whether its events wait: it is paused, or live and never verified."""
        return self.status == EndpointStatus.PAUSED or self.gets_pings_alone

    @property
    def pause_after_hours(self) -> int:
        """Return after how many hours of failing it is paused; see also `pause_after_failures`."""
        return PAUSE_AFTER_HOURS[Environment(self.environment)]

    @property
    def pause_after_failures(self) -> int:
        return PAUSE_AFTER_FAILURES

    @property
    def event_days(self) -> int:
        """Return for how many days its events are kept."""
        return settings.WEBHOOK_EVENT_DAYS


class EndpointProbe(models.Model):
    """One round of requests that tests whether an endpoint checks our signatures.

    `results` is a list, in the order sent, of `{"probe", "expected", "status", "error", "held"}`. A
    weekly round sends fewer requests than a verification. Without `ended_at`, it waits or runs.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("whp"))
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, related_name="probes")
    url = models.CharField(max_length=2048)
    weekly = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    passed = models.BooleanField(null=True)
    method = models.CharField(max_length=20, blank=True)
    results = models.JSONField(default=list)

    class Meta:
        indexes = [models.Index(fields=["endpoint", "-asked_at"], name="probes_of_an_endpoint")]
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint"], condition=Q(ended_at=None), name="one_probe_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None, passed=None)
                | Q(ended_at__isnull=False, passed__isnull=False),
                name="an_ended_probe_passed_or_not",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} of {self.endpoint_id}"

    @property
    def result(self) -> str:
        if self.passed is None:
            return "running"
        return "passed" if self.passed else "failed"


class EndpointNotice(models.Model):
    """A notice about an endpoint, sent once for each `counted_from`."""

    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=20)
    counted_from = models.DateTimeField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "kind", "counted_from"],
                name="an_endpoint_notice_is_given_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.endpoint_id}"
