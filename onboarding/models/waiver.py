"""CheckWaiver: a temporary waiver of a check, which takes two compliance reviewers."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from console.accounts.models import User
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from onboarding.models.check import Check


class CheckWaiverQuerySet(models.QuerySet["CheckWaiver"]):
    """Queries for waivers."""

    def waiting(self) -> Self:
        """Return those that no second person has decided yet."""
        return self.filter(decided_at=None).order_by("pk")


class CheckWaiver(models.Model):
    """A waiver of a check, with its reason and end: proposed by one reviewer, decided by another.

    The database requires two different people who both review the case as compliance, and a
    confirmed waiver with the same end for every waived check.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("wvr"))
    waived_check = models.ForeignKey(Check, on_delete=models.PROTECT, related_name="waivers")
    reason = models.TextField()
    ends_at = models.DateTimeField()
    proposed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    confirmed = models.BooleanField(null=True)
    decided_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_reason = models.TextField(blank=True)

    objects = CheckWaiverQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["waived_check"],
                condition=Q(decided_at=None),
                name="one_waiver_of_a_check_waits",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & Q(ends_at__gt=F("proposed_at")),
                name="a_waiver_has_a_reason_and_an_end",
            ),
            models.CheckConstraint(
                condition=Q(
                    confirmed=None, decided_by=None, decided_at=None, decision_reason=""
                )
                | Q(
                    confirmed__isnull=False, decided_by__isnull=False, decided_at__isnull=False
                ),
                name="a_decision_on_a_waiver_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None) | ~Q(decided_by=F("proposed_by")),
                name="two_people_waive_a_check",
            ),
            SetOnce(
                fields=[
                    "id", "public_id",
                    "waived_check", "reason", "ends_at", "proposed_by", "proposed_at",
                    "confirmed", "decided_by", "decided_at", "decision_reason",
                ],
                name="a_decided_waiver_stays",
            ),
            DatabaseRule.beside(__file__, "onboarding_require_waiver_reviewers"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"waiver of {self.waived_check}"
