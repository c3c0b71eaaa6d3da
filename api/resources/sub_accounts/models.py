"""SubAccount: somebody else's account that is linked to a business."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper

from api.sandbox.lifecycle import SUB_ACCOUNT_LIFECYCLE, SubAccountStatus
from api.sandbox.models import OwnedObject
from api.sandbox.models.owned_object import known_environment
from console.core import ids
from console.core.moves import MovesConstraint

ENDED = (SubAccountStatus.REJECTED, SubAccountStatus.CLOSED)


class SubAccount(OwnedObject):
    """Known by its reference, and to its business by the e-mail address of who holds it."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("sub"))
    email = models.CharField(max_length=254)
    status = models.CharField(
        max_length=20, choices=SubAccountStatus, default=SubAccountStatus.PENDING
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(status=SubAccountStatus.PENDING),
                name="sub_accounts_that_wait",
            )
        ]
        constraints = [
            known_environment("sub_account"),
            models.CheckConstraint(
                condition=Q(status__in=SubAccountStatus.values),
                name="sub_account_status_is_known",
            ),
            # One at a time for each address, however it is written.
            models.UniqueConstraint(
                "business",
                "environment",
                Upper("email"),
                condition=~Q(status__in=ENDED),
                name="one_sub_account_an_address",
            ),
            MovesConstraint(
                arrows=SUB_ACCOUNT_LIFECYCLE.arrows(), name="sub_account_moves_by_the_table"
            ),
        ]
