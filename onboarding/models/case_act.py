"""Reviewer (a staff member's capacity on a case) and CaseAct (what they did on it)."""

from typing import Self

from django.db import models
from django.db.models import Q

from console.accounts.models import Business, SamePerson, User
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges
from console.core.immediate_key import ImmediateForeignKey
from onboarding.lifecycle import TO_THE_BUSINESS, ActKind, Capacity
from onboarding.models.application import Application
from onboarding.models.check import Check


class ReviewerQuerySet(models.QuerySet["Reviewer"]):
    """Queries for reviewers."""

    def of(self, application: Application, person: User) -> Self:
        """Return a person's capacities on a case, with this account and others of theirs."""
        return self.filter(SamePerson("person", person), application=application)

    def of_any_case(self, business: Business, person: User) -> Self:
        return self.filter(SamePerson("person", person), application__business=business)


class Reviewer(models.Model):
    """The capacity in which a user decides on a case, permanent from their first act on it.

    The database allows one capacity per user and case. It refuses reviewers who ever took part for
    the business or are named in its answers, participants who were reviewers, and two accounts that
    ever shared a mailbox.
    """

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="reviewers")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    capacity = models.CharField(max_length=20, choices=Capacity)
    since = models.DateTimeField()

    objects = ReviewerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "person"], name="one_person_one_capacity_on_a_case"
            ),
            models.CheckConstraint(
                condition=Q(capacity__in=Capacity.values), name="a_capacity_is_known"
            ),
            NeverChanges(name="reviewers_never_change"),
            ImmediateForeignKey(
                fields=["person"], to="accounts.User", to_fields=["id"], name="who_reviewed_stays"
            ),
            DatabaseRule.beside(__file__, "onboarding_refuse_participant"),
            DatabaseRule.beside(__file__, "onboarding_refuse_reviewer"),
            DatabaseRule.beside(__file__, "onboarding_refuse_same_person"),
        ]

    def __str__(self) -> str:
        return f"{self.person} as {self.get_capacity_display()} on {self.application_id}"


class CaseAct(models.Model):
    """One act of a reviewer on a case. Immutable.

    A decision on a check stores the check, the outcome and the reason, which remain when the check
    is run again. `as_head` tells whether the head of compliance acted. `transaction` is the
    database's transaction id: the change that the act decides must happen in the same transaction.
    """

    reviewer = models.ForeignKey(Reviewer, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=20, choices=ActKind)
    decided_check = models.ForeignKey(
        Check, null=True, on_delete=models.PROTECT, related_name="acts"
    )
    outcome = models.CharField(max_length=20, blank=True)
    note = models.TextField(blank=True)
    as_head = models.BooleanField(default=False, db_default=False)
    at = models.DateTimeField()
    transaction = models.BigIntegerField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=ActKind.values), name="an_act_on_a_case_is_known"
            ),
            NeverChanges(name="acts_on_a_case_never_change"),
            DatabaseRule.beside(__file__, "onboarding_require_fitting_act"),
            DatabaseRule.beside(__file__, "onboarding_record_acts"),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer}: {self.get_kind_display()}"

    @property
    def is_confidential(self) -> bool:
        """Whether only compliance reads the note: it wrote it, and not to the business."""
        return self.reviewer.capacity == Capacity.COMPLIANCE and self.kind not in TO_THE_BUSINESS
