"""NetworkRequest: a request for a wide network, decided by compliance."""

from typing import Self

from django.db import models
from django.db.models import Q

from apikeys.lifecycle import NETWORK_LIFECYCLE, NetworkStatus
from apikeys.models.grant import Grant
from console.accounts.models import Business, User
from console.audit.recorded import Recorded
from console.core import ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint


class NetworkRequestQuerySet(models.QuerySet["NetworkRequest"]):
    def waiting(self) -> Self:
        """Return undecided requests, oldest first."""
        return self.filter(status=NetworkStatus.REQUESTED).order_by("requested_at", "pk")

    def locked(self, request: "NetworkRequest") -> "NetworkRequest":
        """Return the current row, locked until the transaction ends."""
        rows = self.select_for_update(no_key=True, of=("self",))
        return rows.select_related("grant__business").get(pk=request.pk)


class NetworkRequest(models.Model):
    """Why a business needs a network wider than it may add itself, and the decision.

    Once granted, a key's own allowlist may contain it too.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("nrq"))
    grant = models.ForeignKey(Grant, on_delete=models.PROTECT, related_name="network_requests")
    network = models.CharField(max_length=43)
    reason = models.TextField()
    status = models.CharField(max_length=20, choices=NetworkStatus, default=NetworkStatus.REQUESTED)
    requested_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    decided_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.TextField(blank=True)

    objects = NetworkRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status=NetworkStatus.REQUESTED, decided_by=None, decided_at=None)
                | Q(
                    status__in=sorted(NETWORK_LIFECYCLE.final),
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                name="a_decided_network_says_by_whom",
            ),
            MovesConstraint(
                arrows=NETWORK_LIFECYCLE.arrows(), name="network_request_moves_by_the_table"
            ),
            SetOnce(
                fields=[
                    *("id", "public_id", "grant", "network", "reason"),
                    *("requested_by", "requested_at", "decided_by", "decided_at"),
                ],
                name="a_network_request_is_as_it_was_sent",
            ),
            Recorded(fields=["status"], added=True, name="network_requests_are_recorded"),
        ]
        indexes = [
            models.Index(
                fields=["requested_at", "id"],
                condition=Q(status=NetworkStatus.REQUESTED),
                name="network_requests_that_wait",
            ),
            models.Index(fields=["requested_at", "id"], name="network_requests_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.network} for the {self.grant}"

    @property
    def business(self) -> Business:
        return self.grant.business
