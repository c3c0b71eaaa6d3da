"""Statuses of a business's products, and manual settings of its modules."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class ProductStatus(models.TextChoices):
    NONE = "none", _("Not asked for")
    REQUESTED = "requested", _("Asked for")
    APPROVED = "approved", _("Approved")
    REFUSED = "refused", _("Refused")
    WITHDRAWN = "withdrawn", _("Withdrawn")


class HandSetting(models.TextChoices):
    """Our account team's manual setting of a module, which overrides the approvals."""

    NONE = "", _("Automatic")
    ON = "on", _("On")
    OFF = "off", _("Off")


LIFECYCLE = Lifecycle(
    {
        ProductStatus.NONE: [ProductStatus.REQUESTED],
        ProductStatus.REQUESTED: [ProductStatus.APPROVED, ProductStatus.REFUSED],
        ProductStatus.APPROVED: [ProductStatus.WITHDRAWN],
        ProductStatus.REFUSED: [ProductStatus.REQUESTED],
        ProductStatus.WITHDRAWN: [ProductStatus.REQUESTED],
    }
)

# How each status is shown.
PRODUCT: dict[str, StatusRow] = {
    ProductStatus.NONE: StatusRow("neutral"),
    ProductStatus.REQUESTED: StatusRow("accent"),
    ProductStatus.APPROVED: StatusRow("ok"),
    ProductStatus.REFUSED: StatusRow("danger"),
    ProductStatus.WITHDRAWN: StatusRow("neutral"),
}
