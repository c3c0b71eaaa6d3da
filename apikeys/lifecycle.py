"""Statuses of a grant, a key and a network request, and the allowed transitions."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from console.core.lifecycle import Lifecycle
from console.core.status_table import BusinessText, StatusRow, StepPlace


class Environment(models.TextChoices):
    """The two environments of the API. Every object belongs to one of them."""

    SANDBOX = "sandbox", _("Sandbox")
    LIVE = "live", _("Live")


class GrantStatus(models.TextChoices):
    """Whether a business may hold keys in one environment."""

    CLOSED = "closed", _("Closed")
    OPEN = "open", _("Open")
    SUSPENDED = "suspended", _("Suspended")


class KeyStatus(models.TextChoices):
    ACTIVE = "active", _("Active")
    ROTATING = "rotating", _("Rotating")
    DISABLED = "disabled", _("Disabled")
    REVOKED = "revoked", _("Revoked")
    EXPIRED = "expired", _("Expired")


class NetworkStatus(models.TextChoices):
    REQUESTED = "requested", _("Requested")
    GRANTED = "granted", _("Granted")
    DECLINED = "declined", _("Declined")


GRANT_LIFECYCLE = Lifecycle(
    {
        GrantStatus.CLOSED: [GrantStatus.OPEN],
        GrantStatus.OPEN: [GrantStatus.SUSPENDED, GrantStatus.CLOSED],
        GrantStatus.SUSPENDED: [GrantStatus.OPEN, GrantStatus.CLOSED],
    },
    start=[GrantStatus.CLOSED],
)

KEY_LIFECYCLE = Lifecycle(
    {
        KeyStatus.ACTIVE: [
            KeyStatus.ROTATING,
            KeyStatus.REVOKED,
            KeyStatus.EXPIRED,
            KeyStatus.DISABLED,
        ],
        KeyStatus.ROTATING: [KeyStatus.ACTIVE, KeyStatus.REVOKED, KeyStatus.EXPIRED],
        KeyStatus.DISABLED: [KeyStatus.ACTIVE, KeyStatus.REVOKED, KeyStatus.EXPIRED],
        KeyStatus.REVOKED: [],
        KeyStatus.EXPIRED: [],
    },
    start=[KeyStatus.ACTIVE],
)
NETWORK_LIFECYCLE = Lifecycle(
    {
        NetworkStatus.REQUESTED: [NetworkStatus.GRANTED, NetworkStatus.DECLINED],
        NetworkStatus.GRANTED: [],
        NetworkStatus.DECLINED: [],
    }
)
# Keys with one of these statuses work until they expire.
OPENS = (KeyStatus.ACTIVE, KeyStatus.ROTATING)
# Keys with one of these statuses count towards the limit of keys of a business.
HELD = (KeyStatus.ACTIVE, KeyStatus.ROTATING, KeyStatus.DISABLED)
# The reasons of compliance for a decision about a network.
CONFIDENTIAL = ("network.granted", "network.declined")
SENTENCES = {
    "demo.made": "{actor} made the demo world",
    "demo.ended": "{actor} ended the passwords and keys of the demo world",
    "grant.open": "{actor} opened {subject}",
    "grant.live_opened": "{actor} opened live with {subject}",
    "grant.restored": "{actor} restored {subject}",
    "grant.suspended": "{actor} suspended {subject}",
    "grant.closed": "{actor} closed {subject}",
    "grant.products_changed": "{actor} changed the products of {subject}",
    "signing.required": "{actor} required signed calls with {subject}",
    "signing.optional": "{actor} made signing of calls optional with {subject}",
    "network.changed": "{actor} changed the allowlist of {subject}",
    "network.added": "{actor} added a granted network to the allowlist of {subject}",
    "network.changed_for_key": "{actor} changed the allowlist of the key {subject}",
    "network.requested": "{actor} requested a wide network, {subject}",
    "network.granted": "{actor} granted a wide network, {subject}",
    "network.declined": "{actor} declined a wide network, {subject}",
    "key.created": "{actor} created the key {subject}",
    "key.renamed": "{actor} renamed the key {subject}",
    "key.narrowed": "{actor} removed scopes from the key {subject}",
    "key.secret_used": "The new secret of {subject} was used for the first time",
    "key.grace_extended": "{actor} extended the old secret of {subject}",
    "key.rotated": "{actor} ended the old secret of {subject}",
    "key.rotation_dropped": "{actor} deleted the new secret of {subject}, which nobody stored",
    "key.expiring": "{actor} sent a notice that the key {subject} will expire",
    "key.unused": "{actor} sent a notice that nobody uses the key {subject}",
    "key.stored": "{actor} marked the key {subject} as stored",
    "key.active": "{actor} enabled the key {subject}",
    "key.rotating": "{actor} started to rotate the key {subject}",
    "key.disabled": "{actor} disabled the key {subject}",
    "key.revoked": "{actor} revoked the key {subject}",
    "key.expired": "The key {subject} expired",
}

# Shown to the business at the sandbox stage.
GRANT: dict[str, StatusRow] = {
    GrantStatus.CLOSED: StatusRow(
        "neutral",
        BusinessText(
            gettext_noop("Opens when the agreement is executed and all checks have passed")
        ),
        step=StepPlace(0, "todo"),
    ),
    GrantStatus.OPEN: StatusRow(
        "ok",
        BusinessText(gettext_noop("Your sandbox is open. Create your first key.")),
        step=StepPlace(0),
    ),
    GrantStatus.SUSPENDED: StatusRow(
        "danger", BusinessText(gettext_noop("Suspended for now")), step=StepPlace(0, "problem")
    ),
}
KEY: dict[str, StatusRow] = {
    KeyStatus.ACTIVE: StatusRow("ok"),
    KeyStatus.ROTATING: StatusRow("accent"),
    KeyStatus.DISABLED: StatusRow("warning"),
    KeyStatus.REVOKED: StatusRow("danger"),
    KeyStatus.EXPIRED: StatusRow("quiet"),
}
NETWORK_REQUEST: dict[str, StatusRow] = {
    NetworkStatus.REQUESTED: StatusRow("accent"),
    NetworkStatus.GRANTED: StatusRow("ok"),
    NetworkStatus.DECLINED: StatusRow("danger"),
}
