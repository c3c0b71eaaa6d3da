"""Assessment: the risk score of one submission under one version of the risk model."""

from django.db import models
from django.db.models import Q

from console.audit.recorded import RecordedAs
from console.core import ids
from console.core.frozen import NeverChanges
from console.core.immediate_key import ImmediateForeignKey
from onboarding.models.application import Application
from onboarding.models.submission import Submission
from onboarding.tiers import Tier


class Assessment(models.Model):
    """One risk assessment, with everything needed to reproduce it. Immutable.

    `score_x100` is the score in hundredths. `facts` are the model's input, `marks` each indicator's
    result, and `lists` the versions of the reference data.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("asm"))
    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="assessments"
    )
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    model_version = models.CharField(max_length=20)
    model_sha256 = models.CharField(max_length=64)
    lists = models.JSONField()
    facts = models.JSONField()
    marks = models.JSONField()
    factors = models.JSONField()
    floors = models.JSONField(default=list, blank=True)
    knock_outs = models.JSONField(default=list, blank=True)
    score_x100 = models.PositiveIntegerField()
    tier_by_score = models.CharField(max_length=10)
    tier = models.CharField(max_length=10)
    assessed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "number"], name="assessments_are_numbered"
            ),
            NeverChanges(name="assessments_never_change"),
            RecordedAs(
                fields=[],
                added=True,
                about="application_id",
                of="onboarding_application",
                says={"after,tier": "tier", "after,score_x100": "score_x100"},
                name="assessments_are_recorded",
            ),
            models.UniqueConstraint(
                fields=["id", "application"], name="an_assessment_and_its_application"
            ),
            ImmediateForeignKey(
                fields=["submission", "application"],
                to="onboarding.Submission",
                to_fields=["id", "application"],
                name="an_assessment_is_of_its_own_submission",
            ),
            models.CheckConstraint(
                condition=Q(tier__in=[tier.value for tier in Tier], score_x100__lte=10_000),
                name="a_score_is_at_most_a_hundred",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.application_id}, assessment {self.number}: {self.tier}"

    @property
    def score(self) -> str:
        """The score with two decimals, as in documents: `13.50`."""
        return f"{self.score_x100 // 100}.{self.score_x100 % 100:02}"
