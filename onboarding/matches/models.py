"""PossibleMatch (a party that resembles a list entry) and MatchDecision (what reviewers decide)."""

from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from console.accounts.models import User
from console.audit.recorded import Recorded
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges, SetOnce
from onboarding.models import Check
from onboarding.screening.models import ListEntry


class MatchOutcome(models.TextChoices):
    """What a reviewer decides about a possible match. Only *the same* needs a second reviewer."""

    NOT_SAME = "not_same", _("Not the same")
    CANNOT_TELL = "cannot_tell", _("Cannot tell")
    SAME = "same", _("The same")


class PossibleMatchQuerySet(models.QuerySet["PossibleMatch"]):
    """Queries for possible matches."""

    def of(self, check: Check) -> Self:
        """Return those that a check found when it last ran."""
        return self.filter(public_id__in=check.evidence.get("matches", "").split())

    def with_decisions(self) -> Self:
        decisions = MatchDecision.objects.order_by("pk").select_related("decided_by", "second_by")
        return self.select_related("entry__since").prefetch_related(
            models.Prefetch("decisions", decisions)
        )


class PossibleMatch(models.Model):
    """A screened party that resembles a list entry. Immutable.

    `party` is the facts that were screened, and `entry` a row with certain content: if either side
    changes, the next screening finds another possible match, without decisions. `score` is in
    hundredths; `name` is the listed name, and `parts` says which words belong together, and why.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pmt"))
    party = models.JSONField()
    party_sha256 = models.CharField(max_length=64)
    entry = models.ForeignKey(ListEntry, on_delete=models.PROTECT, related_name="matches")
    entry_sha256 = models.CharField(max_length=64)
    score = models.PositiveSmallIntegerField()
    name = models.TextField()
    parts = models.JSONField()
    model_version = models.CharField(max_length=40)
    found_at = models.DateTimeField()

    objects = PossibleMatchQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["party_sha256", "entry"], name="one_match_of_a_party_and_an_entry"
            ),
            NeverChanges(name="possible_matches_never_change"),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}, {self.entry.kind} {self.entry.uid}"

    @property
    def decision(self) -> "MatchDecision | None":
        """The newest decision that is in force, or waits for a second reviewer."""
        standing = [one for one in self.decisions.all() if one.confirmed is not False]
        # One reviewer does not undo what two have confirmed.
        standing = [one for one in standing if one.confirmed] or standing
        return standing[-1] if standing else None

    @property
    def is_cleared(self) -> bool:
        decision = self.decision
        return decision is not None and decision.outcome == MatchOutcome.NOT_SAME


class MatchDecision(models.Model):
    """A reviewer's decision about a possible match, with its reason.

    *The same* waits until a second reviewer confirms or refuses it.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("mdc"))
    match = models.ForeignKey(PossibleMatch, on_delete=models.PROTECT, related_name="decisions")
    decided_check = models.ForeignKey(
        Check, on_delete=models.PROTECT, related_name="match_decisions"
    )
    outcome = models.CharField(max_length=20, choices=MatchOutcome)
    reason = models.TextField()
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()
    confirmed = models.BooleanField(null=True)
    second_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    second_at = models.DateTimeField(null=True)
    second_reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=Q(outcome=MatchOutcome.SAME, second_at=None),
                name="one_confirmation_of_a_match_waits",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=MatchOutcome.values) & ~Q(reason=""),
                name="a_decision_on_a_match_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(confirmed=None, second_by=None, second_at=None, second_reason="")
                | (
                    Q(confirmed__isnull=False, second_by__isnull=False, second_at__isnull=False)
                    & Q(outcome=MatchOutcome.SAME)
                    & ~Q(second_reason="")
                ),
                name="a_second_decision_on_a_match_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(second_by=None) | ~Q(second_by=F("decided_by")),
                name="two_people_confirm_a_match",
            ),
            SetOnce(
                fields=[
                    *("id", "public_id", "match", "decided_check", "outcome", "reason"),
                    *("decided_by", "decided_at"),
                    # The rule about reviewers keeps `confirmed`, for which false is not empty.
                    *("second_by", "second_at", "second_reason"),
                ],
                name="a_decision_on_a_match_stays",
            ),
            DatabaseRule.beside(__file__, "matches_require_reviewers"),
            DatabaseRule.beside(__file__, "matches_require_decisions"),
            Recorded(fields=["confirmed"], added=True, name="decisions_on_matches_are_recorded"),
        ]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()}: {self.match}"

    @property
    def is_waiting(self) -> bool:
        return self.outcome == MatchOutcome.SAME and self.second_at is None
