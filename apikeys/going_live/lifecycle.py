"""Statuses of a go-live request, the allowed transitions, and the audit messages of going live."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class GoLiveStatus(models.TextChoices):
    """Status of a go-live request; proposal and confirmation have columns of their own."""

    REQUESTED = "requested", _("Requested")
    APPROVED = "approved", _("Approved")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")


GO_LIVE_LIFECYCLE = Lifecycle(
    {
        GoLiveStatus.REQUESTED: [
            GoLiveStatus.APPROVED,
            GoLiveStatus.DECLINED,
            GoLiveStatus.WITHDRAWN,
        ],
        GoLiveStatus.APPROVED: [],
        GoLiveStatus.DECLINED: [],
        GoLiveStatus.WITHDRAWN: [],
    }
)
SENTENCES = {
    "go_live_request.requested": "{actor} requested to go live, {subject}",
    "go_live_request.proposed": "{actor} proposed {subject}",
    "go_live_request.approved": "{actor} approved {subject}",
    "go_live_request.declined": "{actor} declined {subject}",
    "go_live_request.withdrawn": "{actor} withdrew {subject}",
    "go_live_request.confirmed": "{actor} confirmed {subject}: live is open",
    "unmet_condition.found": "A condition of live is no longer met: {subject}",
    "unmet_condition.settled": "A condition of live is met again: {subject}",
}

GO_LIVE_REQUEST: dict[str, StatusRow] = {
    GoLiveStatus.REQUESTED: StatusRow("accent"),
    GoLiveStatus.APPROVED: StatusRow("ok"),
    GoLiveStatus.DECLINED: StatusRow("danger"),
    GoLiveStatus.WITHDRAWN: StatusRow("quiet"),
}
