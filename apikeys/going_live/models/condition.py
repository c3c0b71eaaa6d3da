"""FirstSandboxCall: evidence that a product was used. UnmetCondition: one that live lost."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Business
from console.core import ids
from console.core.frozen import NeverChanges, SetOnce


class FirstSandboxCall(models.Model):
    """The first successful call of a product in the business's sandbox.

    The request-log writer creates it. It outlives the log's retention period.
    """

    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    product = models.CharField(max_length=40)
    request_id = models.CharField(max_length=40)
    operation = models.CharField(max_length=80)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "product"], name="one_first_call_of_a_product"
            ),
            NeverChanges(name="first_calls_never_change"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} of {self.business}"


_EFFECTS = {
    "allowlist": _(
        "We refuse calls with live keys that have no allowlist of their own (IP_NOT_ALLOWED), and "
        "you cannot create live keys. To fix this, add your networks to the allowlist."
    ),
    "checks": _(
        "We are renewing our checks. You do not need to do anything. Your live keys keep working, "
        "but you cannot create new ones until we finish."
    ),
}
_NO_NEW_KEYS = _(
    "Your live keys keep working, but you cannot create new ones until you meet this again."
)


class UnmetConditionQuerySet(models.QuerySet["UnmetCondition"]):
    def of(self, business: Business) -> Self:
        """Return the conditions that are still unmet, oldest first."""
        return self.filter(business=business, settled_at=None).order_by("pk")


class UnmetCondition(models.Model):
    """A condition of going live that stopped being met while live was open, and until when.

    `key` names the line of the checklist. The business is notified once for each row.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("umc"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=60)
    title = models.CharField(max_length=100)
    found_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    objects = UnmetConditionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "key"],
                condition=Q(settled_at=None),
                name="an_unmet_condition_is_told_once",
            ),
            SetOnce(
                fields=["business", "key", "title", "found_at", "settled_at"],
                name="unmet_conditions_are_settled_once",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def effect(self) -> str:
        """What the business cannot do meanwhile, as a sentence for the business."""
        return str(_EFFECTS.get(self.key, _NO_NEW_KEYS))
