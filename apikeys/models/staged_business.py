"""StagedBusiness: how far a business is, for the register."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Business
from console.core.database_rule import DatabaseRule
from console.core.status_table import Tone


class BusinessStage(models.TextChoices):
    """How far a business is. Its stage is the first that fits."""

    LIVE = "live", _("Live")
    SANDBOX = "sandbox", _("Sandbox")
    APPROVAL = "approval", _("With our staff")
    AGREEMENT = "agreement", _("To be signed")
    REVIEW = "review", _("In review")
    RETURNED = "returned", _("Changes requested")
    DRAFT = "draft", _("Draft")
    ENDED = "ended", _("Ended")
    NEW = "new", _("Not started")

    @property
    def tone(self) -> Tone:
        return _TONES[self]


_TONES: dict[str, Tone] = {
    BusinessStage.LIVE: "ok",
    BusinessStage.SANDBOX: "accent",
    BusinessStage.APPROVAL: "accent",
    BusinessStage.AGREEMENT: "warning",
    BusinessStage.REVIEW: "accent",
    BusinessStage.RETURNED: "warning",
    BusinessStage.DRAFT: "neutral",
    BusinessStage.ENDED: "quiet",
    BusinessStage.NEW: "quiet",
}


class StagedBusiness(models.Model):
    """The stage of one business. Only the database writes it, when a change commits.

    It follows from the business's applications, packs and grants. A query could compute it too, but
    would read every business to find the few with a rare stage.
    """

    business = models.OneToOneField(
        Business, on_delete=models.PROTECT, primary_key=True, related_name="staged"
    )
    stage = models.CharField(max_length=10, choices=BusinessStage)

    class Meta:
        verbose_name_plural = "staged businesses"
        constraints = [
            DatabaseRule.beside(__file__, "apikeys_stage_of"),
            DatabaseRule.beside(__file__, "apikeys_note_stage"),
        ]
        indexes = [models.Index(fields=["stage"], name="businesses_by_stage")]

    def __str__(self) -> str:
        return f"{self.business_id}: {self.stage}"
