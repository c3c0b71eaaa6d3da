"""Statuses of checkout domains, and the allowed transitions."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class DomainStatus(models.TextChoices):
    """Whether a business has proved that it controls a domain."""

    UNVERIFIED = "unverified", _("Not verified")
    VERIFIED = "verified", _("Verified")
    REVOKED = "revoked", _("Revoked")


class DomainMethod(models.TextChoices):
    """How control of a domain was proved."""

    DNS = "dns", _("DNS record")
    FILE = "file", _("File")


DOMAIN_LIFECYCLE = Lifecycle(
    {
        DomainStatus.UNVERIFIED: [DomainStatus.VERIFIED],
        DomainStatus.VERIFIED: [DomainStatus.REVOKED],
        DomainStatus.REVOKED: [DomainStatus.VERIFIED],
    }
)
DOMAIN_STATUSES: dict[str, StatusRow] = {
    DomainStatus.UNVERIFIED: StatusRow("neutral"),
    DomainStatus.VERIFIED: StatusRow("ok"),
    DomainStatus.REVOKED: StatusRow("danger"),
}
SENTENCES = {
    "checkout_domain.added": "{actor} added the checkout domain {subject}",
    "checkout_domain.renewed": "{actor} requested a new token for the checkout domain {subject}",
    "checkout_domain.verified": "The checkout domain {subject} was verified",
    "checkout_domain.missed": "The proof of the checkout domain {subject} was not found",
    "checkout_domain.revoked": "The verification of the checkout domain {subject} was revoked",
    "checkout_domain.removed": "{actor} removed the checkout domain {subject}",
    "checkout.localhost_allowed": "{actor} allowed localhost to show sandbox payments of {subject}",
    "checkout.localhost_refused": "{actor} no longer allows localhost for {subject}",
    "checkout.logo_set": "{actor} changed the logo of {subject}",
    "checkout.logo_removed": "{actor} removed the logo of {subject}",
}
