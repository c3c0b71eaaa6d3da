"""Where a product stands for a business."""

from django.db import models

from console.core.lifecycle import Lifecycle


class ProductStatus(models.TextChoices):
    """A product of a business (rulings, section 2)."""

    NONE = "none", "Not asked for"
    REQUESTED = "requested", "Asked for"
    APPROVED = "approved", "Approved"
    REFUSED = "refused", "Refused"
    WITHDRAWN = "withdrawn", "Withdrawn"


LIFECYCLE = Lifecycle(
    {
        ProductStatus.NONE: [ProductStatus.REQUESTED],
        ProductStatus.REQUESTED: [ProductStatus.APPROVED, ProductStatus.REFUSED],
        ProductStatus.APPROVED: [ProductStatus.WITHDRAWN],
        ProductStatus.REFUSED: [ProductStatus.REQUESTED],
        ProductStatus.WITHDRAWN: [ProductStatus.REQUESTED],
    }
)
