"""GoLiveRequest: a request by a business to use products in live."""

from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from apikeys.going_live.lifecycle import GO_LIVE_LIFECYCLE, GoLiveStatus
from console.accounts.models import Business, User
from console.audit.recorded import Recorded, recorded_status
from console.catalogue.definitions import PRODUCTS, Product
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint
from onboarding.models import Application

S = GoLiveStatus
_DECIDED = (S.APPROVED, S.DECLINED)


class GoLiveRequestQuerySet(models.QuerySet["GoLiveRequest"]):
    def of(self, business: Business) -> Self:
        """Return the requests of a business, newest first."""
        return self.filter(business=business).order_by("-pk")

    def with_people(self) -> Self:
        people = ("requested_by", "proposed_by", "decided_by", "confirmed_by", "withdrawn_by")
        return self.select_related("business", "application", *people)

    def locked(self, request: "GoLiveRequest") -> "GoLiveRequest":
        """Return the current row, locked until the transaction ends."""
        rows = self.select_for_update(no_key=True, of=("self",))
        return rows.select_related("business", "application__business").get(pk=request.pk)


class GoLiveRequest(models.Model):
    """The products that a business requests in live, and the people who agreed to it.

    An account manager proposes it, the head of compliance decides, and a person of the business
    confirms: three people. The first two act as reviewers of `application`, the executed one. Only
    our staff see `proposal`; the business also sees `decision_reason`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("glr"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="+")
    products = ArrayField(models.CharField(max_length=40))
    status = models.CharField(max_length=20, choices=GoLiveStatus, default=S.REQUESTED)
    requested_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    proposed_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(null=True)
    proposal = models.TextField(blank=True)
    decided_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.TextField(blank=True)
    withdrawn_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    confirmed_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(null=True)

    objects = GoLiveRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(
                arrows=GO_LIVE_LIFECYCLE.arrows(), name="go_live_request_moves_by_the_table"
            ),
            models.CheckConstraint(
                condition=Q(status__in=S.values), name="go_live_request_status_is_known"
            ),
            models.UniqueConstraint(
                fields=["business"],
                condition=Q(status=S.REQUESTED),
                name="one_go_live_request_at_a_time",
            ),
            models.CheckConstraint(condition=~Q(products=[]), name="going_live_takes_a_product"),
            models.CheckConstraint(
                condition=Q(proposed_by=None, proposed_at=None, proposal="")
                | (Q(proposed_by__isnull=False, proposed_at__isnull=False) & ~Q(proposal="")),
                name="a_proposal_to_go_live_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None, decided_at=None, decision_reason="")
                & ~Q(status__in=_DECIDED)
                | Q(decided_by__isnull=False, decided_at__isnull=False, status__in=_DECIDED)
                & ~Q(decision_reason=""),
                name="a_decision_to_go_live_is_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status=S.APPROVED) | Q(proposed_by__isnull=False),
                name="what_is_approved_was_proposed",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_by=None, withdrawn_at=None) & ~Q(status=S.WITHDRAWN)
                | Q(withdrawn_by__isnull=False, withdrawn_at__isnull=False, status=S.WITHDRAWN),
                name="a_withdrawal_says_by_whom",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by=None, confirmed_at=None)
                | Q(confirmed_by__isnull=False, confirmed_at__isnull=False, status=S.APPROVED),
                name="what_is_confirmed_was_approved",
            ),
            models.CheckConstraint(
                condition=(
                    Q(proposed_by=None) | Q(decided_by=None) | ~Q(decided_by=F("proposed_by"))
                )
                & (Q(confirmed_by=None) | ~Q(confirmed_by=F("proposed_by")))
                & (Q(confirmed_by=None) | ~Q(confirmed_by=F("decided_by"))),
                name="going_live_takes_three_people",
            ),
            SetOnce(
                fields=[
                    "id", "public_id", "business", "application", "products",
                    "requested_by", "requested_at",
                    "proposed_by", "proposed_at", "proposal",
                    "decided_by", "decided_at", "decision_reason",
                    "confirmed_by", "confirmed_at",
                ],
                name="go_live_requests_keep_who_did_what",
            ),
            recorded_status("go_live_requests"),
            Recorded(
                fields=["proposed_by", "decided_by", "confirmed_by", "withdrawn_by"],
                added=True,
                name="go_live_requests_are_recorded",
            ),
            DatabaseRule.beside(__file__, "going_live_require_people"),
            DatabaseRule.beside(__file__, "going_live_require_confirmation"),
        ]  # fmt: skip
        indexes = [
            models.Index(
                fields=["requested_at", "id"],
                condition=Q(status=S.REQUESTED),
                name="go_live_requests_that_wait",
            ),
            models.Index(fields=["requested_at", "id"], name="go_live_requests_by_time"),
        ]

    def __str__(self) -> str:
        return f"the request of {self.business} to go live"

    @property
    def is_open(self) -> bool:
        return self.status == S.REQUESTED

    @property
    def waits_for_confirmation(self) -> bool:
        return self.status == S.APPROVED and self.confirmed_at is None

    def wants(self) -> list[Product]:
        """The requested products, in catalogue order."""
        return [product for key, product in PRODUCTS.items() if key in self.products]
