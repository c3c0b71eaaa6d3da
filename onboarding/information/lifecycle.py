"""Statuses of requests for information, and how they are shown."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class InformationStatus(models.TextChoices):
    """Whether a request waits for the business, for us, or for nobody."""

    OPEN = "open", _("Waiting for the business")
    ANSWERED = "answered", _("Answered")
    CLOSED = "closed", _("Closed")


LIFECYCLE = Lifecycle(
    {
        InformationStatus.OPEN: [InformationStatus.ANSWERED, InformationStatus.CLOSED],
        InformationStatus.ANSWERED: [InformationStatus.OPEN, InformationStatus.CLOSED],
        InformationStatus.CLOSED: [],
    }
)
STATUSES: dict[str, StatusRow] = {
    InformationStatus.OPEN: StatusRow("warning"),
    InformationStatus.ANSWERED: StatusRow("accent"),
    InformationStatus.CLOSED: StatusRow("quiet"),
}
SENTENCES = {
    "information_request.asked": "{actor} asked for information, {subject}",
    "information_request.replied": "{actor} replied to a request for information, {subject}",
    "information_request.answered": "{actor} answered a request for information, {subject}",
    "information_request.open": "{actor} asked again for information, {subject}",
    "information_request.closed": "{actor} closed a request for information, {subject}",
    "information_request.reminded": "We sent a reminder of a request for information, {subject}",
}
