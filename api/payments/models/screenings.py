"""PaymentScreening: the people and companies of a live payment, compared with sanctions lists."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q

from api.payments.lifecycle import OPEN_SCREENING, SCREENING_LIFECYCLE, ScreeningStatus
from console.accounts.models import Business, User
from console.audit.recorded import Recorded, changed
from console.core import ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint

# Kinds that are not those of instructions: money that arrived, and people who shall hold cards.
DEPOSIT, CARDHOLDER = "deposit", "cardholder"

# The columns that reviewers' decisions change.
_DECISIONS = ("proposed_by", "proposed_at", "proposal", "decided_at", "reason", "returned_at")


class PaymentScreening(models.Model):
    """The screening of one payment or account, before its money moves on.

    `object_id` is the public ID of what waits for it. `parties` has the `name` and `country` of
    each. `results` says for each what the comparison found: `name`, `passed`, `says` and
    `evidence`. `findings` are the hashes of those that did not pass: a decision counts as long as
    both sides stay the same. `problem` says why the comparison was not possible.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("psc"))
    object_id = models.CharField(max_length=40, unique=True)
    kind = models.CharField(max_length=30)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    amount = models.CharField(max_length=60, blank=True)
    parties = models.JSONField()
    status = models.CharField(
        max_length=20, choices=ScreeningStatus, default=ScreeningStatus.WAITING
    )
    results = models.JSONField(default=list)
    findings = ArrayField(models.CharField(max_length=64), default=list)
    compared_by = models.CharField(max_length=40, blank=True)
    compared_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField()
    ask_at = models.DateTimeField(null=True)
    proposed_by = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    proposed_at = models.DateTimeField(null=True)
    proposal = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    returned_by = models.ForeignKey(
        User, null=True, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    returned_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["ask_at"], condition=Q(ask_at__isnull=False), name="screenings_to_ask"
            ),
            models.Index(
                fields=["created_at"],
                condition=Q(status__in=OPEN_SCREENING),
                name="screenings_to_decide",
            ),
            models.Index(
                fields=["-decided_at"],
                condition=Q(decided_at__isnull=False),
                name="screenings_decided",
            ),
            GinIndex(
                fields=["findings"],
                condition=Q(status=ScreeningStatus.CLEARED),
                name="screenings_by_cleared_finding",
            ),
        ]
        constraints = [
            SetOnce(
                fields=[
                    *("id", "public_id", "object_id", "kind", "business", "amount", "parties"),
                    *("compared_by", "compared_at", "created_at"),
                    *("decided_by", "decided_at", "returned_by", "returned_at"),
                ],
                name="a_screening_keeps_what_it_says",
            ),
            MovesConstraint(
                arrows=SCREENING_LIFECYCLE.arrows(), name="screening_moves_by_the_table"
            ),
            models.CheckConstraint(
                condition=Q(status__in=ScreeningStatus.values), name="screening_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(proposed_by=None, proposed_at=None, proposal="")
                | Q(proposed_by__isnull=False, proposed_at__isnull=False) & ~Q(proposal=""),
                name="a_proposal_of_a_screening_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None, decided_at=None, reason="")
                & ~Q(
                    status__in=(
                        ScreeningStatus.CLEARED,
                        ScreeningStatus.BLOCKED,
                        ScreeningStatus.RETURNED,
                    )
                )
                | Q(decided_by__isnull=False, decided_at__isnull=False) & ~Q(reason=""),
                name="a_decision_on_a_screening_is_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=(ScreeningStatus.BLOCKED, ScreeningStatus.RETURNED))
                | Q(proposed_by__isnull=False) & ~Q(proposed_by=F("decided_by")),
                name="two_people_block_a_payment",
            ),
            models.CheckConstraint(
                condition=Q(status=ScreeningStatus.RETURNED)
                & Q(returned_by__isnull=False, returned_at__isnull=False)
                | ~Q(status=ScreeningStatus.RETURNED) & Q(returned_by=None, returned_at=None),
                name="returned_money_says_by_whom",
            ),
            Recorded(
                fields=_DECISIONS,
                condition=changed("proposed_by_id", *_DECISIONS[1:]),
                name="decisions_on_screenings_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def is_open(self) -> bool:
        """Whether a reviewer must decide."""
        return self.status in OPEN_SCREENING

    @property
    def doubts(self) -> list[dict[str, Any]]:
        """The results of the parties that did not pass."""
        return [one for one in self.results if not one["passed"]]
