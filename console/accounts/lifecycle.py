"""A business's access statuses: active, suspended or closed."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class Access(models.TextChoices):
    """Whether a business may use what it was granted."""

    ACTIVE = "active", _("Active")
    SUSPENDED = "suspended", _("Suspended")
    CLOSED = "closed", _("Closed")


LIFECYCLE = Lifecycle(
    {
        Access.ACTIVE: [Access.SUSPENDED, Access.CLOSED],
        Access.SUSPENDED: [Access.ACTIVE, Access.CLOSED],
        Access.CLOSED: [],
    }
)

# How each status is shown.
BUSINESS: dict[str, StatusRow] = {
    Access.ACTIVE: StatusRow("ok"),
    Access.SUSPENDED: StatusRow("warning"),
    Access.CLOSED: StatusRow("quiet"),
}
