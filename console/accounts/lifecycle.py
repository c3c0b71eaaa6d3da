"""A business's access: active, suspended for now, or closed."""

from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


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

# How each is shown.
BUSINESS: dict[str, StatusRow] = {
    Access.ACTIVE: StatusRow("ok"),
    Access.SUSPENDED: StatusRow("warning"),
    Access.CLOSED: StatusRow("quiet"),
}
