"""Where a product stands for a business, and what may be set by hand about its module."""

from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class ProductStatus(models.TextChoices):
    """A product of a business."""

    NONE = "none", "Not asked for"
    REQUESTED = "requested", "Asked for"
    APPROVED = "approved", "Approved"
    REFUSED = "refused", "Refused"
    WITHDRAWN = "withdrawn", "Withdrawn"


class HandSetting(models.TextChoices):
    """What our account team decided about a module of a business; it wins over the approvals."""

    NONE = "", "Automatic"
    ON = "on", "On"
    OFF = "off", "Off"


LIFECYCLE = Lifecycle(
    {
        ProductStatus.NONE: [ProductStatus.REQUESTED],
        ProductStatus.REQUESTED: [ProductStatus.APPROVED, ProductStatus.REFUSED],
        ProductStatus.APPROVED: [ProductStatus.WITHDRAWN],
        ProductStatus.REFUSED: [ProductStatus.REQUESTED],
        ProductStatus.WITHDRAWN: [ProductStatus.REQUESTED],
    }
)

# How each is shown.
PRODUCT: dict[str, StatusRow] = {
    ProductStatus.NONE: StatusRow("neutral"),
    ProductStatus.REQUESTED: StatusRow("accent"),
    ProductStatus.APPROVED: StatusRow("ok"),
    ProductStatus.REFUSED: StatusRow("danger"),
    ProductStatus.WITHDRAWN: StatusRow("neutral"),
}
