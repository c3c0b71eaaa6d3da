"""A business's access: active, suspended for now, or closed."""

from django.db import models

from console.core.lifecycle import Lifecycle


class Access(models.TextChoices):
    """Whether a business may use what it was granted."""

    ACTIVE = "active", "Active"
    SUSPENDED = "suspended", "Suspended"
    CLOSED = "closed", "Closed"


LIFECYCLE = Lifecycle(
    {
        Access.ACTIVE: [Access.SUSPENDED, Access.CLOSED],
        Access.SUSPENDED: [Access.ACTIVE, Access.CLOSED],
        Access.CLOSED: [],
    }
)
