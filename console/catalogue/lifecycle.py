"""Where a product stands for a business."""

from django.db import models

from console.core.lifecycle import Lifecycle


class Standing(models.TextChoices):
    """A product of a business (rulings, section 2)."""

    NONE = "none", "Not asked for"
    REQUESTED = "requested", "Asked for"
    APPROVED = "approved", "Approved"
    REFUSED = "refused", "Refused"
    WITHDRAWN = "withdrawn", "Withdrawn"


LIFECYCLE = Lifecycle(
    {
        Standing.NONE: [Standing.REQUESTED],
        Standing.REQUESTED: [Standing.APPROVED, Standing.REFUSED],
        Standing.APPROVED: [Standing.WITHDRAWN],
        Standing.REFUSED: [Standing.REQUESTED],
        Standing.WITHDRAWN: [Standing.REQUESTED],
    }
)
TONES: dict[str, str] = {
    Standing.NONE: "neutral",
    Standing.REQUESTED: "accent",
    Standing.APPROVED: "ok",
    Standing.REFUSED: "danger",
    Standing.WITHDRAWN: "neutral",
}
